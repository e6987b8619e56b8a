//! The kernels without a GPU, and bricks on a GPU compared with the CPU's.

use super::{
    BrickJob, brick_kernel, bricks_of_group,
    decoders::{THREADS, with_decode_whole},
    kernels::decoders,
    region::{RegionParams, region_kernel, rows_kernels},
    weights, with_decode_all,
};
use crate::{
    BrickSize, Dims,
    bits::width,
    brick::{BrickBox, MAX_LABEL, WIDE, decode, encode, inspect, predict},
    resident::{Coding, Shape},
};
use brickwork_gpu::{
    Binding, Context, Download, Kernel, filled_buffer, offsets,
    testing::{
        assert_compiled_soon, assert_default_limits, assert_every_language, assert_files_used,
        assert_one_text_per_name, context, layout,
    },
    wgpu::BufferUsages,
};
use std::collections::BTreeSet;

/// Returns a kernel that works like a ray caster: each workgroup decodes two bricks, one after the other, and
/// its lanes read values that other lanes decoded.
fn two_bricks_backwards(size: BrickSize) -> Kernel {
    let bindings = [Binding::Read, Binding::Read, Binding::Read, Binding::Write];
    let name = ["two bricks backwards", "two slices backwards", "two large bricks backwards"]
        [size.voxel_count() / 256];
    with_decode_all(Kernel::new(name, &bindings), Coding::Bricks(size)).part(
        "struct Brick { start: u32, range: u32, minimum: u32, place: u32, inside: u32 }
        @group(0) @binding(0) var<storage, read> words: array<u32>;
        @group(0) @binding(1) var<storage, read> bricks: array<Brick>;
        @group(0) @binding(2) var<storage, read> weights: array<vec2u>;
        @group(0) @binding(3) var<storage, read_write> voxels: array<u32>;
        var<workgroup> kept: array<u32, VOXELS>;
        fn payload(i: u32) -> u32 { return words[i]; }
        fn weights_at(i: u32) -> vec2u { return weights[i]; }
        @compute @workgroup_size(LANES)
        fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
            for (var i = 0u; i < 2u; i++) {
                let brick = bricks[(group.x + i) % arrayLength(&bricks)];
                let inside = (vec3u(brick.inside) >> vec3u(0u, 8u, 16u)) & vec3u(255u);
                decode_all(lane, brick.start, brick.range, inside);
                for (var voxel = lane; voxel < VOXELS; voxel += 64u) {
                    let own = own_values(voxel);
                    kept[voxel] = own.x;
                    kept[voxel + LANES] = own.y;
                }
                workgroupBarrier();
                let at = VOXELS * (2u * group.x + i);
                for (var j = lane; j < VOXELS; j += LANES) {
                    voxels[at + j] = brick.minimum + kept[VOXELS - 1u - j];
                }
                workgroupBarrier();
            }
        }",
    )
}

/// Returns a kernel in which a thread decodes a whole brick in Morton order without a dictionary.
fn whole_bricks() -> Kernel {
    let bindings = [Binding::Read, Binding::Read, Binding::Read, Binding::Write];
    with_decode_whole(Kernel::new("whole bricks", &bindings)).part(
        "struct Brick { start: u32, range: u32, minimum: u32, place: u32, inside: u32 }
        @group(0) @binding(0) var<storage, read> words: array<u32>;
        @group(0) @binding(1) var<storage, read> bricks: array<Brick>;
        @group(0) @binding(2) var<storage, read> weights: array<vec4u>;
        @group(0) @binding(3) var<storage, read_write> voxels: array<vec4u>;
        var<private> brick: Brick;
        fn payload(i: u32) -> u32 { return words[i]; }
        fn row_weights(i: u32) -> vec4u { return weights[i]; }
        fn put_rows(i: u32, first: vec4u, second: vec4u) {
            voxels[brick.place * VOXELS / 4u + 2u * i] = first + vec4u(brick.minimum);
            voxels[brick.place * VOXELS / 4u + 2u * i + 1u] = second + vec4u(brick.minimum);
        }
        @compute @workgroup_size(THREADS)
        fn main(
            @builtin(global_invocation_id) at: vec3u,
            @builtin(local_invocation_index) thread: u32,
        ) {
            stage_weights(thread);
            workgroupBarrier();
            if at.x < arrayLength(&bricks) {
                brick = bricks[at.x];
                decode_whole(brick.start, brick.range);
            }
        }",
    )
}

