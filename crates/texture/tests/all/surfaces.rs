//! Tests of textures of every shape, from images that are loaded one at a time.

use crate::common::{Random, assert_same_blocks};
use brickwork_texture::{
    AlphaMode, BlockFormat, CancelToken, Cancelled, ColorSpace, DecodeOptions, EncodeError, EncodeOptions,
    Encoder, ErrorKind, Image, ImageIndex, ImageView, Progress, Quality, RdoLambda, SurfaceError, Surfaces,
    Task, TexelFormat, Texture, TextureDesc, TextureKind,
    container::{ContainerFormat, TextureReadOptions, TextureWriteOptions},
    encode_texture,
    mips::{MipOptions, next_level},
};
use std::{cell::RefCell, io::Cursor, sync::Mutex};

/// Returns every shape, including ones with odd sides.
fn shapes(format: BlockFormat) -> [TextureDesc; 6] {
    [
        TextureDesc::new_2d(format, 13, 6),
        TextureDesc::new_2d(format, 9, 17).with_layers(3),
        TextureDesc::new_cube(format, 10),
        TextureDesc::new_cube(format, 7).with_layers(2),
        TextureDesc::new_3d(format, 9, 6, 7),
        TextureDesc::new_3d(format, 5, 12, 4),
    ]
    .map(|desc| desc.with_full_mips().with_color_space(ColorSpace::Srgb).with_alpha_mode(AlphaMode::Straight))
}

/// Returns every index of the first mip levels, in the order of the blocks.
fn indices(desc: &TextureDesc, mip_levels: u32) -> Vec<ImageIndex> {
    let mut indices = Vec::new();
    for layer in 0..desc.layers {
        for face in 0..desc.faces() {
            for mip_level in 0..mip_levels {
                let [.., depth] = desc.mip_level_size(mip_level);
                indices.extend((0..depth).map(|slice| ImageIndex { layer, face, mip_level, slice }));
            }
        }
    }
    indices
}

/// Returns texels that differ from image to image.
fn texels(desc: &TextureDesc, index: ImageIndex) -> Vec<[u8; 4]> {
    let ImageIndex { layer, face, mip_level, slice } = index;
    let mut random = Random(1 + u64::from(layer + 10 * face + 100 * mip_level + 1000 * slice));
    let [width, height, _] = desc.mip_level_size(mip_level);
    (0..width * height).map(|_| [(); 4].map(|()| random.byte())).collect()
}

/// Returns the texels of every image of the first mip levels.
fn all_texels(desc: &TextureDesc, mip_levels: u32) -> Vec<Vec<[u8; 4]>> {
    indices(desc, mip_levels).into_iter().map(|index| texels(desc, index)).collect()
}

fn fast() -> EncodeOptions {
    EncodeOptions::default().with(|o| o.quality = Quality::Fast)
}

/// Encodes a texture whose first `given` mip levels are loaded one by one.
fn encode(encoder: &Encoder, desc: &TextureDesc, given: u32, options: &EncodeOptions) -> Texture {
    let (indices, all) = (indices(desc, given), all_texels(desc, given));
    let asked = RefCell::new(Vec::new());
    let surfaces = Surfaces::each(|index| {
        asked.borrow_mut().push(index);
        let place = indices.iter().position(|&other| other == index).unwrap();
        let [width, height, _] = desc.mip_level_size(index.mip_level);
        Ok(Box::new(ImageView::new(&all[place], width, height).unwrap()))
    });
    let texture =
        encode_texture(encoder, surfaces.with_mip_levels(given), desc, options, &Task::new()).unwrap();
    assert_eq!(asked.into_inner(), indices);
    texture
}

/// Returns the blocks of one image of a texture.
fn blocks_of(texture: &Texture, index: ImageIndex) -> &[u8] {
    let [width, height, _] = texture.desc().mip_level_size(index.mip_level);
    let bytes = texture.desc().format.image_bytes(width, height) as usize;
    let slices = texture.image(index.layer, index.face, index.mip_level).unwrap();
    &slices[index.slice as usize * bytes..][..bytes]
}

