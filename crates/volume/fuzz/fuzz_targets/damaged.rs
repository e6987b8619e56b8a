//! Volumes in memory whose bricks were damaged, decoded by the CPU and by a GPU: no panic, no hang, no lost
//! device; and bricks that were spared are the same. Needs an adapter, such as lavapipe.

#![no_main]

use brickwork_volume::{
    Dims, Region, ResidentOptions, ResidentVolume, VolumeView, Voxel, VoxelKind, VoxelType,
    gpu::{AdapterChoice, Context, ContextOptions, GpuVolume},
    with_voxel_type,
};
use std::sync::LazyLock;

static CONTEXT: LazyLock<Context> = LazyLock::new(|| {
    let adapter = AdapterChoice::Best.find().expect("an adapter");
    Context::open_on(&adapter, &ContextOptions::default()).expect("a device")
});

libfuzzer_sys::fuzz_target!(|recipe: &[u8]| {
    // A type, bits of noise, and whether anything is damaged; then damages of five bytes.
    let Some((&[voxel_type, noise, anything], damages)) = recipe.split_first_chunk::<3>() else { return };
    let voxel_type = VoxelType::ALL[usize::from(voxel_type) % VoxelType::ALL.len()];
    let anything = anything % 2 == 1;
    with_voxel_type!(voxel_type, T => compare::<T>(noise.into(), anything, damages.as_chunks::<5>().0));
});

fn compare<T: Voxel>(noise: u64, anything: bool, damages: &[[u8; 5]]) {
    let dims = Dims::new(20, 17, 19);
    let mut random = 1u64;
    let number = |i: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        T::from_ordinal((i as u64 * 7).wrapping_add(random >> (noise % 64)))
    };
    let voxels: Vec<T> = (0..dims.x * dims.y * dims.z).map(number).collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let mut volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &ResidentOptions::default())
        .expect("memory");
    for &[a, b, c, d, byte] in damages {
        volume.damage(u32::from_le_bytes([a, b, c, d]), byte, anything);
    }
    let on_gpu = GpuVolume::new(&CONTEXT, &volume).expect("memory");
    let found: Vec<T> = on_gpu.read(&Region::all(dims)).expect("decoded");
    let bricks = volume.bricks();
    let mut different = 0;
    for i in 0..bricks.x * bricks.y * bricks.z {
        let (x, y, z) = bricks.position(i);
        let mut brick = [T::from_ordinal(0); 64];
        volume.read_voxels([x, y, z], &mut brick);
        let is_same = (0..64).all(|i| {
            let place = (4 * x + i % 4, 4 * y + i / 4 % 4, 4 * z + i / 16);
            let is_inside = place.0 < dims.x && place.1 < dims.y && place.2 < dims.z;
            let at = place.0 + dims.x * (place.1 + dims.y * place.2);
            !is_inside || found[at].to_ordinal() == brick[i].to_ordinal()
        });
        different += usize::from(!is_same);
    }
    // A byte of a brick is of no other brick.
    assert!(anything || different <= damages.len(), "{different} bricks for {} damages", damages.len());
}
