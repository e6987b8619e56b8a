//! Buffers with contents.

/// Creates a buffer that contains `contents`, whose length is a multiple of 4. For use within
/// [`Context::checked`](crate::Context::checked). If the device is lost or out of memory, wgpu's own
/// `create_buffer_init` panics; this function returns an invalid buffer instead.
pub fn filled_buffer(
    device: &wgpu::Device,
    label: &'static str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let size = contents.len() as u64;
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: true,
    });
    if let Ok(mut view) = buffer.get_mapped_range_mut(..) {
        view.copy_from_slice(contents);
        drop(view);
        buffer.unmap();
    }
    buffer
}