#[test]
fn every_kernel_becomes_every_language_within_the_default_limits() {
    let kernels =
        [decoders(), BrickSize::ALL.iter().map(|&size| two_bricks_backwards(size)).collect()].concat();
    assert_every_language(&kernels);
    assert_default_limits(&kernels);
    assert_one_text_per_name(&kernels);
    assert!(kernels.iter().all(|text| !text.wgsl().contains("u64") && !text.wgsl().contains("i64")));
}

#[test]
fn kernels_are_compiled_soon() {
    // 4.4 to 13.0 on Mesa 25.0.7 on a busy machine.
    let mut kernels: Vec<_> = BrickSize::ALL.iter().map(|&size| brick_kernel(size)).collect();
    kernels.extend(Coding::ALL.map(|coding| region_kernel(coding, 32, 4)));
    kernels.extend(rows_kernels(16));
    assert_compiled_soon(module_path!(), "kernels_are_compiled_soon", &kernels, &[("", 15.0)]);
}

#[test]
fn structs_lie_in_memory_as_the_kernel_says() {
    let expected =
        offsets!(BrickJob: "start" start, "range" range, "minimum" minimum, "place" place, "inside" inside);
    assert_eq!(layout(&brick_kernel(BrickSize::Four), "Job"), (expected, size_of::<BrickJob>()));
    let kernel = region_kernel(Coding::default(), 16, 1);
    let expected = offsets!(Shape: "voxels" voxels, "bricks" bricks, "superblocks" superblocks);
    assert_eq!(layout(&kernel, "Shape"), (expected, size_of::<Shape>()));
    let expected = offsets!(RegionParams:
        "first" first, "rows" rows, "count" count, "row" row, "slice" slice, "start" start,
        "number_bits" number_bits, "flipped" flipped, "is_float" is_float, "first_page" first_page,
        "words" words, "word" word);
    assert_eq!(layout(&kernel, "Region"), (expected, size_of::<RegionParams>()));
}

/// Marsaglia's xorshift.
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    fn below(&mut self, end: u32) -> u32 {
        self.next() % end
    }
}

/// Returns values in 0..=`range` that one predictor guesses well, except for noise of `noise` bits.
fn predicted(dims: Dims, predictor: usize, range: u32, noise: u32, random: &mut Random) -> Vec<u32> {
    let count = dims.x * dims.y * dims.z;
    let mut values = vec![random.next() & range; count];
    for i in 1..count {
        let (weights, is_wide) = match range >= WIDE {
            true => (predict::wide_weights(predictor, predict::class(i, dims)), true),
            false => (predict::weights(predictor, i, dims), false),
        };
        let of_range = i64::from(weights[7]) * i64::from(range);
        let sum = predict::backs(dims).iter().zip(weights).fold(of_range, |sum, (&back, weight)| {
            if weight == 0 { sum } else { sum + i64::from(weight) * i64::from(values[i - back]) }
        });
        let prediction = if is_wide { sum } else { (sum + 8) >> 4 };
        let error = i64::from(random.next() >> (32 - noise.max(1))) - (1 << noise.max(1) >> 1);
        values[i] = (prediction + error).clamp(0, range.into()) as u32;
    }
    values
}

/// Bricks on end: their bytes, jobs and values.
struct Bricks {
    size: BrickSize,
    bytes: Vec<u8>,
    jobs: Vec<BrickJob>,
    voxels: Vec<u32>,
}

impl Bricks {
    /// Returns the positions of the brick's voxels in the volume.
    fn places(&self, brick: usize) -> Vec<u16> {
        let side = |shift: u32| (self.jobs[brick].inside >> shift & 255) as usize;
        let inside = Dims::new(side(0), side(8), side(16));
        let part = BrickBox::at(self.size, (0, 0, 0), inside).expect("voxels");
        part.places(false)[..part.count()].to_vec()
    }
}