fn encoded(image: &dyn Image, format: BlockFormat, options: &EncodeOptions) -> Vec<u8> {
    let [width, height] = image.size();
    let mut blocks = vec![0; format.image_bytes(width, height) as usize];
    Encoder::default().encode_into(image, format, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

#[test]
fn given_images_are_where_their_indices_say() {
    for desc in shapes(BlockFormat::Bc1) {
        for given in [1, 2, u32::MAX] {
            let given = given.min(desc.mip_levels);
            let texture = encode(&Encoder::default(), &desc, given, &fast());
            for index in indices(&desc, given) {
                let texels = texels(&desc, index);
                let [width, height, _] = desc.mip_level_size(index.mip_level);
                let image = ImageView::new(&texels, width, height).unwrap();
                let expected = encoded(&image, desc.format.block().unwrap(), &fast());
                assert_same_blocks(&expected, blocks_of(&texture, index), &format!("{index} of {desc:?}"));
            }
        }
    }
}

#[test]
fn levels_of_2d_images_are_made_from_the_last_given() {
    let format = BlockFormat::Bc7;
    for desc in shapes(format).into_iter().filter(|desc| desc.kind != TextureKind::D3) {
        for given in [1, 2] {
            let texture = encode(&Encoder::default(), &desc, given, &fast());
            for index in indices(&desc, given).into_iter().filter(|index| index.mip_level == given - 1) {
                let texels = texels(&desc, index);
                let [width, height, _] = desc.mip_level_size(index.mip_level);
                let image = ImageView::new(&texels, width, height).unwrap();
                let mut level: Box<dyn Image> = Box::new(image);
                for mip_level in given..desc.mip_levels {
                    let mips = MipOptions::new(desc.color_space, desc.alpha_mode);
                    level = Box::new(next_level(&*level, TexelFormat::Rgba8, mips, &Task::new()).unwrap());
                    let expected = encoded(&*level, format, &fast());
                    let index = ImageIndex { mip_level, ..index };
                    assert_same_blocks(&expected, blocks_of(&texture, index), &index.to_string());
                }
            }
        }
    }
}

/// Along the depth, a slice covers two or three slices of the level above: here 0 to 2.5 and 2.5 to 5.
#[test]
fn levels_of_3d_textures_are_halved_along_the_depth() {
    let slices: Vec<_> = [0u8, 50, 100, 150, 200].iter().map(|&value| [[value; 3]; 64]).collect();
    let slices: Vec<_> = slices.iter().map(|texels| ImageView::new(texels, 8, 8).unwrap()).collect();
    let desc = TextureDesc::new_3d(BlockFormat::Bc4Unorm, 8, 8, 5).with_full_mips();
    let surfaces = Surfaces::list(&slices);
    let texture = encode_texture(&Encoder::default(), surfaces, &desc, &fast(), &Task::new()).unwrap();
    let values = |mip_level| {
        let slices = 0..desc.mip_level_size(mip_level)[2];
        let index = |slice| ImageIndex { mip_level, slice, ..ImageIndex::default() };
        let value = |slice| {
            let image = texture.decode(index(slice), &DecodeOptions::default(), &Task::new()).unwrap();
            image.texels().as_rgba8().unwrap()[0][0]
        };
        slices.map(value).collect::<Vec<_>>()
    };
    assert_eq!(values(1), [40, 160]);
    assert_eq!((values(2), values(3)), (vec![100], vec![100]));
}

#[test]
fn srgb_is_for_colors_in_formats_with_an_srgb_variant() {
    let texels: Vec<[u8; 4]> = (0..64).map(|i| [255 * (i % 2) as u8; 4]).collect();
    let image = ImageView::new(&texels, 8, 8).unwrap();
    let encode = |format: BlockFormat, options: &EncodeOptions| {
        let desc = TextureDesc::of_image(&image, format).with_full_mips().with_color_space(ColorSpace::Srgb);
        encode_texture(&Encoder::default(), &image, &desc, options, &Task::new()).map(drop)
    };
    for &format in BlockFormat::ALL.iter().filter(|format| format.has_encoder()) {
        let found = encode(format, &fast());
        match format.has_srgb() {
            true => assert_eq!(found, Ok(()), "{format}"),
            false => {
                let error = found.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Argument, "{error}");
                assert!(error.to_string().contains("has no sRGB variant"), "{error}");
            }
        }
    }
    let error = encode(BlockFormat::Bc7, &fast().with(|o| o.normals = true)).unwrap_err();
    assert_eq!(error, EncodeError::SrgbNormals);
}

#[cfg(feature = "gpu")]
#[test]
fn gpus_give_the_cpu_s_bytes() {
    let Some(gpu) = crate::common::gpu_encoder() else { return };
    let gpu = Encoder::from(gpu);
    let cases = [
        (BlockFormat::Bc1, fast().with(|o| o.rdo = RdoLambda::new(2.0).unwrap())),
        (BlockFormat::Bc3, fast().with(|o| o.weigh_by_alpha = true)),
    ];
    for (format, options) in cases {
        for desc in shapes(format) {
            let [by_cpu, by_gpu] =
                [Encoder::default(), gpu.clone()].map(|encoder| encode(&encoder, &desc, 1, &options));
            assert_same_blocks(by_cpu.data(), by_gpu.data(), &format!("{desc:?}"));
        }
    }
}

#[test]
fn files_give_every_shape_back() {
    for desc in shapes(BlockFormat::Bc3) {
        let texture = encode(&Encoder::default(), &desc, 1, &fast());
        for format in [ContainerFormat::Dds, ContainerFormat::Ktx2] {
            let mut file = Vec::new();
            texture.write(&mut file, format, &TextureWriteOptions::default(), &Task::new()).unwrap();
            let read =
                Texture::read(Cursor::new(&file), &TextureReadOptions::default(), &Task::new()).unwrap();
            assert_eq!(read, texture);
            if format == ContainerFormat::Dds {
                let other = ddsfile::Dds::read(file.as_slice()).unwrap();
                for (layer, face) in (0..desc.layers).flat_map(|l| (0..desc.faces()).map(move |f| (l, f))) {
                    let levels = (0..desc.mip_levels).map(|level| texture.image(layer, face, level).unwrap());
                    let data = other.get_data(layer * desc.faces() + face).unwrap();
                    assert!(data == levels.collect::<Vec<_>>().concat(), "{desc:?}");
                }
            }
        }
    }
}

#[test]
fn images_that_do_not_fit_are_named() {
    let desc = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_layers(2).with_full_mips();
    let error = |surfaces: Surfaces<'_>, desc: &TextureDesc| {
        encode_texture(&Encoder::default(), surfaces, desc, &fast(), &Task::new()).unwrap_err()
    };
    let texels = [[0u8; 4]; 64];
    let image = ImageView::new(&texels, 8, 8).unwrap();
    let small = ImageView::new(&texels, 8, 7).unwrap();
    let found = error((&image).into(), &desc);
    assert_eq!(found.to_string(), "the texture is made of 12 images, 1 are given");
    assert_eq!(
        error(Surfaces::list(&[image; 12]).with_mip_levels(2), &desc),
        EncodeError::SurfaceCount { needed: 24, given: 12 }
    );
    let volume = TextureDesc::new_3d(BlockFormat::Bc1, 8, 8, 5);
    assert_eq!(error(Surfaces::list(&[image; 4]), &volume).kind(), ErrorKind::Argument);
    let found = error(
        Surfaces::each(|index| Ok(Box::new(if index.layer + index.face < 3 { image } else { small }))),
        &desc,
    );
    assert_eq!(found.to_string(), "face 3 of the texture is 8×8, the image given 8×7");
    let found = error(
        Surfaces::each(|index| match index.face {
            5 => Err(SurfaceError::new(ErrorKind::Io, "no such file")),
            _ => Ok(Box::new(image)),
        }),
        &desc,
    );
    assert_eq!((found.to_string().as_str(), found.kind()), ("face 5: no such file", ErrorKind::Io));
    let wrong_level = Surfaces::each(|_| Ok(Box::new(image))).with_mip_levels(2);
    assert_eq!(
        error(wrong_level, &desc).to_string(),
        "mip level 1 of the texture is 4×4, the image given 8×8"
    );
    // More blocks than memory can hold.
    let huge = TextureDesc::new_3d(BlockFormat::Bc7, 1 << 20, 1 << 20, 1 << 20);
    let found = error(Surfaces::each(|_| Ok(Box::new(image))), &huge);
    assert!(matches!(found, EncodeError::OutOfMemory { .. }), "{found}");
    assert_eq!(found.kind(), ErrorKind::Limit);
}

