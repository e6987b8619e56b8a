//! Compresses a volume of any format: `cargo run --release -p brickwork-formats --example to_bwv -- IN OUT`.

use brickwork_formats::{VolumeFormat, VolumeOpenOptions, VolumeWriteOptions, open, write_volume};
use brickwork_volume::Task;
use std::{env, error::Error, fs::File, io::BufWriter, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let [input, output] = [1, 2].map(|place| env::args_os().nth(place).expect("an input and an output"));
    compress(input.as_ref(), output.as_ref())
}

fn compress(input: &Path, output: &Path) -> Result<(), Box<dyn Error>> {
    let task = Task::new();
    let volume = open(input, &VolumeOpenOptions::default(), &task)?;
    for note in &volume.notes {
        eprintln!("{}: {note}", input.display());
    }
    let file = BufWriter::new(File::create(output)?);
    write_volume(volume, VolumeFormat::Bwv, &VolumeWriteOptions::default(), file, &task)?;
    Ok(())
}

#[test]
fn a_volume_is_compressed() {
    let folder = tempfile::tempdir().expect("a folder");
    let [input, output] = ["scan.nrrd", "scan.bwv"].map(|name| folder.path().join(name));
    let nrrd = b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\n12345678";
    std::fs::write(&input, nrrd).expect("a file");
    compress(&input, &output).expect("a volume");
    let file = brickwork_volume::VolumeFile::open(&output).expect("our own file");
    assert_eq!(file.header().dims, brickwork_volume::Dims::cube(2));
}
