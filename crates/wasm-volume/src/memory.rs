//! Input and output of the call.

use crate::failure::{Failure, Status};
use brickwork_volume::bytemuck;
use std::sync::{Mutex, MutexGuard, PoisonError};

static STATE: Mutex<State> = Mutex::new(State { input: Vec::new(), output: Vec::new() });

/// Input and output of the call.
pub struct State {
    input: Vec<u8>,
    output: Vec<u8>,
}

/// Returns the state of the module.
pub fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `call` with the input, and keeps its output or the text of its error. Returns its status.
pub fn run(call: impl FnOnce(Vec<u8>) -> Result<Vec<u8>, Failure>) -> u32 {
    let input = state().take_input();
    let (status, output) = match call(input) {
        Ok(output) => (Status::Ok, output),
        Err(Failure { status, text }) => (status, text.into_bytes()),
    };
    state().output = output;
    status as u32
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

    /// Returns the input, and frees the output of the last call.
    fn take_input(&mut self) -> Vec<u8> {
        self.output = Vec::new();
        std::mem::take(&mut self.input)
    }

    /// Returns the output of the last call.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Frees input and output.
    pub fn free(&mut self) {
        (self.input, self.output) = (Vec::new(), Vec::new());
    }
}
