//! Result of an assembly.

use crate::{
    commands::{convert::ConvertNote, encode::TextureFile},
    report::{TextureAssembleReport, dimensions_name, stated_color_space_name},
};
use brickwork_texture::{TextureDesc, container::ContainerFormat};
use brickwork_toolkit::report::alpha_mode_name;

/// A texture that was assembled.
#[derive(Clone, Debug)]
pub struct AssembledFile {
    /// Names of the inputs, in the order of their images.
    pub inputs: Vec<String>,
    /// Name of the output.
    pub output: String,
    /// The container.
    pub container: ContainerFormat,
    /// Format and shape.
    pub desc: TextureDesc,
    /// Source of the faces of a cube, such as `faces by name` or `horizontal cross`.
    pub faces: Option<String>,
    /// False if the header of the output does not state the colour space.
    pub states_color_space: bool,
    /// The origin of the blocks.
    pub from: AssembledFrom,
    /// Bytes of the output.
    pub file_bytes: u64,
}

/// Origin of the blocks of an assembled texture.
#[derive(Clone, Debug)]
pub enum AssembledFrom {
    /// Images that were encoded.
    Images(Box<TextureFile>),
    /// Textures whose data was copied.
    Textures {
        /// Facts that the user may not expect.
        notes: Vec<ConvertNote>,
    },
}

impl AssembledFile {
    /// Returns the report. `threads` is the number of threads that encoded on the CPU.
    pub fn into_report(self, threads: usize) -> TextureAssembleReport {
        let desc = self.desc;
        let mut encode = None;
        let notes = match self.from {
            AssembledFrom::Images(file) => {
                let notes = file.notes.iter().map(ToString::to_string).collect();
                encode = Some(file.into_report(threads));
                notes
            }
            AssembledFrom::Textures { notes } => notes.iter().map(ToString::to_string).collect(),
        };
        TextureAssembleReport {
            inputs: self.inputs,
            output: self.output,
            container: self.container.extension(),
            format: desc.format.name(),
            dimensions: dimensions_name(desc.kind),
            width: desc.width,
            height: desc.height,
            depth: desc.depth,
            layers: desc.layers,
            faces: desc.faces(),
            levels: desc.mip_levels,
            face_source: self.faces,
            color_space: stated_color_space_name(self.states_color_space.then_some(desc.color_space)),
            alpha_mode: alpha_mode_name(desc.alpha_mode),
            data_bytes: desc.data_bytes(),
            file_bytes: self.file_bytes,
            encode,
            notes,
        }
    }
}