/// Returns bricks with every kind of content and every width of range, and their coding.
fn bricks(size: BrickSize) -> Bricks {
    let mut made = Bricks { size, bytes: vec![0xff; 3], jobs: Vec::new(), voxels: Vec::new() };
    let mut seen = Seen::default();
    let (dims, count) = (size.dims(), size.voxel_count() as u32);
    // With the last seeds, whole bricks are sparse.
    for seed in (0..6000u32).chain(6912..7552) {
        let mut random = Random(seed * 2 + 1);
        let bits = 1 + seed % 32;
        let most = u32::MAX >> (32 - bits);
        // Every other brick is of this width, the rest of the maximum.
        let range = if seed % 2 == 0 { most } else { most - random.next() % (most / 2 + 1) };
        let mut values: Vec<u32> = match seed / 32 % 6 {
            _ if seed >= 6000 => {
                // One block in eight has values other than 0.
                let blocks = [(); 3].map(|()| u64::from(random.next()) << 32 | u64::from(random.next()));
                let blocks = blocks.iter().fold(u64::MAX, |blocks, of| blocks & of);
                let mut value = |(x, y, z): (usize, usize, usize)| {
                    let block = x / 4 + 4 * (y / 2) + 16 * (z / 2);
                    if blocks >> block & 1 == 1 { random.next() } else { 0 }
                };
                (0..count as usize).map(|i| value(dims.position(i))).collect()
            }
            0 => (0..count).map(|_| random.next()).collect(),
            1 => (0..count).map(|i| i % 4 * 3 + i / 4 % 4 * 5 + i / 16 * 7 + random.below(4)).collect(),
            2 => (0..count).map(|_| range - (random.next() >> random.below(32)).min(range)).collect(),
            3 => (0..count).map(|i| [0, range / 5, range / 3, range][(i / 7 % 4) as usize]).collect(),
            _ => predicted(dims, (seed / 192 % 16) as usize, range, random.below(bits), &mut random),
        };
        for value in &mut values {
            *value = if range == u32::MAX { *value } else { *value % (range + 1) };
        }
        // Half of the bricks are cut off somewhere, to at least two voxels; the part outside repeats the
        // edge.
        let cut = seed / 1152 % 2 == 1;
        let mut side = |side: usize| if cut { 1 + random.below(side as u32) as usize } else { side };
        let mut inside = Dims::new(side(dims.x), side(dims.y), side(dims.z));
        if inside == Dims::cube(1) {
            inside.x = 2;
        }
        let part = BrickBox::at(size, (0, 0, 0), inside).expect("voxels");
        put_ends(&mut values, range, part, seed as usize);
        let [x, y, z] = [inside.x, inside.y, inside.z].map(|side| side as u32);
        let minimum = if range == u32::MAX { 0 } else { random.below(u32::MAX - range) };
        let (start, place) = (made.bytes.len() as u32, made.jobs.len() as u32);
        made.jobs.push(BrickJob { start, range, minimum, place, inside: x | y << 8 | z << 16 });
        encode::without_labels(&values, range, part, &mut made.bytes);
        if seed % 100 == 0 {
            // A brick of one value.
            made.jobs.last_mut().expect("a brick").range = 0;
            made.bytes.truncate(start as usize);
            values.fill(0);
        } else {
            seen.add(&made.bytes, start as usize, range, part, &values);
        }
        made.voxels.extend(values.iter().map(|value| value + minimum));
    }
    seen.assert_all(size);
    made
}

/// Puts 0 and `range` among the values inside, and repeats the edge outside.
fn put_ends(values: &mut [u32], range: u32, part: BrickBox, seed: usize) {
    let places = &part.places(false)[..part.count()];
    values[usize::from(places[seed % places.len()])] = 0;
    let other = seed + 1 + seed % (places.len() - 1);
    values[usize::from(places[other % places.len()])] = range;
    part.repeat_edge(values);
}

