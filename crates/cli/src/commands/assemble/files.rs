//! Assembly jobs of a batch: files in, one texture out.

use super::{
    AssembledFile, AssembledFrom,
    join::{join_files, role_of},
};
use crate::{
    batch::{Job, Turn, Written},
    commands::{
        convert::states_color_space,
        encode::{TextureFile, encode_job, write_encoded},
    },
    face_names::{FaceOrder, missing_faces, order_faces},
};
use brickwork_base::Task;
use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::{JoinAs, MipWrap, container::DdsHeader};
use brickwork_toolkit::{
    batch::Input,
    device::Devices,
    texture::{
        OptionsError, TextureJobError, TextureLayout, TextureOptions, encode_cubes, read_picture,
        texture_info,
    },
};

/// Options of [`assemble_files`].
#[derive(Clone, Debug)]
pub struct AssembleOptions {
    /// Options of the texture. Their [layout](TextureOptions::layout) states its kind.
    pub texture: TextureOptions,
    /// Side of a panorama's faces in texels. Default: a quarter of the panorama's width.
    pub face_size: Option<u32>,
    /// Number of layers, cubes or slices that the inputs must have. Default: any.
    pub expected: Option<u32>,
    /// True to have textures in plain formats encoded like images, even if no option is for images. Otherwise
    /// they are joined without encoding, unless there is an image among the inputs. Default: false.
    pub encodes_plain: bool,
    /// True if the inputs are textures with the mip levels of one texture, the largest first. The layout is
    /// then [`TextureLayout::Layers`], and does not count. Default: false.
    pub mip_levels: bool,
}

impl AssembleOptions {
    /// Returns the options of a texture, and the defaults.
    pub const fn new(texture: TextureOptions) -> Self {
        Self { texture, face_size: None, expected: None, encodes_plain: false, mip_levels: false }
    }

    /// Checks the number of layers, cubes or slices.
    fn check_count(&self, images: usize) -> Result<(), OptionsError> {
        let layout = self.texture.layout;
        let found = if layout == TextureLayout::Faces { images / 6 } else { images };
        match self.expected {
            Some(expected) if expected as usize != found => {
                Err(OptionsError::Expected { layout, expected, found })
            }
            _ => Ok(()),
        }
    }
}

/// Reads the inputs of a job and writes them as one texture. Images are encoded. Textures are joined without
/// encoding, with the options of the container only. With other options, those in plain formats are encoded
/// ([`AssembleOptions::encodes_plain`]). For a cube, six inputs are its faces, by their names
/// ([`order_faces`]) or in their order; oblong images are crosses, strips or panoramas, one for each cube.
/// The task reports each stage.
///
/// # Errors
/// [`TextureJobError`] if an input is not readable, the inputs or options do not fit each other, or there is
/// too little memory. An existing output is then unchanged.
pub fn assemble_files(
    options: &AssembleOptions,
    turn: &Turn<'_>,
    devices: &Devices,
    task: &Task<'_>,
) -> Result<Written<AssembledFile>, TextureJobError> {
    let (texture, job) = (&options.texture, turn.job);
    let misfit = |file: String| move |error| TextureJobError::Options { file, error };
    let container = texture.container_of(job.output.path()).map_err(misfit(job.output.name()))?;
    turn.check_output()?;
    let are_faces = texture.layout == TextureLayout::Faces;
    if are_faces && texture.encode.mip_wrap != [MipWrap::Clamp; 2] {
        return Err(misfit(job.name())(OptionsError::WrapOfCube));
    }
    let encodes_plain = options.encodes_plain || texture.first_image_option().is_some();
    let sources = Sources::of(&job.inputs, texture.layout, encodes_plain, turn.max_memory, task)?;
    if let Some([width, height]) = sources.oblong {
        // Crosses are not faces.
        if let Ok((_, FaceOrder::Names)) = order_faces(job.inputs.clone()) {
            return Err(misfit(job.name())(OptionsError::OblongFace { width, height }));
        }
        options.check_count(6 * job.inputs.len()).map_err(misfit(job.name()))?;
        let (encoded, layout) =
            encode_cubes(texture, &job.inputs, options.face_size, devices, turn.max_memory, task)?;
        let written = write_encoded(texture, container, encoded, turn, task)?;
        let inputs = job.inputs.iter().map(Input::name).collect();
        return Ok(of_images(written, inputs, Some(layout), texture.dds_header));
    }
    let (inputs, faces) = if are_faces {
        let (inputs, order) = order_faces(job.inputs.clone())
            .map_err(|(file, error)| TextureJobError::Options { file, error })?;
        let source = if order == FaceOrder::Names { "faces by name" } else { "faces in order" };
        (inputs, Some(source.to_owned()))
    } else {
        (job.inputs.clone(), None)
    };
    if are_faces && !inputs.len().is_multiple_of(6) {
        let (given, missing) = (inputs.len(), missing_faces(&inputs));
        let error = match missing.is_empty() {
            true => OptionsError::Count { layout: TextureLayout::Faces, given },
            false => OptionsError::MissingFaces { given, missing },
        };
        return Err(misfit(job.name())(error));
    }
    options.check_count(inputs.len()).map_err(misfit(job.name()))?;
    if options.face_size.is_some() {
        return Err(misfit(job.name())(OptionsError::NoPanorama));
    }
    if options.mip_levels && !sources.are_textures {
        return Err(misfit(job.name())(OptionsError::NeedsTextures));
    }
    if sources.are_textures {
        if let Some(option) = texture.first_image_option() {
            return Err(misfit(job.name())(OptionsError::NeedsImages { option }));
        }
        let role = if options.mip_levels { JoinAs::MipLevels } else { role_of(texture.layout) };
        return join_files((texture, role), container, &inputs, faces, turn, task);
    }
    let ordered = Job { inputs, ..job.clone() };
    let turn = turn.with_job(&ordered);
    let written = encode_job(texture, &turn, devices, task)?;
    Ok(of_images(written, ordered.inputs.iter().map(Input::name).collect(), faces, texture.dds_header))
}

