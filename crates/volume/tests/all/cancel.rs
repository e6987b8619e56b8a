//! Every long call reports its progress, and stops soon after its token is cancelled.

use crate::common::Counted;
use brickwork_base::testing::{does_not_start, stops, stops_silently};
use brickwork_volume::{
    AnyView, AnyVoxels, BrickAddress, BrickCache, BrickSize, BwvOptions, ByteOrder, CancelToken,
    ChunkOptions, ChunkReader, ChunkShape, Dims, ErrorKind, Header, Profile, Region, RegionReader,
    ResidentOptions, ResidentVolume, Selection, Statistics, Strides, Task, ValueStatisticsOptions,
    VolumeFile, VolumeView, VolumeWriter, VoxelKind, VoxelSource, VoxelStream, VoxelType, choose_brick,
    choose_brick_any, compare, copy_voxels, decode_chunk, encode, encode_any, encode_chunk, encode_seekable,
    encode_stream,
    guthe2016::Compressed,
    halve_axes, read_channels, read_frame,
    render::{
        Camera, DisplayBricks as _, Look, NarrowVoxels, RawBricks, Renderer, ResidentBricks, Survey,
        TransferFunction,
    },
    rescale_stream, value_statistics,
};
use std::{
    io::{self, Cursor, Read, Seek, SeekFrom, sink},
    sync::Arc,
};

const DIMS: Dims = Dims::new(256, 256, 160);

fn voxels() -> Vec<u16> {
    (0..(DIMS.x * DIMS.y * DIMS.z) as u32).map(|i| (i / 7 * 3) as u16 ^ (i >> 14) as u16).collect()
}

/// Calls `stops` with the kind of each call's error.
macro_rules! stops {
    ($name:expr, |$task:ident| $call:expr) => {
        stops($name, &mut |$task: &Task<'_>| ($call).map(drop).map_err(|error| error.kind()))
    };
}

#[test]
fn writers_stop() {
    let voxels = voxels();
    let view = VolumeView::new(&voxels, DIMS).unwrap();
    let (header, options) = (Header::new(VoxelType::U16, DIMS), BwvOptions::default());
    stops!("encode", |task| encode(view, &header, &options, sink(), task));
    let levels = header.clone().with(|header| header.mip_levels = 4);
    stops!("encode with levels", |task| encode(view, &levels, &options, sink(), task));
    let paper = header.clone().with(|header| header.profile = Profile::Guthe2016 { second_level: true });
    stops!("encode guthe2016", |task| encode(view, &paper, &options, sink(), task));
    let any = AnyView::new(bytemuck::cast_slice(&voxels), VoxelType::U16, DIMS, 1).unwrap();
    stops!("encode_any", |task| encode_any(&any, &header, &options, sink(), task));
    stops_silently("halve_axes", &mut |task: &Task<'_>| {
        halve_axes(&any, [true; 3], VoxelKind::Intensity, task).map(drop).map_err(|error| error.kind())
    });
    stops!("Compressed::encode", |task| Compressed::encode(view, true, task));
    let bytes: &[u8] = bytemuck::cast_slice(&voxels);
    let order = ByteOrder::NATIVE;
    stops!("VolumeWriter::write_voxels", |task| {
        let mut writer = VolumeWriter::<_, u16>::new(sink(), &header, &options).unwrap();
        writer.write_voxels(&voxels, task)
    });
    stops!("encode_stream", |task| encode_stream(bytes, order, &header, &options, sink(), task));
    stops!("encode_seekable", |task| {
        encode_seekable(Cursor::new(bytes), order, &header, &options, sink(), task)
    });
    let chunk = |voxels: &[u8], task: &Task<'_>| {
        let view = AnyView::new(voxels, VoxelType::U16, DIMS, 1).unwrap();
        encode_chunk(&view, &ChunkOptions::new(BrickSize::Four), task)
    };
    stops!("encode_chunk", |task| chunk(bytes, task));
    let (zeros, shape) = (vec![0; bytes.len()], ChunkShape::new(VoxelType::U16, DIMS));
    does_not_start("encode_chunk of one value", &mut |task| {
        chunk(&zeros, task).map(drop).map_err(|error| error.kind())
    });
    let encoded = chunk(bytes, &Task::new()).unwrap();
    let (mut decoded, strides) = (zeros, Strides::dense(DIMS, 1));
    stops!("decode_chunk", |task| decode_chunk(&encoded, &shape, &mut decoded, &strides, task));
    let reader = ChunkReader::new(encoded.as_slice(), &shape).unwrap();
    stops!("ChunkReader::read_region", |task| {
        reader.read_region(&Region::all(DIMS), &mut decoded, &strides, task)
    });
    let halves =
        [0..80, 80..160].map(|z| (Region { z: z.clone(), ..Region::all(DIMS) }, DIMS.index(0, 0, z.start)));
    stops!("ChunkReader::read_regions", |task| reader.read_regions(&halves, DIMS, &mut decoded, task));
    stops!("copy_voxels", |task| copy_voxels(bytes, order, &header, sink(), task));
    stops!("rescale_stream", |task| {
        let metadata = r#"{"dicom":{"RescaleSlope":2.0,"RescaleIntercept":-1024.0}}"#;
        let scaled = header.clone().with(|header| header.metadata = metadata.to_owned());
        let voxels = VoxelStream::Rewindable(Box::new(Cursor::new(bytes.to_vec())));
        rescale_stream(voxels, order, scaled, task)
    });
}

