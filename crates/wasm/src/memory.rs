//! Input and output of the job.

use crate::failure::{Failure, Status};
use brickwork_texture::bytemuck;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Memory of the only job.
static JOB: Mutex<JobMemory> =
    Mutex::new(JobMemory { input: Vec::new(), input_bytes: 0, output: Vec::new() });

/// Input and output of a job.
#[derive(Debug)]
pub struct JobMemory {
    /// Words, so that texels of any type are aligned.
    input: Vec<u64>,
    input_bytes: usize,
    output: Vec<u8>,
}

/// Returns the memory of the job.
pub fn job_memory() -> MutexGuard<'static, JobMemory> {
    JOB.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JobMemory {
    /// Reserves the input, and returns its address, or null if there is not enough memory.
    pub fn reserve(&mut self, byte_count: usize) -> *mut u8 {
        self.free();
        let words = byte_count.div_ceil(size_of::<u64>());
        match bytemuck::allocation::try_zeroed_vec(words) {
            Ok(input) => {
                (self.input, self.input_bytes) = (input, byte_count);
                self.input.as_mut_ptr().cast()
            }
            Err(()) => std::ptr::null_mut(),
        }
    }

    /// Calls `job` with the input, and keeps its output or the text of its error.
    pub fn run(&mut self, job: impl FnOnce(&mut [u8]) -> Result<Vec<u8>, Failure>) -> u32 {
        self.output = Vec::new();
        let input: &mut [u8] = bytemuck::cast_slice_mut(&mut self.input);
        let (status, output) = match job(&mut input[..self.input_bytes]) {
            Ok(output) => (Status::Ok, output),
            Err(Failure { status, text }) => (status, text.into_bytes()),
        };
        self.output = output;
        status as u32
    }

    /// Returns the output of the last job.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Frees input and output.
    pub fn free(&mut self) {
        (self.input, self.input_bytes, self.output) = (Vec::new(), 0, Vec::new());
    }
}
