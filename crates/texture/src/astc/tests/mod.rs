//! What the tests of several files need.

pub(super) mod slow;
