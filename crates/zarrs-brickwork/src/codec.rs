//! The codec: whole chunks.

use crate::{
    configuration::Configuration, failure::failure, partial_decoder::PartialDecoder, shape::chunk_shape,
};
use brickwork_volume::{AnyView, BrickSize, ChunkOptions, Dims, Strides, Task, decode_chunk, encode_chunk};
use std::{any::Any, num::NonZeroU64, sync::Arc};
use zarrs::{
    array::{
        ArrayBytes, ArrayBytesRaw, ArrayCodecTraits, ArrayPartialDecoderTraits, ArrayToBytesCodecTraits,
        BytesPartialDecoderTraits, BytesRepresentation, ChunkShape, Codec, CodecError, CodecMetadataOptions,
        CodecOptions, CodecTraits, CodecTraitsV3, DataType, FillValue, RecommendedConcurrency,
        codec::api::{CodecPluginV3, PartialDecoderCapability, PartialEncoderCapability},
    },
    metadata::{Configuration as JsonConfiguration, v3::MetadataV3},
    plugin::{PluginCreateError, ZarrVersion},
};

/// The codec `brickwork`: an array → bytes codec for integers and floats of 8 to 64 bits, of up to three axes
/// (more, if the first ones have one element).
#[derive(Clone, Copy, Debug)]
pub struct BrickworkCodec {
    brick: BrickSize,
}

zarrs::plugin::impl_extension_aliases!(BrickworkCodec, v3: "brickwork");

inventory::submit! {
    CodecPluginV3::new::<BrickworkCodec>()
}

impl BrickworkCodec {
    /// Returns the codec that encodes with bricks of this size. It decodes any.
    pub const fn new(brick: BrickSize) -> Self {
        Self { brick }
    }
}

impl CodecTraitsV3 for BrickworkCodec {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let configuration: Configuration = metadata.to_typed_configuration()?;
        Ok(Codec::ArrayToBytes(Arc::new(Self::new(configuration.brick()))))
    }
}

impl CodecTraits for BrickworkCodec {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn configuration(&self, _: ZarrVersion, _: &CodecMetadataOptions) -> Option<JsonConfiguration> {
        let value = serde_json::to_value(Configuration::of(self.brick)?).ok()?;
        Some(value.as_object()?.clone().into())
    }

    fn partial_decoder_capability(&self) -> PartialDecoderCapability {
        PartialDecoderCapability { partial_read: true, partial_decode: true }
    }

    fn partial_encoder_capability(&self) -> PartialEncoderCapability {
        PartialEncoderCapability { partial_encode: false }
    }
}

impl ArrayCodecTraits for BrickworkCodec {
    fn recommended_concurrency(
        &self,
        _: &[NonZeroU64],
        _: &DataType,
    ) -> Result<RecommendedConcurrency, CodecError> {
        Ok(RecommendedConcurrency::new_maximum(1))
    }

    fn partial_decode_granularity(&self, shape: &[NonZeroU64]) -> ChunkShape {
        let Dims { x, y, z } = self.brick.dims();
        let sides = [x, y, z].into_iter().chain(std::iter::repeat(1));
        let brick = sides.map(|side| NonZeroU64::new(side as u64).unwrap_or(NonZeroU64::MIN));
        let mut granularity: Vec<_> = shape.iter().rev().zip(brick).map(|(&s, brick)| s.min(brick)).collect();
        granularity.reverse();
        granularity
    }
}

impl ArrayToBytesCodecTraits for BrickworkCodec {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToBytesCodecTraits> {
        self
    }

    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &DataType,
        _: &FillValue,
    ) -> Result<BytesRepresentation, CodecError> {
        chunk_shape(shape, data_type)?;
        Ok(BytesRepresentation::UnboundedSize)
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        _: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let (shape, voxels) = (chunk_shape(shape, data_type)?, bytes.into_fixed()?);
        let view = AnyView::new(&voxels, shape.voxel_type(), shape.dims(), 1).map_err(failure)?;
        let mut fill = [0; 8];
        for (byte, &fill) in fill.iter_mut().zip(fill_value.as_ne_bytes()) {
            *byte = fill;
        }
        // The number's bits, in the low bits.
        let fill = if cfg!(target_endian = "big") {
            u64::from_be_bytes(fill) >> (64 - shape.voxel_type().bit_count())
        } else {
            u64::from_le_bytes(fill)
        };
        let options = ChunkOptions::new(self.brick).with(|o| o.fill = fill);
        Ok(encode_chunk(&view, &options, &Task::new()).map_err(failure)?.into())
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytesRaw<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        _: &FillValue,
        _: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let shape = chunk_shape(shape, data_type)?;
        let byte_count = shape.dims().byte_count(shape.voxel_type().byte_count()).map_err(failure)?;
        let (mut voxels, strides) = (vec![0; byte_count], Strides::dense(shape.dims(), 1));
        decode_chunk(&bytes, &shape, &mut voxels, &strides, &Task::new()).map_err(failure)?;
        Ok(ArrayBytes::new_flen(voxels))
    }

    fn partial_decoder(
        self: Arc<Self>,
        input_handle: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        _: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        Ok(Arc::new(PartialDecoder::new(input_handle, shape, data_type, fill_value)?))
    }
}
