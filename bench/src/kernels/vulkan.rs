//! Vulkan's compilers, and their figures for kernels that are never run
//! (`VK_KHR_pipeline_executable_properties`).

#![allow(unsafe_code)]

use anyhow::{Context as _, Result, ensure};
use ash::{ext, khr, vk};
use brickwork_gpu::{
    Kernel,
    testing::{SpirvTarget, spirv},
};
use brickwork_texture::gpu::Binding;
use std::ffi::CStr;

/// The system's Vulkan. Devices and compilers must not outlive it.
pub struct Vulkan {
    instance: ash::Instance,
    /// The loader's library, which is unloaded last.
    entry: ash::Entry,
}

/// A device that the loader shows.
pub struct Device {
    raw: vk::PhysicalDevice,
    /// As the driver calls it.
    pub name: String,
    /// The driver's name and version.
    pub driver: String,
    extensions: Vec<vk::ExtensionProperties>,
}

/// One figure of a driver's compiler.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistic {
    pub name: String,
    /// The driver's description.
    pub meaning: String,
    pub value: f64,
}

/// A device opened as wgpu opens it, to compile only.
pub struct Compiler<'a> {
    device: ash::Device,
    statistics: khr::pipeline_executable_properties::Device,
    target: SpirvTarget,
    _vulkan: &'a Vulkan,
}

impl Vulkan {
    /// Loads Vulkan.
    pub fn open() -> Result<Self> {
        // SAFETY: the system's Vulkan loader is trusted to be one.
        let entry = unsafe { ash::Entry::load() }.context("there is no Vulkan loader")?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: `info` and what it points to live until the call returns; the instance is destroyed by
        // `drop`, before `entry` is.
        let instance = unsafe { entry.create_instance(&info, None) }.context("no Vulkan instance")?;
        Ok(Self { instance, entry })
    }

    /// Returns all devices, in the loader's order.
    pub fn devices(&self) -> Result<Vec<Device>> {
        // SAFETY: the instance is alive.
        let devices = unsafe { self.instance.enumerate_physical_devices() }?;
        devices.into_iter().map(|raw| self.describe(raw)).collect()
    }

    fn describe(&self, raw: vk::PhysicalDevice) -> Result<Device> {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: `raw` is of this instance, and what is filled in is alive.
        let extensions = unsafe {
            self.instance.get_physical_device_properties2(raw, &mut properties);
            self.instance.enumerate_device_extension_properties(raw)
        }?;
        let name = properties.properties.device_name_as_c_str()?.to_str()?.to_owned();
        let version = properties.properties.api_version;
        ensure!(version >= vk::API_VERSION_1_3, "{name} has no Vulkan 1.3");
        let [driver, info] =
            [driver.driver_name_as_c_str()?, driver.driver_info_as_c_str()?].map(CStr::to_string_lossy);
        Ok(Device { raw, name, driver: format!("{driver}, {info}"), extensions })
    }
}

impl Drop for Vulkan {
    fn drop(&mut self) {
        let _ = &self.entry;
        // SAFETY: a compiler, which borrows this, is gone.
        unsafe { self.instance.destroy_instance(None) }
    }
}

impl Device {
    fn has(&self, extension: &CStr) -> bool {
        self.extensions.iter().any(|known| known.extension_name_as_c_str() == Ok(extension))
    }

    /// Returns the device's compiler; `None` if it reports no figures.
    pub fn compiler<'a>(&self, vulkan: &'a Vulkan) -> Result<Option<Compiler<'a>>> {
        if !self.has(khr::pipeline_executable_properties::NAME) {
            return Ok(None);
        }
        let instance = &vulkan.instance;
        let has_robustness_2 = self.has(ext::robustness2::NAME);
        let mut robustness_2 = vk::PhysicalDeviceRobustness2FeaturesEXT::default();
        let mut image_robustness = vk::PhysicalDeviceImageRobustnessFeatures::default();
        let mut has = vk::PhysicalDeviceFeatures2::default().push_next(&mut image_robustness);
        if has_robustness_2 {
            has = has.push_next(&mut robustness_2);
        }
        // SAFETY: the device is of this instance; what is filled in is alive.
        unsafe { instance.get_physical_device_features2(self.raw, &mut has) };
        let has_robust_access = has.features.robust_buffer_access;
        let mut target = SpirvTarget::default();
        target.has_robust_buffers = robustness_2.robust_buffer_access2 == vk::TRUE;
        target.has_robust_images = match has_robustness_2 {
            true => robustness_2.robust_image_access2 == vk::TRUE,
            false => image_robustness.robust_image_access == vk::TRUE,
        };

        // The features that wgpu enables and that change code, and the figures.
        let mut robustness_2 = vk::PhysicalDeviceRobustness2FeaturesEXT::default()
            .robust_buffer_access2(target.has_robust_buffers)
            .robust_image_access2(robustness_2.robust_image_access2 == vk::TRUE);
        let mut image_robustness = vk::PhysicalDeviceImageRobustnessFeatures::default()
            .robust_image_access(target.has_robust_images);
        let mut subgroup_sizes =
            vk::PhysicalDeviceSubgroupSizeControlFeatures::default().subgroup_size_control(true);
        let mut figures = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default()
            .pipeline_executable_info(true);
        let features =
            vk::PhysicalDeviceFeatures::default().robust_buffer_access(has_robust_access == vk::TRUE);
        let mut extensions = vec![khr::pipeline_executable_properties::NAME.as_ptr()];
        let queue = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
        let mut info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queue)
            .enabled_features(&features)
            .push_next(&mut image_robustness)
            .push_next(&mut subgroup_sizes)
            .push_next(&mut figures);
        if has_robustness_2 {
            extensions.push(ext::robustness2::NAME.as_ptr());
            info = info.push_next(&mut robustness_2);
        }
        let info = info.enabled_extension_names(&extensions);
        // SAFETY: `info` and what it points to live until the call returns; the device is destroyed by
        // `drop` of the compiler, which borrows the instance.
        let device = unsafe { instance.create_device(self.raw, &info, None) }
            .with_context(|| format!("{} cannot be opened", self.name))?;
        let statistics = khr::pipeline_executable_properties::Device::new(instance, &device);
        Ok(Some(Compiler { device, statistics, target, _vulkan: vulkan }))
    }
}

