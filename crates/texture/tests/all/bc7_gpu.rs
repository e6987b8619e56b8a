//! Tests that the GPU's blocks of BC7 equal the CPU's, byte for byte.

use crate::common::{self, compare, gpu_encoder};
use brickwork_texture::{
    BlockFormat::Bc7,
    ChannelWeights, EncodeOptions, Quality, RealTime,
    bc::bc7::{Bc7Options, ModeSet},
};

#[test]
fn bc7_gives_the_twin_s_bytes_at_every_quality() {
    let Some(gpu) = gpu_encoder() else { return };
    for &quality in Quality::ALL {
        for (width, height) in common::SIZES {
            if width > 33 && quality >= Quality::High {
                continue;
            }
            for fixture in common::fixtures(width, height) {
                compare(&gpu, &fixture, Bc7, &EncodeOptions::default().with(|o| o.quality = quality));
            }
        }
    }
}

#[test]
fn bc7_gives_the_twin_s_bytes_with_weights_and_modes() {
    let Some(gpu) = gpu_encoder() else { return };
    for modes in ["4", "5", "6", "7", "0,6", "1,7", "2,5", "3,4", "0,1,2,3,4,6,7"] {
        let bc7 = Bc7Options::default().with(|o| o.modes = modes.parse::<ModeSet>().unwrap());
        for quality in [Quality::Fast, Quality::High] {
            let options = EncodeOptions::default().with(|o| {
                o.quality = quality;
                o.bc7 = bc7;
            });
            for fixture in common::fixtures(33, 9) {
                compare(&gpu, &fixture, Bc7, &options.with(|o| o.weights = ChannelWeights::LUMA));
            }
        }
    }
}

#[test]
fn bc7_in_real_time_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    for &level in RealTime::ALL {
        let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
        for (width, height) in common::SIZES {
            for fixture in common::fixtures(width, height) {
                compare(&gpu, &fixture, Bc7, &options);
            }
        }
    }
}