/// Returns bricks of 8³ with 2 to 17 labels: in blocks of every size and with noise, half of them with gaps
/// between the labels, half of them cut off. Some are coded without label bricks.
fn bricks_of_labels() -> Bricks {
    let size = BrickSize::Eight;
    let (dims, count) = (size.dims(), size.voxel_count());
    let mut made = Bricks { size, bytes: vec![0xff; 3], jobs: Vec::new(), voxels: Vec::new() };
    let (mut seen, mut sorted) = (BTreeSet::new(), 0);
    for seed in 0..1920u32 {
        let mut random = Random(seed * 2 + 1);
        let last = 1 + seed % MAX_LABEL;
        // Only a dictionary gives numbers of this range to few labels.
        let range = if seed / 16 % 2 == 0 { last } else { u32::MAX >> random.below(16) };
        let noise = [500, 30, 3][(seed / 64 % 3) as usize];
        let block = 1 + (seed / 192 % 5) as usize;
        let labels: Vec<u32> = (0..1000).map(|_| random.next() % (last + 1)).collect();
        let offset = [(); 3].map(|()| random.below(4) as usize);
        let mut values = Vec::with_capacity(count);
        for i in 0..count {
            let (x, y, z) = dims.position(i);
            let along = |axis: usize, at: usize| (at + offset[axis]) / block;
            let in_block = labels[along(0, x) % 10 + 10 * (along(1, y) % 10) + 100 * (along(2, z) % 10)];
            let label = if random.below(noise) == 0 { random.below(last + 1) } else { in_block };
            values.push(if label == last { range } else { label * (range / last) });
        }
        let cut = seed / 32 % 2 == 1;
        let mut side = || if cut { 1 + random.below(8) as usize } else { 8 };
        let mut inside = Dims::new(side(), side(), side());
        if inside == Dims::cube(1) {
            inside.x = 2;
        }
        let part = BrickBox::at(size, (0, 0, 0), inside).expect("voxels");
        put_ends(&mut values, range, part, seed as usize);
        let [x, y, z] = [inside.x, inside.y, inside.z].map(|side| side as u32);
        let minimum = if range == u32::MAX { 0 } else { random.below(u32::MAX - range) };
        let (start, place) = (made.bytes.len(), made.jobs.len() as u32);
        let inside = x | y << 8 | z << 16;
        made.jobs.push(BrickJob { start: start as u32, range, minimum, place, inside });
        let encode = if seed % 7 == 0 { encode::without_labels } else { encode::brick };
        encode(&values, range, part, &mut made.bytes);
        if let Some((last, has_dictionary)) = label_brick(&made.bytes[start..], range) {
            seen.insert((has_dictionary, part.is_whole(), last));
            if made.bytes[start] & 15 == 2 && seed % 2 == 0 {
                // No encoder chooses predictor 15. It has the weights of predictor 2, and the same order.
                made.bytes[start] |= 15;
                sorted += 1;
            }
        }
        made.voxels.extend(values.iter().map(|value| value + minimum));
    }
    println!("{seen:?}, {sorted} with predictor 15");
    assert!(sorted > 5, "{sorted} with predictor 15");
    for (has_dictionary, is_whole) in [(false, false), (false, true), (true, false), (true, true)] {
        let alike = seen.iter().filter(|found| (found.0, found.1) == (has_dictionary, is_whole));
        let of: BTreeSet<u32> = alike.map(|found| found.2).collect();
        assert!(of.len() > 8, "dictionary {has_dictionary}, whole {is_whole}: {of:?}");
    }
    assert!((1..=MAX_LABEL).all(|last| seen.iter().any(|found| found.2 == last)));
    made
}

/// If these are the bytes of a label brick of 8³, returns its last label and whether it has a dictionary.
fn label_brick(bytes: &[u8], range: u32) -> Option<(u32, bool)> {
    let bit = |at: u32| u32::from(bytes[at as usize / 8] >> (at % 8) & 1);
    let bits = |at: u32, count: u32| (0..count).fold(0, |bits, i| bits | bit(at + i) << i);
    let has_dictionary = range > 1 && bit(4) == 1;
    let (mut last, mut at) = (range, 4 + u32::from(range > 1));
    if has_dictionary {
        last = 1 + bits(at, 4);
        at += 4 + (last - 1) * width(range);
    }
    let base_bits = width(2 * width(last) - 1);
    let levels = base_bits + base_bits.min(2);
    (last <= MAX_LABEL && bits(at, levels) == (1 << levels) - 1).then_some((last, has_dictionary))
}

/// The codings of the bricks.
#[derive(Debug, Default)]
struct Seen {
    predictors: BTreeSet<usize>,
    wide_predictors: BTreeSet<usize>,
    predictors_of_dictionaries: BTreeSet<usize>,
    range_bits: BTreeSet<u32>,
    /// Rice levels of groups: level 0, and 1 + 2k + t.
    rice_levels: BTreeSet<u32>,
    /// The greatest difference of two groups' levels.
    differences: BTreeSet<u32>,
}

