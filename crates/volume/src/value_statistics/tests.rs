//! Statistics against numbers computed by hand, and against sorted values.

use super::*;
use crate::{ByteOrder, Dims, Region, ShapeError, Spacing, Threads, Voxel, VoxelStreamError, VoxelType};
use std::io::{self, Cursor, Read, Seek, SeekFrom};

fn bytes<T: Voxel>(voxels: &[T]) -> Cursor<Vec<u8>> {
    Cursor::new(bytemuck::cast_slice(voxels).to_vec())
}

fn header(voxel_type: VoxelType, dims: [usize; 3]) -> Header {
    Header::new(voxel_type, Dims::new(dims[0], dims[1], dims[2]))
}

fn measured<T: Voxel>(
    voxels: &[T],
    header: &Header,
    labels: Option<(&[u8], &Header)>,
    options: &ValueStatisticsOptions,
) -> Result<Vec<PartStatistics>, StatisticsError> {
    let (mut voxels, mut own) = (bytes(voxels), labels.map(|(labels, _)| bytes(labels)));
    let source = VoxelSource::new(&mut voxels, ByteOrder::NATIVE, header);
    let labels = own.as_mut().zip(labels);
    let labels = labels.map(|(stream, (_, header))| VoxelSource::new(stream, ByteOrder::NATIVE, header));
    value_statistics(source, labels, options, &Task::new())
}

fn finite(values: &ValueStatistics) -> &FiniteStatistics {
    values.finite.as_ref().expect("finite values")
}

fn quartiles() -> ValueStatisticsOptions {
    ValueStatisticsOptions::default().with(|o| o.percentiles = vec![0.0, 25.0, 50.0, 75.0, 100.0])
}