#[test]
fn readers_stop() {
    let voxels = voxels();
    let view = VolumeView::new(&voxels, DIMS).unwrap();
    let header = Header::new(VoxelType::U16, DIMS);
    let all = Selection::default();
    for profile in [Profile::Bricks, Profile::Guthe2016 { second_level: false }] {
        let header = header.clone().with(|header| header.profile = profile);
        let mut bytes = Vec::new();
        encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).unwrap();
        let file = VolumeFile::new(bytes.as_slice()).unwrap();
        let whole = Region::all(DIMS);
        stops!("VolumeFile::read", |task| file.read::<u16>(&whole, task));
        stops!("VolumeFile::read_selected", |task| file.read_selected::<u16>(&all, &whole, task));
        let mut back = vec![0u16; voxels.len()];
        stops!("VolumeFile::read_into", |task| file.read_into(&whole, &mut back, task));
        stops!("VolumeFile::read_selected_into", |task| {
            file.read_selected_into(&all, &whole, &mut back, task)
        });
        let mut any = AnyVoxels::new(VoxelType::U16);
        stops!("VolumeFile::read_any", |task| file.read_any(&all, &whole, &mut any, task));
        let strides = Strides::dense(DIMS, 1);
        stops!("VolumeFile::read_strided", |task| {
            file.read_strided(&all, &whole, &mut back, &strides, task)
        });
        stops!("VolumeFile::read_bytes_into", |task| {
            file.read_bytes_into(&all, &whole, bytemuck::cast_slice_mut(&mut back), &strides, task)
        });
        stops!("VolumeFile::verify", |task| file.verify(task));
        if profile == Profile::Bricks {
            stops!("Statistics::of", |task| Statistics::of(&file, task));
            let (origins, dims): (Vec<_>, _) = ((0..16).map(|i| (i, i, i)).collect(), Dims::cube(64));
            let mut windows = vec![0; 2 * 16 * 64 * 64 * 64];
            stops!("VolumeFile::read_windows", |task| {
                file.read_windows(&all, &origins, dims, &mut windows, task)
            });
        }
        for keep_bricks in [false, true] {
            let options = ResidentOptions::default().with_kept_bricks(keep_bricks);
            stops!("ResidentVolume::from_file", |task| ResidentVolume::from_file(&file, &options, task));
        }
    }
    stops!("ResidentVolume::from_voxels", |task| {
        ResidentVolume::from_voxels(view, VoxelKind::Intensity, &ResidentOptions::default(), task)
    });
    let resident = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &Default::default(), &Task::new());
    let resident = resident.unwrap();
    stops!("ResidentVolume::read", |task| resident.read::<u16>(&Region::all(DIMS), task));
    let (bytes, order): (&[u8], _) = (bytemuck::cast_slice(&voxels), ByteOrder::NATIVE);
    stops!("read_frame", |task| read_frame(bytes, order, &header, 0, task));
    stops!("read_channels", |task| read_channels(bytes, order, &header, 0, &[0, 0], task));
    let statistics = ValueStatisticsOptions::default();
    stops!("value_statistics", |task| {
        let mut voxels = Cursor::new(bytes);
        value_statistics(VoxelSource::new(&mut voxels, order, &header), None, &statistics, task)
    });
    stops!("compare", |task| compare((bytes, order), (bytes, order), &header, task));
    stops!("choose_brick", |task| choose_brick(Cursor::new(bytes), order, &header, task));
    let any = AnyView::new(bytes, VoxelType::U16, DIMS, 1).unwrap();
    stops!("choose_brick_any", |task| choose_brick_any(&any, &header, task));
}