/// Returns the result of images that were encoded.
fn of_images(
    written: Written<TextureFile>,
    inputs: Vec<String>,
    faces: Option<String>,
    header: DdsHeader,
) -> Written<AssembledFile> {
    let Written { result: file, input_bytes, output_bytes, kept } = written;
    let result = AssembledFile {
        inputs,
        output: file.output.clone(),
        container: file.container,
        desc: file.plan.desc,
        faces,
        file_bytes: file.file_bytes,
        states_color_space: states_color_space(file.plan.desc.format, file.container, header),
        from: AssembledFrom::Images(Box::new(file)),
    };
    Written { result, input_bytes, output_bytes, kept }
}

/// Facts about the inputs.
struct Sources {
    /// True if all are textures that are joined, false if none is.
    are_textures: bool,
    /// Size of the first picture of a cube if it is not square.
    oblong: Option<[u32; 2]>,
}

/// Contents of an input.
enum Contents {
    /// An image, or a texture in a format that is only read.
    Image,
    /// A block-compressed texture, or a damaged one.
    Blocks,
    /// A texture in a plain format, with this width and height.
    Plain([u32; 2]),
}

impl Contents {
    /// Examines an input by its header.
    fn of(input: &Input, max_memory: u64, task: &Task<'_>) -> Result<Self, TextureJobError> {
        Ok(match texture_info(input, max_memory, task)? {
            Some(Ok(info)) if info.desc.format.plain().is_some() => {
                Self::Plain([info.desc.width, info.desc.height])
            }
            Some(_) => Self::Blocks,
            None => Self::Image,
        })
    }
}

impl Sources {
    /// Examines the inputs. They must all be block-compressed, or none. Textures in plain formats are joined,
    /// except if they are to be encoded, there is an image, or a face of a cube is oblong.
    fn of(
        inputs: &[Input],
        layout: TextureLayout,
        encodes_plain: bool,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        let mut sources = Self { are_textures: false, oblong: None };
        let mut contents = Vec::with_capacity(inputs.len());
        for input in inputs {
            // A missing file is reported below.
            if input.path().is_none_or(|path| path.exists() && !path.is_file()) {
                return Err(TextureJobError::ReadOnce { input: input.name() });
            }
            contents.push(Contents::of(input, max_memory, task)?);
        }
        let is_image = |contents: &Contents| match contents {
            Contents::Image => true,
            Contents::Blocks => false,
            Contents::Plain([width, height]) => layout == TextureLayout::Faces && width != height,
        };
        let encodes_plain = encodes_plain || contents.iter().any(is_image);
        for (index, (input, contents)) in inputs.iter().zip(&contents).enumerate() {
            let is_texture = match contents {
                Contents::Image => false,
                Contents::Blocks => true,
                Contents::Plain(_) => !encodes_plain,
            };
            if index > 0 && is_texture != sources.are_textures {
                return Err(TextureJobError::Mixed { input: input.name(), is_texture });
            }
            sources.are_textures = is_texture;
        }
        if let Some(first) = inputs.first()
            && layout == TextureLayout::Faces
            && !sources.are_textures
        {
            let read = ImageReadOptions::default().with(|o| o.max_memory = max_memory);
            let picture = read_picture(first, &read, &task.without_progress())?;
            let size = [picture.width, picture.height];
            sources.oblong = (size[0] != size[1]).then_some(size);
        }
        Ok(sources)
    }
}
