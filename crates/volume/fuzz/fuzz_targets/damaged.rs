//! Volumes in memory with damaged bricks of any size and profile, decoded by the CPU and by a GPU: no panic,
//! no hang, no lost device; undamaged bricks are the same. Needs an adapter, such as lavapipe.

#![no_main]

use brickwork_volume::{Task, 
    BrickSize, Dims, BwvOptions, Header, Profile, Region, ResidentOptions, ResidentVolume, VolumeFile,
    VolumeView, Voxel, VoxelType, encode,
    gpu::{AdapterChoice, Context, ContextOptions, GpuVolume},
    with_voxel_type,
};
use std::sync::LazyLock;

static CONTEXT: LazyLock<Context> = LazyLock::new(|| {
    let adapter = AdapterChoice::Best.find().expect("an adapter");
    Context::open_on(&adapter, &ContextOptions::default()).expect("a device")
});

libfuzzer_sys::fuzz_target!(|recipe: &[u8]| {
    // The recipe has a type, bricks, bits of noise, and whether anything is damaged; then damages of five
    // bytes.
    let Some((&[voxel_type, bricks, noise, anything], damages)) = recipe.split_first_chunk::<4>() else {
        return;
    };
    let voxel_type = VoxelType::ALL[usize::from(voxel_type) % VoxelType::ALL.len()];
    let mut header = Header::new(voxel_type, Dims::new(20, 17, 19));
    match BrickSize::ALL.get(usize::from(bricks) % 4) {
        Some(&size) => header.brick = size,
        None => header.profile = Profile::Guthe2016 { second_level: bricks >= 128 },
    }
    let (noise, anything) = (noise.into(), anything % 2 == 1);
    with_voxel_type!(voxel_type, T => compare::<T>(&header, noise, anything, damages.as_chunks::<5>().0));
});

fn compare<T: Voxel>(header: &Header, noise: u64, anything: bool, damages: &[[u8; 5]]) {
    let dims = header.dims;
    let mut random = 1u64;
    let number = |i: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        T::from_ordinal((i as u64 * 7).wrapping_add(random >> (noise % 64)))
    };
    let voxels: Vec<T> = (0..dims.x * dims.y * dims.z).map(number).collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let mut file = Vec::new();
    encode(view, header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    let file = VolumeFile::new(file).expect("our own file");
    let options = ResidentOptions::default().with_kept_bricks(true);
    let sound = ResidentVolume::from_file(&file, &options, &Task::new()).expect("our own file");
    let mut volume = ResidentVolume::from_file(&file, &options, &Task::new()).expect("our own file");
    for &[a, b, c, d, byte] in damages {
        volume.damage(u32::from_le_bytes([a, b, c, d]), byte, anything);
    }
    let on_gpu = GpuVolume::new(&CONTEXT, &volume, &Task::new()).expect("memory");
    let found: Vec<T> = on_gpu.read(&Region::all(dims), &Task::new()).expect("decoded");
    let (bricks, side) = (volume.bricks(), volume.brick_size().dims());
    for i in 0..bricks.x * bricks.y * bricks.z {
        let (x, y, z) = bricks.position(i);
        let [mut brick, mut before] =
            [0; 2].map(|_| vec![T::from_ordinal(0); volume.brick_size().voxel_count()]);
        volume.read_voxels([x, y, z], &mut brick).expect("a brick");
        sound.read_voxels([x, y, z], &mut before).expect("a brick");
        // In the profile guthe2016, the GPU finds bytes that no encoder writes, as the CPU does. (Equal
        // bricks share their bytes, so one damage may affect several bricks.)
        let ordinals = |voxels: &[T]| voxels.iter().map(|voxel| voxel.to_ordinal()).collect::<Vec<_>>();
        let is_spared = header.profile != Profile::Bricks || ordinals(&brick) == ordinals(&before);
        let is_same = brick.iter().enumerate().all(|(i, voxel)| {
            let within = side.position(i);
            let place = (side.x * x + within.0, side.y * y + within.1, side.z * z + within.2);
            !dims.contains(place)
                || found[dims.index(place.0, place.1, place.2)].to_ordinal() == voxel.to_ordinal()
        });
        assert!(anything || is_same || !is_spared, "brick ({x}, {y}, {z}) for {} damages", damages.len());
    }
}
