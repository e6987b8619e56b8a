//! Input and output of the call, and the open volume.

use crate::{
    failure::{Failure, Status},
    source::Source,
    view::VolumeView,
};
use brickwork_volume::bytemuck;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// State of the module.
static STATE: Mutex<State> =
    Mutex::new(State { input: Vec::new(), output: Vec::new(), source: None, view: None });

/// Input and output of the call, and the open volume.
pub struct State {
    input: Vec<u8>,
    output: Vec<u8>,
    pub source: Option<Source>,
    pub view: Option<VolumeView>,
}

/// Returns the state of the module.
pub fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Reserves the input, and returns its address, or null if there is not enough memory.
    pub fn reserve(&mut self, byte_count: usize) -> *mut u8 {
        self.free();
        match bytemuck::allocation::try_zeroed_vec(byte_count) {
            Ok(input) => {
                self.input = input;
                self.input.as_mut_ptr()
            }
            Err(()) => std::ptr::null_mut(),
        }
    }

    /// Calls `call` with the input, and keeps its output or the text of its error.
    pub fn run(&mut self, call: impl FnOnce(&mut Self, Vec<u8>) -> Result<Vec<u8>, Failure>) -> u32 {
        self.output = Vec::new();
        let input = std::mem::take(&mut self.input);
        let (status, output) = match call(self, input) {
            Ok(output) => (Status::Ok, output),
            Err(Failure { status, text }) => (status, text.into_bytes()),
        };
        self.output = output;
        status as u32
    }

    /// Returns the output of the last call.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Frees input and output.
    pub fn free(&mut self) {
        (self.input, self.output) = (Vec::new(), Vec::new());
    }

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
