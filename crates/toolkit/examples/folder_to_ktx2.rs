//! Encodes all images of a folder to KTX2 files in another folder, with progress. Enter cancels.

use brickwork_base::{CancelToken, Progress, Task};
use brickwork_toolkit::batch::{BatchOptions, JobResult, find, plan};
use brickwork_toolkit::device::{DeviceChoice, Devices};
use brickwork_toolkit::report::BatchSummary;
use brickwork_toolkit::texture::{
    FormatChoice, MipLevels, TextureFile, TextureJobError, TextureOptions, encode_batch, image_extensions,
};
use std::{env, error::Error, io, path::Path, thread};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [images, textures] = &arguments[..] else { return Err("expected two folders".into()) };
    let token = CancelToken::new();
    let stop = token.clone();
    thread::spawn(move || io::stdin().read_line(&mut String::new()).map(|_| stop.cancel()));
    let print = |Progress { done, total, .. }| eprintln!("{done} of {total}");
    let task = Task::new().with_progress(&print).with_cancel(&token);
    println!("{} files written", run(images.as_ref(), textures.as_ref(), &task)?.written);
    Ok(())
}

fn run(images: &Path, textures: &Path, task: &Task<'_>) -> Result<BatchSummary, Box<dyn Error>> {
    let found = find(&[images.into()], &image_extensions(), true, &task.without_progress())?;
    let jobs = plan(found, Some(&textures.join("")), "ktx2", task)?;
    let mut options = TextureOptions::default();
    options.format = FormatChoice::AUTO;
    options.mip_levels = MipLevels::Full;
    let devices = Devices::open(DeviceChoice::Auto)?;
    let done = |result: Result<JobResult<TextureFile>, TextureJobError>| match result {
        Ok(JobResult::Written(file)) => println!("{}", file.output),
        Ok(_) => {}
        Err(error) => eprintln!("{error}"),
    };
    Ok(encode_batch(&options, &jobs, &BatchOptions::new(), &devices, done, task)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::image_file::{PngTexels, write_png};
    use brickwork_texture::{BlockFormat, ColorSpace, Texture};
    use std::{fs, sync::Mutex};

    #[test]
    fn a_folder_becomes_textures_until_it_is_cancelled() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let [images, textures, none] = ["in", "out", "none"].map(|name| folder.path().join(name));
        fs::create_dir_all(images.join("deep"))?;
        for (name, width) in [("a.png", 5), ("b.png", 40), ("deep/c.png", 16)] {
            let texels: Vec<[u8; 3]> = (0..width * 8).map(|i| [i as u8, 90, (i / 8) as u8]).collect();
            let file = fs::File::create(images.join(name))?;
            write_png(file, width, 8, PngTexels::Rgb8(&texels), ColorSpace::Srgb, &Task::new())?;
        }
        let seen = Mutex::new(Vec::new());
        let see = |progress: Progress| seen.lock().unwrap().push((progress.done, progress.total));
        let summary = run(&images, &textures, &Task::new().with_progress(&see))?;
        assert_eq!((summary.written, summary.failed), (3, 0));
        assert_eq!(seen.into_inner()?, [(1, 3), (2, 3), (3, 3)]);
        let desc = *Texture::open(textures.join("deep/c.ktx2"), &Task::new())?.desc();
        assert_eq!((desc.format.block(), desc.width, desc.mip_levels), (Some(BlockFormat::Bc1), 16, 5));
        let token = CancelToken::new();
        token.cancel();
        let error = run(&images, &none, &Task::new().with_cancel(&token)).unwrap_err();
        assert!(error.to_string() == "cancelled" && !none.exists());
        Ok(())
    }
}