/// Labels of 64 bits are counted, then replaced.
#[test]
fn narrowing_stops() {
    let dims = Dims::new(128, 128, 96);
    let voxels: Vec<u64> = (0..128 * 128 * 96).map(|i| (i % 1009) << 40).collect();
    let view = VolumeView::new(&voxels, dims).unwrap();
    let header = Header::new(VoxelType::U64, dims).with(|header| header.kind = VoxelKind::Labels);
    let mut bytes = Vec::new();
    encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).unwrap();
    let file = VolumeFile::new(bytes).unwrap();
    let (options, kind) = (ResidentOptions::default(), VoxelKind::Labels);
    stops!("NarrowVoxels::from_file", |task| NarrowVoxels::from_file(&file, &options, kind, task));
    let any = || {
        let mut any = AnyVoxels::new(VoxelType::U64);
        file.read_any(&Selection::default(), &Region::all(dims), &mut any, &Task::new()).unwrap();
        any
    };
    stops!("NarrowVoxels::from_any", |task| NarrowVoxels::from_any(any(), 1, 0, kind, task));
    stops!("ResidentVolume::from_any", |task| {
        ResidentVolume::from_any(&any(), dims, 1, kind, &options, task)
    });
    stops!("RawBricks::new", |task| RawBricks::new(any(), dims, 1, 0, kind, task));
}

/// A reader that cancels a token at its first read, and counts the reads.
struct CancellingReader<'a> {
    voxels: Cursor<&'a [u8]>,
    token: &'a CancelToken,
    reads: usize,
}

impl Read for CancellingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.token.cancel();
        self.reads += 1;
        self.voxels.read(buffer)
    }
}

impl Seek for CancellingReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.voxels.seek(to)
    }
}

#[test]
fn a_sample_stops_at_the_next_rows() {
    let voxels = voxels();
    let (bytes, header) = (bytemuck::cast_slice(&voxels), Header::new(VoxelType::U16, DIMS));
    let token = CancelToken::new();
    let mut source = CancellingReader { voxels: Cursor::new(bytes), token: &token, reads: 0 };
    let task = Task::new().with_cancel(&token);
    let result = choose_brick(&mut source, ByteOrder::NATIVE, &header, &task);
    assert_eq!(result.map(drop).map_err(|error| error.kind()), Err(ErrorKind::Cancelled));
    assert_eq!(source.reads, 1);
}

