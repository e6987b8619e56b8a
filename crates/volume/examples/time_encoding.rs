//! Times `encode_any` once for each line of standard input, so that another program can take turns with it:
//! `cargo run --release -p brickwork-volume --example time_encoding -- FILE TYPE X Y Z`
//!
//! FILE contains X×Y×Z raw voxels, x fastest, in the byte order of this machine. TYPE is a type of NumPy,
//! such as uint16. Each call encodes with 8³ bricks on one thread, and prints its CPU seconds and the size of
//! the `.bwv` file. `bindings/python/bench` compares the Python package with these calls.

use brickwork_volume::{
    AnyView, BrickSize, BwvOptions, Dims, Header, Task, Threads, VoxelType, bytemuck, encode_any,
};
use cpu_time::ProcessTime;
use std::{
    env,
    error::Error,
    fs::File,
    io::{self, Read},
    time::Duration,
};

/// Raw voxels.
struct Voxels {
    voxel_type: VoxelType,
    dims: Dims,
    byte_count: usize,
    /// Their bytes, aligned for every type.
    words: Vec<u64>,
}

impl Voxels {
    /// Reads all bytes of `source`.
    fn read(mut source: impl Read, voxel_type: VoxelType, dims: Dims) -> Result<Self, Box<dyn Error>> {
        let byte_count = dims.byte_count(voxel_type.byte_count())?;
        let mut words = vec![0; byte_count.div_ceil(size_of::<u64>())];
        source.read_exact(&mut bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..byte_count])?;
        if source.read(&mut [0])? > 0 {
            return Err(
                format!("the file has more than the {byte_count} bytes of {dims} {voxel_type}").into()
            );
        }
        Ok(Self { voxel_type, dims, byte_count, words })
    }

    /// Returns the CPU time of a call, and the file that it makes.
    fn encode(&self) -> Result<(Duration, Vec<u8>), Box<dyn Error>> {
        let bytes = &bytemuck::cast_slice::<u64, u8>(&self.words)[..self.byte_count];
        let view = AnyView::new(bytes, self.voxel_type, self.dims, 1)?;
        let header = Header::new(self.voxel_type, self.dims).with(|header| header.brick = BrickSize::Eight);
        let task = Task::new().with_threads(Threads::Calling);
        let mut file = Vec::new();
        let start = ProcessTime::try_now()?;
        encode_any(&view, &header, &BwvOptions::new(), &mut file, &task)?;
        Ok((start.try_elapsed()?, file))
    }
}

/// Returns the type that has this name in NumPy.
fn voxel_type(name: &str) -> Option<VoxelType> {
    let numpy_name = |voxel_type: &VoxelType| match voxel_type.name().split_at(1) {
        ("u", bits) => format!("uint{bits}"),
        ("i", bits) => format!("int{bits}"),
        (_, bits) => format!("float{bits}"),
    };
    VoxelType::ALL.iter().copied().find(|voxel_type| numpy_name(voxel_type) == name)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, name, x, y, z] = &arguments[..] else {
        return Err("the arguments are FILE TYPE X Y Z".into());
    };
    let voxel_type = voxel_type(name).ok_or_else(|| format!("voxels have no type {name}"))?;
    let dims = Dims::new(x.parse()?, y.parse()?, z.parse()?);
    let voxels = Voxels::read(File::open(path)?, voxel_type, dims)?;
    for line in io::stdin().lines() {
        line?;
        let (time, file) = voxels.encode()?;
        println!("{} {}", time.as_secs_f64(), file.len());
    }
    Ok(())
}

#[test]
fn it_encodes_raw_voxels() {
    use brickwork_volume::{Region, VolumeFile};
    let dims = Dims::new(20, 9, 5);
    let numbers: Vec<u16> = (0..900).collect();
    let raw: &[u8] = bytemuck::cast_slice(&numbers);
    let (_, file) = Voxels::read(raw, voxel_type("uint16").unwrap(), dims).unwrap().encode().unwrap();
    let file = VolumeFile::new(file).unwrap();
    assert_eq!(file.header().brick, BrickSize::Eight);
    assert_eq!(file.read::<u16>(&Region::all(dims), &Task::new()).unwrap(), numbers);
    assert!(Voxels::read(&raw[..1799], VoxelType::U16, dims).is_err());
    assert!(Voxels::read(raw, VoxelType::U8, dims).is_err());
    assert_eq!(voxel_type("float64"), Some(VoxelType::F64));
    assert_eq!(voxel_type("bool"), None);
}
