//! Instance whose adapters are listed.

/// Returns an instance with those of the backends Vulkan, Metal and Direct3D 12 that this system has and
/// `WGPU_BACKEND` allows.
pub(crate) fn instance() -> wgpu::Instance {
    let mut description = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    description.backends &= wgpu::Backends::PRIMARY;
    #[cfg(any(target_os = "linux", target_os = "freebsd"))]
    if description.backends.contains(wgpu::Backends::VULKAN)
        && let Some(instance) = without_windows(&description)
    {
        return instance;
    }
    wgpu::Instance::new(description)
}

/// Creates a Vulkan instance without the extensions for windows. If they are enabled, Mesa's device-select
/// layer searches for a Wayland and an X server to determine the GPU that they use. For each attempt,
/// libwayland prints "error: XDG_RUNTIME_DIR is invalid or not set" to standard error.
#[cfg(any(target_os = "linux", target_os = "freebsd"))]
#[allow(unsafe_code)]
fn without_windows(description: &wgpu::InstanceDescriptor) -> Option<wgpu::Instance> {
    use wgpu::hal;
    let description = hal::InstanceDescriptor {
        name: "brickwork",
        flags: description.flags,
        memory_budget_thresholds: description.memory_budget_thresholds,
        backend_options: description.backend_options.clone(),
        telemetry: None,
        display: None,
    };
    let windows = [c"VK_KHR_wayland_surface", c"VK_KHR_xcb_surface", c"VK_KHR_xlib_surface"];
    // SAFETY: wgpu-hal asks callbacks to leave its extensions in place ("must not remove features",
    // src/vulkan/instance.rs:568 of 30.0.1, to which the manifest is pinned). It enables these three only
    // where the loader offers them (lines 238 to 251 and what follows), keeps the list as callbacks leave it,
    // and looks there before each use (lines 392, 418 and 443): without them it works as on a server without
    // windows. The instance is handed to `from_hal` at once, which owns it from then on.
    unsafe {
        let callback: Box<hal::vulkan::CreateInstanceCallback<'_>> =
            Box::new(|arguments| arguments.extensions.retain(|name| !windows.contains(name)));
        let instance = hal::vulkan::Instance::init_with_callback(&description, Some(callback)).ok()?;
        Some(wgpu::Instance::from_hal::<hal::api::Vulkan>(instance))
    }
}