#[test]
fn counts_means_and_percentiles_are_those_of_the_values() {
    // Channel 0: 1 2 3 4, channel 1: 10 10 10 30, then a second frame.
    let voxels: [u8; 16] = [1, 10, 2, 10, 3, 10, 4, 30, 0, 7, 0, 7, 0, 7, 0, 7];
    let header = header(VoxelType::U8, [2, 2, 1]).with(|h| (h.channels, h.frames) = (2, 2));
    let options = quartiles().with(|o| o.bins = Some(2));
    let found = measured(&voxels, &header, None, &options).expect("four parts");
    let at: Vec<_> = found.iter().map(|part| (part.frame, part.channel)).collect();
    assert_eq!(at, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    let first = finite(&found[0].values);
    assert_eq!((first.minimum, first.maximum, first.mean), (1.0, 4.0, 2.5));
    // ((1.5² + 0.5²) · 2 / 4)^½
    assert_eq!(first.deviation, 1.25f64.sqrt());
    assert_eq!(first.percentiles, [1.0, 1.75, 2.5, 3.25, 4.0]);
    let histogram = found[0].histogram.as_ref().expect("bins");
    assert_eq!((&histogram.edges[..], &histogram.counts[..]), (&[1.0, 2.5, 4.0][..], &[2, 2][..]));
    let second = finite(&found[1].values);
    assert_eq!((second.mean, second.deviation), (15.0, 75f64.sqrt()));
    assert_eq!(second.percentiles, [10.0, 10.0, 10.0, 15.0, 30.0]);
    // One value: its range is widened by half to both sides.
    let histogram = found[3].histogram.as_ref().expect("bins");
    assert_eq!((&histogram.edges[..], &histogram.counts[..]), (&[6.5, 7.0, 7.5][..], &[0, 4][..]));
    assert_eq!(finite(&found[3].values).deviation, 0.0);
    let some = options.with(|o| (o.frames, o.channel) = (Some(1..2), Some(0)));
    assert_eq!(measured(&voxels, &header, None, &some).expect("a part"), found[2..3]);
}

#[test]
fn nan_and_infinities_are_counted_and_left_out() {
    let voxels = [f32::NAN, 1.0, f32::INFINITY, -3.0, f32::NEG_INFINITY, 8.0, -f32::NAN, f32::NAN];
    let header = header(VoxelType::F32, [2, 2, 2]);
    let options = quartiles().with(|o| (o.bins, o.range) = (Some(2), Some([-3.0, 1.0])));
    let found = measured(&voxels, &header, None, &options).expect("a part").remove(0);
    assert_eq!((found.values.count, found.values.nan, found.values.infinite), (8, 3, 2));
    let values = finite(&found.values);
    assert_eq!((values.minimum, values.maximum, values.mean), (-3.0, 8.0, 2.0));
    assert_eq!(values.percentiles, [-3.0, -1.0, 1.0, 4.5, 8.0]);
    // The last bin contains its upper limit; 8 is outside.
    assert_eq!(found.histogram.expect("bins").counts, [1, 1]);
    let none = measured(&[f32::NAN; 8], &header, None, &options.with(|o| o.range = None)).expect("a part");
    assert_eq!((none[0].values.finite.as_ref(), none[0].histogram.as_ref()), (None, None));
}

#[test]
fn physical_values_may_be_reversed_or_differ_by_slice() {
    let dicom = |text: &str| {
        let metadata = format!("{{\"dicom\":{text}}}");
        header(VoxelType::I16, [2, 1, 2]).with(|h| h.metadata = metadata)
    };
    let voxels = [1i16, 2, 3, 5];
    let reversed = dicom(r#"{"RescaleSlope":-2,"RescaleIntercept":1}"#);
    let found = measured(&voxels, &reversed, None, &quartiles()).expect("a part");
    let values = finite(&found[0].values);
    // -1, -3, -5, -9
    assert_eq!((values.minimum, values.maximum, values.mean), (-9.0, -1.0, -4.5));
    assert_eq!(values.percentiles, [-9.0, -6.0, -4.0, -2.5, -1.0]);
    assert_eq!(values.deviation, 8.75f64.sqrt());
    let stored = quartiles().with(|o| o.stored_values = true);
    let found = measured(&voxels, &reversed, None, &stored).expect("a part");
    assert_eq!(finite(&found[0].values).percentiles, [1.0, 1.75, 2.5, 3.5, 5.0]);
    // A wide type takes the other way.
    let wide = reversed.clone().with(|h| h.voxel_type = VoxelType::I32);
    let found = measured(&voxels.map(i32::from), &wide, None, &quartiles()).expect("a part");
    assert_eq!(finite(&found[0].values).percentiles, [-9.0, -6.0, -4.0, -2.5, -1.0]);
    // 1, 2, then 30, 50.
    let by_slice = dicom(r#"{"RescaleSlope":[1,10]}"#);
    let found = measured(&voxels, &by_slice, None, &quartiles()).expect("a part");
    let values = finite(&found[0].values);
    assert_eq!((values.mean, &values.percentiles[..]), (20.75, &[1.0, 1.75, 16.0, 35.0, 50.0][..]));
}

/// Two labels in 4×2×2 voxels. Label 7 has the voxels (0, 0, 0), (1, 0, 0) and (3, 1, 1).
#[test]
fn labels_have_places_and_values() {
    let labels: [u8; 16] = [7, 7, 0, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 7];
    let mut voxels = [0.0f32; 16];
    (voxels[0], voxels[1], voxels[15]) = (1.0, 4.0, f32::NAN);
    (voxels[3], voxels[6], voxels[7]) = (2.0, 2.0, 5.0);
    let spacing = Spacing { x: 0.5, y: 2.0, z: 3.0 };
    let header = header(VoxelType::F32, [4, 2, 2]).with(|h| {
        // x goes back along y, y goes right.
        (h.spacing, h.origin) = (spacing, [10.0, 20.0, 30.0]);
        h.orientation = [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    });
    let of = Header::new(VoxelType::U8, header.dims);
    let found = measured(&voxels, &header, Some((&labels, &of)), &quartiles()).expect("a part").remove(0);
    let [two, seven] = &found.labels[..] else { panic!("{:?}", found.labels) };
    assert_eq!((two.label, two.voxel_count, two.volume), (2, 3, 9.0));
    assert_eq!(two.region, Region { x: 2..4, y: 0..2, z: 0..1 });
    let values = two.values.as_ref().expect("values");
    assert_eq!((values.count, finite(values).mean, finite(values).deviation), (3, 3.0, 2f64.sqrt()));
    assert_eq!(finite(values).percentiles, [2.0, 2.0, 2.0, 3.5, 5.0]);
    assert_eq!((seven.label, &seven.region), (7, &Region { x: 0..4, y: 0..2, z: 0..2 }));
    assert_eq!(seven.centroid, [4.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
    let position = [10.0 + 2.0 / 3.0, 20.0 - 0.5 * 4.0 / 3.0, 31.0];
    assert!(seven.position.iter().zip(position).all(|(a, b)| (a - b).abs() < 1e-12), "{:?}", seven.position);
    let values = seven.values.as_ref().expect("values");
    assert_eq!((values.count, values.nan, finite(values).mean), (3, 1, 2.5));
    assert_eq!(finite(values).percentiles, [1.0, 1.75, 2.5, 3.25, 4.0]);
    // A volume of labels has its own.
    let own = of.clone().with(|h| h.kind = VoxelKind::Labels);
    let found = measured(&labels, &own, None, &quartiles()).expect("a part").remove(0);
    let counts: Vec<_> = found.labels.iter().map(|label| (label.label, label.voxel_count)).collect();
    assert_eq!((counts, found.labels[0].values.as_ref()), (vec![(2, 3), (7, 3)], None));
    // One frame of labels is that of all frames.
    let twice = header.with(|h| h.frames = 2);
    let both = measured(&[voxels, voxels].concat(), &twice, Some((&labels, &of)), &quartiles());
    let both = both.expect("two parts");
    assert_eq!(both[1].labels.len(), 2);
    assert_eq!(both[0].labels[0], both[1].labels[0]);
}

/// Bytes that can be read once.
struct Pipe<'a>(&'a [u8]);

impl Read for Pipe<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl Seek for Pipe<'_> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[test]
fn one_pass_is_enough_without_percentiles_of_wide_numbers_and_labels() {
    let none = ValueStatisticsOptions::default().with(|o| o.percentiles.clear());
    let binned = none.clone().with(|o| (o.bins, o.range) = (Some(5), Some([0.0, 1.0])));
    let dims = [2, 2, 1];
    let floats = header(VoxelType::F32, dims);
    let own = header(VoxelType::U16, dims).with(|h| h.kind = VoxelKind::Labels);
    // The second frame's slices differ, so that its values are wide.
    let by_slice = header(VoxelType::I16, [1, 1, 2]).with(|h| {
        h.frames = 2;
        h.metadata = r#"{"dicom":{"RescaleSlopes":[1,1,1,3]}}"#.to_owned();
    });
    let of = header(VoxelType::U8, dims);
    let labels = [0u8, 3, 3, 5];
    let voxels = [0.1f32, 0.5, 0.5, 2.0];
    let numbers = [1i16, 2, 3, 4];
    let first = quartiles().with(|o| o.frames = Some(0..1));
    let (wide, narrow): (&[u8], &[u8]) = (bytemuck::cast_slice(&voxels), bytemuck::cast_slice(&numbers));
    let measure = |bytes: &[u8], header: &Header, has_labels: bool, options: &ValueStatisticsOptions| {
        assert!(options.needs_one_pass(header, has_labels), "{header:?}");
        let (mut pipe, mut of_labels) = (Pipe(bytes), Pipe(&labels));
        let source = VoxelSource::new(&mut pipe, ByteOrder::NATIVE, header);
        let labels = has_labels.then(|| VoxelSource::new(&mut of_labels, ByteOrder::NATIVE, &of));
        value_statistics(source, labels, options, &Task::new()).expect("one pass")
    };
    for has_labels in [false, true] {
        let found = measure(wide, &floats, has_labels, &binned).remove(0);
        assert_eq!(found.histogram.expect("bins").counts, [1, 0, 2, 0, 0]);
        assert_eq!(found.labels.len(), if has_labels { 2 } else { 0 });
    }
    assert_eq!(measure(narrow, &header(VoxelType::I16, dims), true, &binned)[0].labels.len(), 2);
    assert_eq!(measure(narrow, &own, false, &quartiles())[0].labels.len(), 4);
    assert_eq!(finite(&measure(narrow, &by_slice, false, &first)[0].values).maximum, 2.0);
    // Others need more.
    let open = none.with(|o| o.bins = Some(5));
    let second = first.clone().with(|o| o.frames = Some(1..2));
    for (options, header, has_labels) in [
        (&quartiles(), &floats, false),
        (&open, &floats, false),
        (&quartiles(), &header(VoxelType::I16, dims), true),
        (&quartiles(), &own, true),
        (&second, &by_slice, false),
    ] {
        assert!(!options.needs_one_pass(header, has_labels), "{header:?}");
    }
}

/// The edges of bins of a constant are equal from 2⁵³ on.
#[test]
fn bins_of_a_large_constant_are_found_at_once() {
    let header = header(VoxelType::F64, [100, 100, 10]);
    let options = ValueStatisticsOptions::default().with(|o| o.bins = Some(1 << 20));
    let found = measured(&[1e17f64; 100_000], &header, None, &options).expect("a part").remove(0);
    let counts = found.histogram.expect("bins").counts;
    assert_eq!((counts.len(), counts.iter().sum::<u64>(), counts.last()), (1 << 20, 100_000, Some(&100_000)));
}

#[test]
fn percentiles_count_in_the_maximum_of_labels() {
    let measure = |count: u16, has_values: bool| {
        let labels: Vec<u16> = (1..=count).collect();
        let header = header(VoxelType::U16, [count.into(), 1, 1]);
        let options = ValueStatisticsOptions::default();
        let own = header.clone().with(|h| h.kind = VoxelKind::Labels);
        let found = if has_values {
            measured(&labels, &header, Some((bytemuck::cast_slice(&labels), &header)), &options)
        } else {
            measured(&labels, &own, None, &options)
        };
        found.map(|found| found[0].labels.len()).map_err(|error| (error.kind(), error.to_string()))
    };
    let error = |text: &str| Err((crate::ErrorKind::Limit, text.to_owned()));
    // 4096 / (16 + 7)
    assert_eq!(measure(178, true), Ok(178));
    assert_eq!(
        measure(179, true),
        error("there are more than 178 labels, the maximum for 7 percentiles of each")
    );
    assert_eq!(measure(256, false), Ok(256));
    assert_eq!(
        measure(257, false),
        error("there are more than 256 labels, the maximum for 0 percentiles of each")
    );
}

/// Values of a type in pseudo-random order, and labels of which each has a stretch of them.
fn check<T: Voxel>(of: impl Fn(u64) -> T, value: impl Fn(T) -> f64) {
    const DIMS: [usize; 3] = [50, 41, 37];
    let count = 50 * 41 * 37;
    let mut state = 1u64;
    let voxels: Vec<T> = (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            of(state ^ state >> 29)
        })
        .collect();
    let labels: Vec<u8> = (0..count).map(|i| (i / 7000) as u8).collect();
    let (header, of_labels) = (header(T::TYPE, DIMS), header(VoxelType::U8, DIMS));
    let options = ValueStatisticsOptions::default().with(|o| {
        o.percentiles = (0..=40).map(|i| f64::from(i) * 2.5).collect();
        o.bins = Some(10);
    });
    let mut results = Vec::new();
    for threads in [Threads::Calling, Threads::Pool] {
        let (mut stream, mut labels) = (bytes(&voxels), bytes(&labels));
        let source = VoxelSource::new(&mut stream, ByteOrder::NATIVE, &header);
        let labels = VoxelSource::new(&mut labels, ByteOrder::NATIVE, &of_labels);
        let task = Task::new().with_threads(threads);
        results.push(value_statistics(source, Some(labels), &options, &task).expect("a part").remove(0));
    }
    assert_eq!(results[0], results[1]);
    let sorted = |keep: &dyn Fn(usize) -> bool| {
        let mut values: Vec<f64> =
            (0..count).filter(|&i| keep(i)).map(|i| value(voxels[i])).filter(|v| v.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let same = |found: &ValueStatistics, sorted: &[f64]| {
        let (found, n) = (finite(found), sorted.len());
        for (percent, found) in options.percentiles.iter().zip(&found.percentiles) {
            let place = percent / 100.0 * (n - 1) as f64;
            let low = sorted[place as usize];
            let high = sorted[(place as usize + 1).min(n - 1)];
            let want = low + (high - low) * place.fract();
            let tolerance = 1e-12 * (low.abs() + high.abs());
            assert!((found - want).abs() <= tolerance, "{}: {percent}: {found} {want}", T::TYPE);
        }
        let mean = sorted.iter().sum::<f64>() / n as f64;
        assert!((found.mean - mean).abs() <= 1e-9 * (mean.abs() + found.deviation), "{}", T::TYPE);
        // (The squares of the largest f32 do not overflow.)
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / n as f64).sqrt();
        assert!((found.deviation - deviation).abs() <= 1e-9 * deviation, "{}", T::TYPE);
        assert_eq!([found.minimum, found.maximum], [sorted[0], sorted[n - 1]]);
    };
    let all = sorted(&|_| true);
    same(&results[0].values, &all);
    let histogram = results[0].histogram.as_ref().expect("bins");
    for (bin, count) in histogram.counts.iter().enumerate() {
        let (low, high) = (histogram.edges[bin], histogram.edges[bin + 1]);
        let inside = |value: &&f64| (low..high).contains(*value) || bin == 9 && **value == high;
        assert_eq!(*count, all.iter().filter(inside).count() as u64, "{} {bin}", T::TYPE);
    }
    assert_eq!(results[0].labels.len(), 10);
    for label in &results[0].labels {
        let inside = sorted(&|i| i128::from(labels[i]) == label.label);
        same(label.values.as_ref().expect("values"), &inside);
    }
}

#[test]
fn percentiles_of_every_type_are_exact() {
    check(|bits| bits as u8, f64::from);
    check(|bits| bits as i8, f64::from);
    check(|bits| bits as u16, f64::from);
    check(|bits| bits as i16, f64::from);
    check(|bits| bits as u32, f64::from);
    check(|bits| bits as i32, f64::from);
    check(|bits| bits, |value| value as f64);
    check(|bits| bits as i64, |value| value as f64);
    // Bits of any float, also NaN and infinity; few of f64, whose squares overflow.
    check(|bits| f32::from_bits(bits as u32), f64::from);
    check(|bits| f64::from(bits as u32 as f32) / 1e3 - 5e5, |value| value);
}

#[test]
fn what_does_not_fit_is_named() {
    let voxels = [1.0f32, 2.5];
    let header = header(VoxelType::F32, [2, 1, 1]);
    let error = |options: &ValueStatisticsOptions| {
        measured(&voxels, &header, None, options).expect_err("an error").to_string()
    };
    let with = |change: &dyn Fn(&mut ValueStatisticsOptions)| {
        error(&ValueStatisticsOptions::default().with(|options| change(options)))
    };
    assert_eq!(with(&|o| o.percentiles = vec![101.0]), "the percentile 101 is not between 0 and 100");
    assert!(with(&|o| o.percentiles = vec![f64::NAN]).contains("NaN"));
    assert!(with(&|o| o.bins = Some(0)).contains("not 0"));
    assert!(with(&|o| o.range = Some([0.0, 1.0])).contains("number of bins"));
    assert!(with(&|o| (o.bins, o.range) = (Some(1), Some([1.0, 1.0]))).contains("1 to 1"));
    assert!(with(&|o| o.frames = Some(0..2)).contains("frame 1: the volume has only frame 0"));
    assert!(with(&|o| o.channel = Some(3)).contains("channel 3: the volume has only channel 0"));
    let labelled = |labels: &[u8], of: &Header| {
        let options = ValueStatisticsOptions::default();
        measured(&voxels, &header, Some((labels, of)), &options).expect_err("an error")
    };
    let other = Header::new(VoxelType::U8, Dims::new(1, 2, 1));
    let said = labelled(&[1, 1], &other).to_string();
    assert_eq!(said, "the labels have 1×2×1 voxels, the volume 2×1×1");
    let channels = Header::new(VoxelType::U8, header.dims).with(|h| h.channels = 2);
    assert!(labelled(&[1; 4], &channels).to_string().contains("2 channels"));
    let frames = Header::new(VoxelType::U8, header.dims).with(|h| h.frames = 3);
    assert!(labelled(&[1; 6], &frames).to_string().contains("3 frames"));
    let short = labelled(&[1], &Header::new(VoxelType::U8, header.dims));
    assert!(
        matches!(short, StatisticsError::Labels(VoxelStreamError::Length { .. })) && short.is_of_labels()
    );
    let own = header.clone().with(|h| h.kind = VoxelKind::Labels);
    let said = measured(&voxels, &own, None, &ValueStatisticsOptions::default()).expect_err("a fraction");
    assert_eq!(said.to_string(), "the label 2.5 at 1, 0, 0 is not an integer");
    let empty = header.clone().with(|h| h.dims.x = 0);
    let said = measured(&voxels, &empty, None, &ValueStatisticsOptions::default());
    assert!(matches!(said, Err(StatisticsError::Shape(ShapeError::Empty(_)))), "{said:?}");
}
