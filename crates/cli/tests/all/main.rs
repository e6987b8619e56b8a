//! The program as its users run it: one binary of tests, so that it is linked once.

mod assemble;
mod audit;
mod batch;
mod cache;
mod cache_upkeep;
mod common;
mod compare;
mod compare_rules;
mod convert;
#[cfg(feature = "gpu")]
mod device;
#[path = "../../../formats/tests/all/dicom_file.rs"]
mod dicom_file;
mod encode;
mod engines;
mod extract;
mod families;
mod formats_page;
mod guide;
mod hdr;
mod help_examples;
mod hints;
mod json;
mod json_schemas;
mod levels;
mod nifti;
mod outputs;
mod packing;
mod plain_formats;
mod premultiply;
mod python;
mod rdo_target;
mod report;
mod report_folders;
mod roughness;
mod rules;
mod rules_and_options;
#[cfg(feature = "serve")]
mod serve;
mod swizzle;
mod total_size;
mod transfer;
mod validate;
mod verbs;
mod view;
mod volume;
mod volume_convert;
mod volume_formats;
mod volume_inputs;
mod volume_memory;
mod volume_physical;
mod volume_render;
mod volume_zarr;
mod watch;
mod words;
