//! Code that the tests of several files share.

pub(super) mod slow;
