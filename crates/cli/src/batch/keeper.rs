//! Outputs on their way to a file and to the cache.

use super::{
    BatchError, BatchFault, Job,
    cache::{Cache, NewObject},
    digest::{Digest, Digesting, digest_of_file},
    outdated::Outdated,
};
use brickwork_base::Task;
use std::{
    io::{self, Write},
    sync::{Mutex, PoisonError},
};

/// Copies the output of a job to the cache, and remembers its digest.
#[derive(Debug)]
pub(super) struct Keeper<'a> {
    cache: &'a Cache,
    outdated: &'a Outdated,
    job: &'a Job,
    digest: Mutex<Option<Digest>>,
}

/// An output that was written completely, but not committed.
pub(super) struct Pending {
    object: Option<NewObject>,
    digest: Digest,
}

impl<'a> Keeper<'a> {
    pub fn new(cache: &'a Cache, outdated: &'a Outdated, job: &'a Job) -> Self {
        Self { cache, outdated, job, digest: Mutex::new(None) }
    }

    /// Returns the digest of the output, once it was written.
    pub fn digest(&self) -> Option<Digest> {
        *self.digest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `write` with a sink that writes to `sink` and to a new object of the cache.
    pub fn tee<E>(
        &self,
        sink: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<Pending, E> {
        let object = self.cache.create(&self.outdated.key);
        let mut tee = Digesting::new(Tee { sink, object, cache: self.cache });
        write(&mut tee)?;
        let (tee, digest, _) = tee.finish();
        Ok(Pending { object: tee.object, digest })
    }

    /// Checks that the inputs have the contents that the key states, if their times cannot show it.
    ///
    /// # Errors
    /// [`BatchFault::Changed`], or the error of an input that cannot be read.
    pub fn check_inputs(&self, task: &Task<'_>) -> Result<(), BatchError> {
        let Outdated { states, inputs, time, .. } = self.outdated;
        for (input, (state, digest)) in self.job.inputs.iter().zip(states.iter().zip(inputs)) {
            if let Some(path) = input.path().filter(|_| !state.is_settled_at(*time))
                && digest_of_file(&input.name(), path, task)? != *digest
            {
                return Err(BatchError::new(input.name(), BatchFault::Changed));
            }
        }
        Ok(())
    }

    /// Completes the object of the cache.
    pub fn commit(&self, pending: Pending) {
        if let Some(object) = pending.object {
            self.cache.commit(object, &self.outdated.key, &pending.digest);
        }
        *self.digest.lock().unwrap_or_else(PoisonError::into_inner) = Some(pending.digest);
    }
}

/// Writes to an output and to an object. A cache that fails does not affect the output.
struct Tee<'a> {
    sink: &'a mut dyn Write,
    object: Option<NewObject>,
    cache: &'a Cache,
}

impl Write for Tee<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.sink.write(bytes)?;
        if let Some(Err(error)) = self.object.as_mut().map(|object| object.write_all(&bytes[..count])) {
            self.cache.fail(&error);
            self.object = None;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