impl Compiler<'_> {
    /// Returns the compiler's statistics of a kernel: the name and the figures of each executable.
    pub fn compile(&self, kernel: &Kernel) -> Result<Vec<(String, Vec<Statistic>)>> {
        let code = spirv(kernel, self.target);
        let made = Pipeline::new(&self.device, &code, kernel.bindings())?;
        let info = vk::PipelineInfoKHR::default().pipeline(made.pipeline);
        // SAFETY: the pipeline is of this device and alive.
        let executables = unsafe { self.statistics.get_pipeline_executable_properties(&info) }?;
        (0..)
            .zip(executables)
            .map(|(index, executable)| {
                let name = executable.name_as_c_str()?.to_str()?.to_owned();
                let info =
                    vk::PipelineExecutableInfoKHR::default().pipeline(made.pipeline).executable_index(index);
                // SAFETY: the pipeline has been made with statistics, and has an executable of this index.
                let figures = unsafe { self.statistics.get_pipeline_executable_statistics(&info) }?;
                Ok((name, figures.iter().map(statistic).collect::<Result<_>>()?))
            })
            .collect()
    }
}

fn statistic(found: &vk::PipelineExecutableStatisticKHR<'_>) -> Result<Statistic> {
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    let name = found.name_as_c_str()?.to_str()?.to_owned();
    let meaning = found.description_as_c_str()?.to_string_lossy().into_owned();
    // SAFETY: the driver says by `format` which field of the union it has set.
    let value = unsafe {
        match found.format {
            Format::BOOL32 => f64::from(found.value.b32),
            Format::INT64 => found.value.i64 as f64,
            Format::UINT64 => found.value.u64 as f64,
            _ => found.value.f64,
        }
    };
    Ok(Statistic { name, meaning, value })
}

impl Drop for Compiler<'_> {
    fn drop(&mut self) {
        // SAFETY: pipelines live within `compile` only.
        unsafe { self.device.destroy_device(None) }
    }
}

/// A compute pipeline and the objects that it was made of; null if not made.
struct Pipeline<'a> {
    device: &'a ash::Device,
    module: vk::ShaderModule,
    set: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
}

impl<'a> Pipeline<'a> {
    fn new(device: &'a ash::Device, code: &[u32], bindings: &[Binding]) -> Result<Self> {
        let mut made = Self {
            device,
            module: vk::ShaderModule::null(),
            set: vk::DescriptorSetLayout::null(),
            layout: vk::PipelineLayout::null(),
            pipeline: vk::Pipeline::null(),
        };
        let bindings: Vec<_> = (0..)
            .zip(bindings)
            .map(|(place, &binding)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(place)
                    .descriptor_type(descriptor(binding))
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let module = vk::ShaderModuleCreateInfo::default().code(code);
        let set = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the device is alive; naga has validated the module and made valid SPIR-V of it, whose
        // bindings are those of the layout; all that is pointed to lives until the calls return.
        unsafe {
            made.module = device.create_shader_module(&module, None)?;
            made.set = device.create_descriptor_set_layout(&set, None)?;
            let sets = [made.set];
            let layout = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
            made.layout = device.create_pipeline_layout(&layout, None)?;
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .flags(vk::PipelineShaderStageCreateFlags::ALLOW_VARYING_SUBGROUP_SIZE)
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(made.module)
                .name(c"main");
            let info = vk::ComputePipelineCreateInfo::default()
                .flags(vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR)
                .layout(made.layout)
                .stage(stage);
            let pipelines = device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
            made.pipeline = pipelines.map_err(|(_, error)| error)?[0];
        }
        Ok(made)
    }
}

impl Drop for Pipeline<'_> {
    fn drop(&mut self) {
        // SAFETY: nothing uses these any more; what is null is ignored.
        unsafe {
            self.device.destroy_pipeline(self.pipeline, None);
            self.device.destroy_pipeline_layout(self.layout, None);
            self.device.destroy_descriptor_set_layout(self.set, None);
            self.device.destroy_shader_module(self.module, None);
        }
    }
}

fn descriptor(binding: Binding) -> vk::DescriptorType {
    match binding {
        Binding::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
        Binding::Read | Binding::Write => vk::DescriptorType::STORAGE_BUFFER,
        Binding::Texture | Binding::Texture3d => vk::DescriptorType::SAMPLED_IMAGE,
        Binding::StoreTwoWords | Binding::StoreFourWords => vk::DescriptorType::STORAGE_IMAGE,
    }
}
