//! GPUs of this machine.

use crate::{GpuError, MissingAbilities, MissingAbility, instance::instance};
use std::fmt;

/// One way to access a GPU. A GPU with two drivers or backends is listed twice.
#[derive(Clone, Debug)]
pub struct Adapter {
    raw: wgpu::Adapter,
    info: AdapterInfo,
}

/// Description of an adapter and of the features that Brickwork uses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterInfo {
    /// Index in [`adapters_async`].
    pub index: usize,
    /// Name of the GPU.
    pub name: String,
    /// Backend: `vulkan`, `metal`, `dx12`.
    pub backend: String,
    /// Kind: `discrete`, `integrated`, `virtual`, `software` or `other`.
    pub kind: &'static str,
    /// Name and version of the driver.
    pub driver: String,
    /// Smallest and largest subgroup size, in threads.
    pub subgroup_sizes: [u32; 2],
    /// True if kernels may use subgroup operations.
    pub subgroups: bool,
    /// True if kernels can be timed on the GPU (timestamp queries).
    pub timestamps: bool,
    /// True if the adapter samples BC textures.
    pub bc_textures: bool,
    /// True if compiled kernels can be kept between runs.
    pub pipeline_cache: bool,
    /// Largest storage binding in bytes.
    pub max_storage_binding: u64,
    /// Largest buffer in bytes.
    pub max_buffer: u64,
    /// Largest width and height of a 2D texture in texels.
    pub max_texture_size: u32,
    /// Bytes of memory shared by a workgroup.
    pub workgroup_memory: u32,
    /// Largest number of threads in a workgroup.
    pub workgroup_invocations: u32,
    /// Reason why Brickwork cannot use the adapter; `None` if it can.
    pub unfit: Option<MissingAbilities>,
}

impl AdapterInfo {
    fn new(index: usize, adapter: &wgpu::Adapter) -> Self {
        let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
        let downlevel = adapter.get_downlevel_capabilities();
        let mut missing = Vec::new();
        if !downlevel.flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
            missing.push(MissingAbility::ComputeShaders);
        }
        wgpu::Limits::default().check_limits_with_fail_fn(&limits, false, |name, needed, has| {
            missing.push(MissingAbility::Limit { name, has, needed });
        });
        let driver = [info.driver.as_str(), info.driver_info.as_str()].map(str::trim);
        Self {
            index,
            name: info.name,
            backend: info.backend.to_str().to_owned(),
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => "discrete",
                wgpu::DeviceType::IntegratedGpu => "integrated",
                wgpu::DeviceType::VirtualGpu => "virtual",
                wgpu::DeviceType::Cpu => "software",
                wgpu::DeviceType::Other => "other",
            },
            driver: driver.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
            subgroup_sizes: [info.subgroup_min_size, info.subgroup_max_size],
            subgroups: features.contains(wgpu::Features::SUBGROUP),
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            bc_textures: features.contains(wgpu::Features::TEXTURE_COMPRESSION_BC),
            pipeline_cache: features.contains(wgpu::Features::PIPELINE_CACHE),
            max_storage_binding: limits.max_storage_buffer_binding_size,
            max_buffer: limits.max_buffer_size,
            max_texture_size: limits.max_texture_dimension_2d,
            workgroup_memory: limits.max_compute_workgroup_storage_size,
            workgroup_invocations: limits.max_compute_invocations_per_workgroup,
            unfit: MissingAbilities::new(missing),
        }
    }

    /// True if the adapter runs on the CPU, like lavapipe, SwiftShader and WARP.
    pub fn is_software(&self) -> bool {
        self.kind == "software"
    }

    /// Returns the adapter's rank. Lower is better.
    fn rank(&self) -> (bool, u8) {
        let kind = match self.kind {
            "discrete" => 0,
            "integrated" => 1,
            "virtual" => 2,
            "other" => 3,
            _ => 4,
        };
        (self.unfit.is_some(), kind)
    }
}

impl fmt::Display for AdapterInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {})", self.name, self.backend, self.driver)
    }
}

impl Adapter {
    /// Returns the adapter's description and features.
    pub fn info(&self) -> &AdapterInfo {
        &self.info
    }

    pub(crate) fn raw(&self) -> &wgpu::Adapter {
        &self.raw
    }
}

/// Choice of an adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdapterChoice {
    /// The best adapter: a discrete GPU, else an integrated one, else a software adapter.
    #[default]
    Best,
    /// The adapter at this index of [`adapters_async`]. If the index is past the end, the first adapter whose
    /// name contains the number.
    Index(usize),
    /// The first adapter whose name contains this text, ignoring case.
    Name(String),
}

impl AdapterChoice {
    /// Parses a choice: a number is an index, any other text is part of a name.
    pub fn parse(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Index)
    }

    /// Returns the adapter that this choice selects.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] if there is no adapter at all, [`GpuError::UnknownAdapter`] if none matches.
    pub async fn find_async(&self) -> Result<Adapter, GpuError> {
        self.find_in(&adapters_async().await)
    }

    /// Returns the adapter that this choice selects from a list returned by [`adapters_async`].
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] if there is no adapter at all, [`GpuError::UnknownAdapter`] if none matches.
    pub fn find_in(&self, adapters: &[Adapter]) -> Result<Adapter, GpuError> {
        if adapters.is_empty() {
            return Err(GpuError::NoAdapter);
        }
        let named = |part: &str| {
            let part = part.to_lowercase();
            adapters.iter().find(|adapter| adapter.info.name.to_lowercase().contains(&part))
        };
        let (found, choice) = match self {
            Self::Best => (adapters.iter().min_by_key(|adapter| adapter.info.rank()), "best".to_owned()),
            // Names contain numbers, too: 4090.
            Self::Index(index) => {
                (adapters.get(*index).or_else(|| named(&index.to_string())), index.to_string())
            }
            Self::Name(name) => (named(name), name.clone()),
        };
        found.cloned().ok_or_else(|| GpuError::UnknownAdapter {
            choice,
            known: adapters
                .iter()
                .map(|a| format!("{} {}", a.info.index, a.info))
                .collect::<Vec<_>>()
                .join(", "),
        })
    }
}

/// Returns every adapter of Vulkan, Metal and Direct3D 12, in the backends' order; in a browser, the one that
/// it offers. `VK_DRIVER_FILES` and `WGPU_BACKEND` are respected.
///
/// On Linux, devices opened on these adapters cannot present to windows. An application that draws opens its
/// own device and calls [`Context::adopt`](crate::Context::adopt).
pub async fn adapters_async() -> Vec<Adapter> {
    let raw = instance().enumerate_adapters(wgpu::Backends::all()).await;
    raw.into_iter()
        .enumerate()
        .map(|(index, raw)| Adapter { info: AdapterInfo::new(index, &raw), raw })
        .collect()
}
