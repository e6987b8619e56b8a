//! Devices that encode.

use crate::{
    pointer::{Handle, In, NewHandle, Text},
    status::{Failure, Status, guarded},
};
use brickwork_texture::{EncodeError, Encoder};
use brickwork_toolkit::device::{AdapterChoice, DeviceChoice, Devices};
use std::{
    ffi::{CString, c_char},
    sync::OnceLock,
};

/// `brickwork_device`
#[derive(Debug)]
pub struct Device {
    devices: Devices,
    name: OnceLock<CString>,
}

impl Drop for Device {
    fn drop(&mut self) {
        self.devices.save_kernels();
    }
}

impl Device {
    /// Returns the devices of the choice.
    pub fn devices(&self) -> &Devices {
        &self.devices
    }
}

/// Encodes with a device, or with the CPU if none is given.
pub fn encode<R>(
    device: Option<&Device>,
    texels: u64,
    mut encode: impl FnMut(&Encoder) -> Result<R, EncodeError>,
) -> Result<R, EncodeError> {
    match device {
        Some(device) => device.devices.encode(texels, encode).map(|done| done.result),
        None => encode(&Encoder::default()),
    }
}

/// Opens a device.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_device_open(choice: Text, mut device: NewHandle<Device>) -> Status {
    guarded(|| {
        device.fill("device", || {
            let choice = match choice.get() {
                None => DeviceChoice::Auto,
                Some(_) => match choice.utf8("choice")? {
                    "auto" => DeviceChoice::Auto,
                    "cpu" => DeviceChoice::Cpu,
                    "gpu" => DeviceChoice::Gpu(AdapterChoice::Best),
                    "" => return Err(Failure::argument("choice is empty, expected auto, cpu, gpu or a GPU")),
                    adapter => DeviceChoice::Gpu(AdapterChoice::parse(adapter)),
                },
            };
            Ok(Device { devices: Devices::open(choice)?, name: OnceLock::new() })
        })
    })
}

/// Returns the device's name.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_device_name(device: In<Device>) -> *const c_char {
    let mut name = c"CPU".as_ptr();
    // The name stays if opening a GPU panics.
    let _ = guarded(|| {
        if let Some(device) = device.get("device")? {
            let make = || CString::new(device.devices.device().name().replace('\0', " ")).unwrap_or_default();
            name = device.name.get_or_init(make).as_ptr();
        }
        Ok(())
    });
    name
}

/// Ends the handle.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_device_free(device: Handle<Device>) {
    let _ = guarded(|| {
        device.free();
        Ok(())
    });
}
