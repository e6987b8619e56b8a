//! The codecs that run in Python: one process per volume, which answers one question after the other
//! (`peers.py`).

use super::{
    codecs::{Codec, Kind, Outcome, Pass, ROUND_SECONDS},
    volume::Sample,
};
use anyhow::{Context as _, Result};
use brickwork_volume::Dims;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// A Python process that holds the voxels of one volume.
pub struct Python {
    process: Result<Running, String>,
    /// By module.
    pub versions: BTreeMap<String, String>,
}

struct Running {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Python's output: the measurements, or the reason why there are none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Answer {
    missing: Option<String>,
    versions: BTreeMap<String, String>,
    bytes: u64,
    voxels: u64,
    encode: f64,
    decode: f64,
    seconds: f64,
    /// True if the decoded voxels equal the input.
    same: bool,
    note: Option<String>,
}

impl Python {
    /// Starts `python3` and sends it `voxels`. If that fails, the answer to every request has the reason.
    pub fn start<T: Sample>(voxels: &[T], dims: Dims) -> Self {
        let mut process = Running::new(voxels, dims).map_err(|error| format!("{error:#}"));
        let hello = process.as_mut().map_err(|why| why.clone()).and_then(Running::answer);
        match hello {
            Ok(hello) => Self { process, versions: hello.versions },
            Err(why) => Self { process: Err(why), versions: BTreeMap::new() },
        }
    }

    /// Returns an interface without a process: every request fails with this reason.
    pub fn none() -> Self {
        Self { process: Err("no Python was started".to_owned()), versions: BTreeMap::new() }
    }

    fn ask(&mut self, question: &Value) -> Result<Answer, String> {
        let running = self.process.as_mut().map_err(|why| why.clone())?;
        let answer = running.ask(question)?;
        match answer.missing {
            Some(why) => Err(why),
            None if !answer.same => Err("decodes to other voxels".to_owned()),
            None => Ok(answer),
        }
    }

    /// Returns the CPU seconds for one of the chunks of 16³ voxels with these numbers, counted x fastest, or
    /// a reason for their absence.
    pub fn chunks(&mut self, numbers: &[usize]) -> Result<f64, String> {
        let answer = self.ask(&json!({ "codec": "blosc2 chunks", "numbers": numbers }))?;
        Ok(answer.seconds / numbers.len() as f64)
    }
}

impl Running {
    fn new<T: Sample>(voxels: &[T], dims: Dims) -> Result<Self> {
        let mut child = Command::new("python3")
            .args(["-c", include_str!("peers.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("python3 cannot be started")?;
        let mut questions = child.stdin.take().context("no pipe to python3")?;
        let answers = BufReader::new(child.stdout.take().context("no pipe from python3")?);
        let head = json!({
            "dtype": T::DTYPE,
            "shape": [dims.z, dims.y, dims.x],
            "bytes": size_of_val(voxels),
            "seconds": ROUND_SECONDS,
        });
        let sent =
            writeln!(questions, "{head}").and_then(|()| questions.write_all(bytemuck::cast_slice(voxels)));
        let running = Self { child, questions: Some(questions), answers };
        sent.context("python3 takes no voxels")?;
        Ok(running)
    }

    fn ask(&mut self, question: &Value) -> Result<Answer, String> {
        let questions = self.questions.as_mut().ok_or("python3 has ended")?;
        writeln!(questions, "{question}").map_err(|error| format!("python3 takes no question: {error}"))?;
        self.answer()
    }

    fn answer(&mut self) -> Result<Answer, String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(0) => Err("python3 has ended".to_owned()),
            Ok(_) => serde_json::from_str(&line).map_err(|error| format!("python3 says {line:?}: {error}")),
            Err(error) => Err(format!("python3 says nothing: {error}")),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It ends when there are no more requests.
        self.questions = None;
        let _ = self.child.wait();
    }
}

/// Returns the codec of `kind`, if it runs in Python.
pub fn codec(kind: Kind, python: &RefCell<Python>) -> Option<Codec<'_>> {
    let question = match kind {
        Kind::Blosc2(chunk, block) => json!({ "codec": "blosc2", "chunk": chunk, "block": block }),
        Kind::JpegLs => json!({ "codec": "jpegls" }),
        Kind::JpegXl(effort) => json!({ "codec": "jpegxl", "effort": effort }),
        Kind::Brickwork(_) | Kind::Paper | Kind::Zstd(_) | Kind::Pco => return None,
    };
    let run = move || {
        Ok(match python.borrow_mut().ask(&question) {
            Ok(answer) => Outcome::Measured(Pass {
                byte_count: answer.bytes,
                voxel_count: answer.voxels,
                encode_seconds: answer.encode,
                decode_seconds: answer.decode,
                note: answer.note,
            }),
            Err(why) => Outcome::Missing(why),
        })
    };
    Some(Codec { kind, run: Box::new(run) })
}
