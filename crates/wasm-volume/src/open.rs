//! The open volume.

use crate::{failure::Failure, memory, source::Source, view::VolumeView};
use std::sync::{Mutex, PoisonError};

static OPEN: Mutex<Open> = Mutex::new(Open { source: None, view: None });

/// The open file, and the part of it that is loaded.
pub struct Open {
    pub source: Option<Source>,
    pub view: Option<VolumeView>,
}

/// Calls `call` with the open volume and the input, and keeps its output or the text of its error.
pub fn run(call: impl FnOnce(&mut Open, Vec<u8>) -> Result<Vec<u8>, Failure>) -> u32 {
    memory::run(|input| call(&mut OPEN.lock().unwrap_or_else(PoisonError::into_inner), input))
}

impl Open {
    /// Returns the open file.
    pub fn source(&mut self) -> Result<&mut Source, Failure> {
        self.source.as_mut().ok_or_else(no_file)
    }

    /// Returns the loaded part.
    pub fn view(&mut self) -> Result<&mut VolumeView, Failure> {
        self.view.as_mut().ok_or_else(no_part)
    }

    /// Returns the open file, and the loaded part or its absence as an error.
    pub fn source_and_view(&mut self) -> Result<(&Source, Result<&mut VolumeView, Failure>), Failure> {
        let source = self.source.as_ref().ok_or_else(no_file)?;
        Ok((source, self.view.as_mut().ok_or_else(no_part)))
    }
}

fn no_file() -> Failure {
    Failure::argument("no file is open")
}

fn no_part() -> Failure {
    Failure::argument("no part of the volume is loaded")
}