impl Seen {
    fn add(&mut self, bytes: &[u8], start: usize, range: u32, part: BrickBox, values: &[u32]) {
        // The inspector reads past the end.
        let mut padded = bytes[start..].to_vec();
        padded.resize(padded.len() + 16, 0);
        let found = inspect::brick(&padded, 0, range, part, values, &mut vec![0; part.count()])
            .expect("a sound brick");
        if found.has_dictionary {
            self.predictors_of_dictionaries.insert(found.predictor);
        } else if found.is_wide {
            self.wide_predictors.insert(found.predictor);
        } else {
            self.predictors.insert(found.predictor);
        }
        self.range_bits.insert(width(range));
        let levels = &found.rice_levels[..part.count().div_ceil(8)];
        self.rice_levels.extend(levels);
        let ends = levels.iter().min().zip(levels.iter().max());
        self.differences.extend(ends.map(|(least, most)| most - least));
    }

    fn assert_all(&self, size: BrickSize) {
        println!("{self:?}");
        assert_eq!(self.predictors, (0..predict::COUNT).collect());
        // The other predictors equal the gradient, which encoders write as 2; in a slice, those along z also
        // do.
        let mut wide = BTreeSet::from([0, 2, 3, 4, 5, 6, 7, 8, predict::SORTED]);
        wide.retain(|predictor| size != BrickSize::Flat || !(5..9).contains(predictor));
        assert_eq!(self.wide_predictors, wide);
        assert!(self.predictors_of_dictionaries.len() > 4);
        assert_eq!(self.range_bits, (1..=32).collect());
        // Every k with a whole and with a half step.
        assert_eq!(self.rice_levels, (0..=62).collect());
        // Deltas of 0 to 3 bits.
        assert!([0, 1, 2, 4].iter().all(|difference| self.differences.contains(difference)));
        // Groups of zeros beside large codes.
        assert!(size != BrickSize::Eight || self.differences.contains(&7));
    }
}

/// Returns the output of a kernel of `groups` workgroups for the bricks.
fn decoded(context: &Context, kernel: &Kernel, bricks: &Bricks, groups: u32, voxels: usize) -> Vec<u32> {
    let mut bytes = bricks.bytes.clone();
    bytes.resize(bytes.len().next_multiple_of(4) + 4, 0);
    let pipeline = context.pipeline(kernel).expect("the kernel compiles");
    let size = 4 * voxels as u64;
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
    let voxels = context.buffer("voxels", size, usage).expect("memory");
    let run = || {
        let device = context.device();
        let filled = |name, bytes: &[u8]| filled_buffer(device, name, bytes, BufferUsages::STORAGE);
        let words = filled("bricks", &bytes);
        let jobs = filled("jobs", bytemuck::cast_slice(&bricks.jobs));
        let weights = filled("weights", &weights(bricks.size));
        let bound = pipeline
            .bind(device, &[&words, &jobs, &weights, &voxels].map(|buffer| buffer.as_entire_binding()));
        let mut commands = device.create_command_encoder(&Default::default());
        pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, groups);
        context.queue().submit([commands.finish()]);
    };
    context.checked("decoding", run).expect("a sound kernel");
    let back = Download::new(context, &voxels, 0..size).and_then(|d| d.wait(context)).expect("read back");
    bytemuck::pod_collect_to_vec(&back)
}

#[test]
fn every_predictor_dictionary_rice_level_and_width_is_decoded_as_encoded() {
    for &size in BrickSize::ALL {
        let bricks = bricks(size);
        let Some(context) = context() else { return };
        assert_decoded(&context, &bricks);
    }
}

#[test]
fn label_bricks_are_decoded_as_encoded() {
    let bricks = bricks_of_labels();
    let Some(context) = context() else { return };
    assert_decoded(&context, &bricks);
    assert_decoded_backwards(&context, &bricks, bricks.jobs.len() as u32);
}

/// Compares the output of the kernel that decodes bricks of a list.
fn assert_decoded(context: &Context, bricks: &Bricks) {
    let (size, count) = (bricks.size, bricks.size.voxel_count());
    let groups = (bricks.jobs.len() as u32).div_ceil(bricks_of_group(size));
    let found = decoded(context, &brick_kernel(size), bricks, groups, bricks.voxels.len());
    for (i, (found, expected)) in found.chunks(count).zip(bricks.voxels.chunks(count)).enumerate() {
        for place in bricks.places(i) {
            let (place, job) = (usize::from(place), bricks.jobs[i]);
            assert_eq!(found[place], expected[place], "{size}, brick {i}, voxel {place}: {job:?}");
        }
    }
}

