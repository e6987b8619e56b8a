//! Tests of every kernel without a GPU. See [`brickwork_gpu::testing`].

use brickwork_gpu::testing::{assert_default_limits, assert_every_language, assert_one_text_per_name};
use brickwork_papers::kernels;

#[test]
fn every_kernel_becomes_every_language() {
    assert_every_language(&kernels());
}

#[test]
fn every_kernel_stays_within_the_default_limits() {
    assert_default_limits(&kernels());
}

#[test]
fn kernels_of_one_name_have_one_text() {
    assert_one_text_per_name(&kernels());
}