#[test]
fn progress_counts_the_blocks_of_all_images_and_a_token_stops() {
    let desc = TextureDesc::new_3d(BlockFormat::Bc1, 20, 12, 5).with_full_mips();
    let all = all_texels(&desc, 1);
    let images: Vec<_> = all.iter().map(|texels| ImageView::new(texels, 20, 12).unwrap()).collect();
    let options = fast().with(|o| o.rdo = RdoLambda::new(1.0).unwrap());
    let steps = Mutex::new(Vec::new());
    let callback = |progress: Progress| steps.lock().unwrap().push((progress.done, progress.total));
    let task = Task::new().with_progress(&callback);
    encode_texture(&Encoder::default(), Surfaces::list(&images), &desc, &options, &task).unwrap();
    let mut steps = steps.into_inner().unwrap();
    steps.sort_unstable();
    let total = 2 * desc.data_bytes() / 8;
    assert_eq!(steps.last(), Some(&(total, total)));
    assert!(steps.iter().all(|step| step.1 == total));
    assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0), "{steps:?}");

    let token = CancelToken::new();
    let asked = RefCell::new(0);
    let surfaces = Surfaces::each(|index| {
        *asked.borrow_mut() += 1;
        if index.slice == 2 {
            token.cancel();
        }
        Ok(Box::new(images[index.slice as usize]))
    });
    let task = Task::new().with_cancel(&token);
    let stopped = encode_texture(&Encoder::default(), surfaces, &desc, &options, &task);
    assert_eq!((stopped, asked.into_inner()), (Err(EncodeError::Cancelled(Cancelled)), 3));
}
