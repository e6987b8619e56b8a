//! Three choices that the papers leave to measurement: the cost of each alternative, with equal results.

use crate::{
    gpu_clock::{Clock, Filler},
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::Result;
use brickwork_gpu::{Binding, Kernel};
use brickwork_texture::gpu::{Context, filled_buffer, wgpu};

/// The cases, their two variants, and the repetitions per thread.
const CHOICES: [(&str, [&str; 2], u32); 3] = [
    ("inverse of a determinant", ["loaded from a table", "divided"], 1024),
    ("clusterings of four", ["loaded from a list", "counted by three loops"], 2),
    ("five bits to eight", ["two factors of integers", "one factor of floats"], 4096),
];

/// Returns all clusterings of four, which cut sixteen texels at i ≤ j ≤ k.
fn clusterings() -> Vec<u32> {
    let cuts = |i: u32, j: u32| (j..=16).map(move |k| i | j << 5 | k << 10);
    (0..=16).flat_map(|i| (i..=16).flat_map(move |j| cuts(i, j))).collect()
}

/// Returns the table of times; `threads` is the number of threads, `rounds` the number of measurements of
/// each.
pub fn run(context: &Context, threads: u32, rounds: usize, filler: &Filler) -> Result<Table> {
    let (device, queue) = (context.device(), context.queue());
    let inverses = (0..577).map(|determinant: u32| (1.0 / determinant.max(1) as f32).to_bits());
    let contents: Vec<u32> = inverses.chain(clusterings()).collect();
    let usage = wgpu::BufferUsages::STORAGE;
    let inputs = filled_buffer(device, "table", bytemuck::cast_slice(&contents), usage);
    let results = context.buffer("results", 4 * u64::from(threads), usage)?;
    let clock = Clock::new(device)?;
    let mut table = Table::new(&[
        Text("choice"),
        Text("way"),
        Number("ms"),
        Number("ns per thread and step"),
        Number("÷ the other"),
    ]);
    for (what, (name, ways, steps)) in (0..).zip(CHOICES) {
        let mut least = [f64::INFINITY; 2];
        filler.warm_up(context)?;
        for round in 0..=rounds {
            for (way, least) in least.iter_mut().enumerate() {
                let kernel = Kernel::new("a choice", &[Binding::Read, Binding::Write])
                    .part(include_str!("choices.wgsl"))
                    .constant("FIRST_CLUSTERING", 577u32)
                    .constant("CLUSTERINGS", 969u32)
                    .with("WHAT", f64::from(what))
                    .with("SECOND", way as f64)
                    .with("ROUNDS", f64::from(steps));
                let pipeline = context.pipeline(&kernel)?;
                let bound = pipeline.bind(device, &[inputs.as_entire_binding(), results.as_entire_binding()]);
                let mut commands = device.create_command_encoder(&Default::default());
                clock.note(&mut commands, 0);
                let mut pass = commands.begin_compute_pass(&Default::default());
                pipeline.dispatch(&mut pass, &bound, threads.div_ceil(64));
                drop(pass);
                clock.note(&mut commands, 1);
                clock.resolve(&mut commands);
                queue.submit([commands.finish()]);
                let took = clock.milliseconds(context)?;
                // The first round compiles.
                if round > 0 {
                    *least = least.min(took);
                }
            }
        }
        let steps = f64::from(steps) * if what == 1 { 969.0 } else { 1.0 };
        for (way, name_of_way) in ways.into_iter().enumerate() {
            table.push([
                name.to_owned(),
                name_of_way.to_owned(),
                format!("{:.3}", least[way]),
                format!("{:.5}", least[way] * 1e6 / f64::from(threads) / steps),
                format!("{:.2}", least[way] / least[1 - way]),
            ]);
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_are_969_clusterings_of_four() {
        assert_eq!(super::clusterings().len(), 969);
    }
}