#[test]
fn whole_bricks_in_morton_order_are_decoded_as_encoded() {
    let Some(context) = context() else { return };
    let (size, all) = (BrickSize::Four, bricks(BrickSize::Four));
    let mut some = Bricks { size, bytes: all.bytes.clone(), jobs: Vec::new(), voxels: Vec::new() };
    for (job, voxels) in all.jobs.iter().zip(all.voxels.chunks(64)) {
        let head = usize::from(all.bytes.get(job.start as usize).copied().unwrap_or(0));
        let has_dictionary = job.range > 1 && head & 16 != 0;
        let is_in_groups = head & 15 != predict::SORTED && !has_dictionary;
        let is_narrow = (1..65536).contains(&job.range);
        if is_narrow && is_in_groups && job.inside == BrickJob::whole(size) {
            some.jobs.push(BrickJob { place: some.jobs.len() as u32, ..*job });
            some.voxels.extend(voxels);
        }
    }
    println!("{} bricks", some.jobs.len());
    assert!(some.jobs.len() > 800);
    let groups = (some.jobs.len() as u32).div_ceil(THREADS);
    let found = decoded(&context, &whole_bricks(), &some, groups, some.voxels.len());
    for (i, (found, expected)) in found.chunks(64).zip(some.voxels.chunks(64)).enumerate() {
        assert_eq!(found, expected, "brick {i}: {:?}", some.jobs[i]);
    }
}

#[test]
fn a_kernel_may_decode_brick_after_brick() {
    for &size in BrickSize::ALL {
        let Some(context) = context() else { return };
        assert_decoded_backwards(&context, &bricks(size), 2000);
    }
}

/// Compares the output of `groups` workgroups that decode two bricks each.
fn assert_decoded_backwards(context: &Context, bricks: &Bricks, groups: u32) {
    let (size, count) = (bricks.size, bricks.size.voxel_count());
    let voxels = 2 * count * groups as usize;
    let found = decoded(context, &two_bricks_backwards(size), bricks, groups, voxels);
    for (i, found) in found.chunks(count).enumerate() {
        let brick = (i / 2 + i % 2) % bricks.jobs.len();
        let expected = &bricks.voxels[count * brick..][..count];
        for place in bricks.places(brick) {
            let place = usize::from(place);
            let job = bricks.jobs[brick];
            assert_eq!(found[count - 1 - place], expected[place], "{size}, brick {brick}: {job:?}");
        }
    }
}

/// Reads bricks longer than any encoder writes: the maximum number of ones in the bit planes, and remainders.
/// Only zeros follow them.
#[test]
fn the_longest_bricks_are_read_to_their_end() {
    for &size in BrickSize::ALL {
        let Some(context) = context() else { return };
        // Predictor 0, no dictionary, no differences of levels: range, bits of the base level, this and its
        // k.
        let cases = [(63u32, 4, 1u64, 0), (u32::MAX, 6, 53, 26)];
        let count = size.voxel_count();
        let mut bricks = Bricks { size, bytes: Vec::new(), jobs: Vec::new(), voxels: Vec::new() };
        for (place, (range, base_bits, base, k)) in (0..).zip(cases) {
            let start = bricks.bytes.len() as u32;
            bricks.jobs.push(BrickJob { start, range, minimum: 0, place, inside: BrickJob::whole(size) });
            let header_bits = 4 + 1 + base_bits + 2;
            let ones = (width(range) as usize - k) + 63 * (count - 1);
            let planes_end = (header_bits + ones).next_multiple_of(8);
            let end = planes_end + count * k;
            let mut bits = vec![false; end.next_multiple_of(8) + 8 * 1100];
            bits[header_bits..end].fill(true);
            for i in 0..base_bits {
                bits[5 + i] = base >> i & 1 == 1;
            }
            let byte = |bits: &[bool; 8]| (0..8).fold(0, |byte, i| byte | u8::from(bits[i]) << i);
            bricks.bytes.extend(bits.as_chunks::<8>().0.iter().map(byte));
            bricks.voxels.extend(vec![range; count]);
            let mut values = vec![0; count];
            decode::brick(&bricks.bytes, start as usize, range, BrickBox::whole(size), &mut values)
                .expect("a brick");
            assert_eq!(values, vec![range; count]);
        }
        let found = decoded(&context, &brick_kernel(size), &bricks, 2, 2 * count);
        assert_eq!(found, bricks.voxels, "{size}");
    }
}

#[test]
fn every_file_is_used_and_uses_what_it_needs() {
    assert_files_used(&crate::wgsl::WGSL, &super::kernels());
}
