//! `brickwork volume`: conversion of volumes to `.bwv` files and back, one file per verb.

mod args;
mod channels;
mod compare;
mod conversion;
mod convert;
mod encode;
mod extract;
mod failure;
mod info;
pub mod input;
mod lengths;
mod output;
mod output_format;
mod overlay;
mod physical;
mod property;
mod render;
mod slice;
mod stats;
mod values;
mod verify;

use crate::{exit::Exit, failure::Failure};
use clap::Subcommand;

/// Compress volumes without loss; extract regions of them, convert, compare and show them
#[derive(clap::Args)]
#[command(
    subcommand_required = true,
    subcommand_value_name = "COMMAND",
    subcommand_help_heading = "Commands",
    after_help = "Examples:
  brickwork volume encode scan.nrrd                       scan.bwv beside it
  brickwork volume encode scan.nii.gz                     NIfTI; decode -o scan.nii.gz goes back
  brickwork volume encode scan.raw --dims 512x512x361 --type u16 --spacing 0.34,0.34,0.5
  brickwork volume info scan.bwv
  brickwork volume verify scan.bwv
  brickwork volume extract scan.bwv --region 10..20,0..64,5 -o part.nrrd
  brickwork volume slice scan.bwv --axis z --index 100 -o slice.png
  brickwork volume render scan.bwv -o scan.png
  brickwork volume convert scan.nrrd -o scan.nii.gz
  brickwork volume compare scan.nrrd scan.bwv             the voxels of both
  brickwork volume stats scan.nrrd                        minimum, mean, percentiles, …"
)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Encode(encode::Args),
    Decode(extract::DecodeArgs),
    Info(info::Args),
    Verify(verify::Args),
    Extract(extract::Args),
    Slice(slice::Args),
    Render(Box<render::Args>),
    Convert(convert::Args),
    Compare(compare::Args),
    Stats(stats::Args),
}

/// Runs the verb.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    match &args.verb {
        Verb::Encode(args) => encode::run(args),
        Verb::Decode(args) => extract::run_decode(args),
        Verb::Info(args) => info::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Extract(args) => extract::run(args),
        Verb::Slice(args) => slice::run(args),
        Verb::Render(args) => render::run(args),
        Verb::Convert(args) => convert::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Stats(args) => stats::run(args),
    }
}
