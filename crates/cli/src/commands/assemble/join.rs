//! Assembly of textures whose data is copied.

use super::{AssembledFile, AssembledFrom};
use crate::{
    batch::{Turn, Written},
    commands::convert::{ConvertNote, note_of_size, notes_of, states_color_space},
};
use brickwork_base::{ErrorKind, Task};
use brickwork_texture::{JoinAs, Texture, container::ContainerFormat};
use brickwork_toolkit::{
    batch::Input,
    texture::{TextureJobError, TextureLayout, TextureOptions, read_texture},
};
use std::collections::BTreeSet;

/// Joins the textures in `inputs` in a role, and writes the output of the job.
pub(super) fn join_files(
    (options, role): (&TextureOptions, JoinAs),
    container: ContainerFormat,
    inputs: &[Input],
    faces: Option<String>,
    turn: &Turn<'_>,
    task: &Task<'_>,
) -> Result<Written<AssembledFile>, TextureJobError> {
    let output = &turn.job.output;
    let (mut textures, mut read_bytes, mut is_known) = (Vec::with_capacity(inputs.len()), 0u64, true);
    for input in inputs {
        // The blocks of the first texture grow to those of all.
        let limit = turn.max_memory.saturating_sub(read_bytes.saturating_mul(2));
        let (texture, info) = read_texture(input, limit, task)?;
        read_bytes = read_bytes.saturating_add(texture.data().len() as u64);
        is_known &= info.states_color_space();
        textures.push(texture);
    }
    if read_bytes.saturating_mul(2) > turn.max_memory {
        let (needed, limit) = (read_bytes.saturating_mul(2), turn.max_memory);
        return Err(TextureJobError::Memory { input: turn.job.name(), needed, limit });
    }
    let all_keys = textures.iter().flat_map(|texture| texture.key_values());
    let mut keys: BTreeSet<String> = all_keys.map(|(key, _)| key.clone()).collect();
    let texture = Texture::join(textures, role).map_err(|error| {
        let input = inputs.get(error.index().unwrap_or(0)).map_or_else(|| turn.job.name(), Input::name);
        match error.kind() {
            ErrorKind::Limit => TextureJobError::OutOfMemory { input, needed: read_bytes },
            _ => TextureJobError::Join { input, error },
        }
    })?;
    let mut notes = notes_of(&texture, container, options.dds_header, is_known);
    notes.extend(note_of_size(texture.desc(), container));
    for (key, _) in texture.key_values() {
        keys.remove(key);
    }
    if !keys.is_empty() {
        notes.push(ConvertNote::DifferentKeys(keys.into_iter().collect()));
    }
    let file_bytes =
        output.write(turn.existing, |sink| options.write(&texture, container, &output.name(), sink, task))?;
    let result = AssembledFile {
        inputs: inputs.iter().map(Input::name).collect(),
        output: output.name(),
        container,
        desc: *texture.desc(),
        faces,
        states_color_space: states_color_space(texture.desc().format, container, options.dds_header),
        from: AssembledFrom::Textures { notes },
        file_bytes,
    };
    Ok(Written { result, input_bytes: read_bytes, output_bytes: file_bytes, kept: None })
}

/// Returns the role of textures in a texture of this layout.
pub(super) fn role_of(layout: TextureLayout) -> JoinAs {
    match layout {
        TextureLayout::Faces => JoinAs::Faces,
        TextureLayout::Slices => JoinAs::Slices,
        _ => JoinAs::Layers,
    }
}