#[test]
fn verification_that_is_cancelled_reads_nothing() {
    // Few values that are far apart have a rank table, which is read first.
    let voxels: Vec<u16> =
        (0..64 * 64 * 64u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 30) as u16 * 9973).collect();
    let (dims, mut bytes) = (Dims::cube(64), Vec::new());
    let (view, header) = (VolumeView::new(&voxels, dims).unwrap(), Header::new(VoxelType::U16, dims));
    encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).unwrap();
    let counted = Counted::new(bytes);
    let file = VolumeFile::new(&counted).unwrap();
    let before = counted.reads();
    assert_eq!(file.verify(&Task::new()).unwrap(), []);
    assert!(counted.reads() > before + 1);
    // Another file, because the first one keeps its tables.
    let file = VolumeFile::new(&counted).unwrap();
    let before = counted.reads();
    let token = CancelToken::new();
    token.cancel();
    let result = file.verify(&Task::new().with_cancel(&token));
    assert_eq!(result.map_err(|error| error.kind()), Err(ErrorKind::Cancelled));
    assert_eq!(counted.reads(), before);
}

#[test]
fn several_bricks_stop() {
    let voxels = voxels();
    let mut bytes = Vec::new();
    let view = VolumeView::new(&voxels, DIMS).unwrap();
    let header = Header::new(VoxelType::U16, DIMS);
    encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).unwrap();
    let cache = BrickCache::new(VolumeFile::new(bytes).unwrap(), 1 << 30);
    let bricks: Vec<_> = (0..1 << 21).map(|i| BrickAddress::at(i % 64, i / 64 % 64, i / 4096 % 40)).collect();
    let mut all = vec![0u16; 64 * bricks.len()];
    stops_silently("BrickCache::read_bricks", &mut |task: &Task<'_>| {
        cache.read_bricks(&bricks, &mut all, task).map_err(|error| error.kind())
    });
}

#[test]
fn renderers_stop() {
    let voxels = voxels();
    let (view, kind, none) = (VolumeView::new(&voxels, DIMS).unwrap(), VoxelKind::Intensity, Task::new());
    stops!("RawBricks::copy_of", |task| RawBricks::copy_of(&view, 0, kind, task));
    let volume = ResidentVolume::from_voxels(view, kind, &ResidentOptions::default(), &none).unwrap();
    let volume = Arc::new(volume);
    stops!("ResidentBricks::new", |task| ResidentBricks::new(Arc::clone(&volume), task));
    let bricks = Arc::new(ResidentBricks::new(volume, &none).unwrap());
    stops!("Survey::new", |task| Survey::new(&*bricks, task));
    let look = Look::dvr(&TransferFunction::window(0.0, 60_000.0, 0.01).unwrap(), &bricks.display()).unwrap();
    stops!("Renderer::new", |task| Renderer::new(bricks.clone(), look.clone(), task));
    let renderer = Renderer::new(bricks, look, &none).unwrap();
    let camera = Camera { azimuth: 30.0, step: 0.1, ..Camera::default() };
    let view = camera.view(&Header::new(VoxelType::U16, DIMS), 1024, 768).unwrap();
    stops!("Renderer::render", |task| renderer.render(&view, task));
    stops!("Renderer::render_with", |task| renderer.render_with(&[&renderer], &view, task));
    stops_silently("Renderer::focus", &mut |task: &Task<'_>| {
        renderer.focus(task).map(drop).map_err(|error| error.kind())
    });
    stops_silently("Renderer::with_look", &mut |task: &Task<'_>| {
        renderer.with_look(renderer.look().clone(), task).map(drop).map_err(|error| error.kind())
    });
}

#[test]
fn a_region_stops() {
    let (header, dims) = (Header::new(VoxelType::U8, Dims::cube(4)), Dims::cube(4));
    let view = VolumeView::new(&[7u8; 64], dims).unwrap();
    let mut file = Vec::new();
    encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).unwrap();
    let token = CancelToken::new();
    let task = Task::new().with_cancel(&token);
    let file = VolumeFile::new(file).unwrap();
    let mut reader = RegionReader::new(file, Selection::default(), Region::all(dims), &task).unwrap();
    token.cancel();
    assert_eq!(ErrorKind::of_io(&reader.read(&mut [0]).unwrap_err()), ErrorKind::Cancelled);
}
