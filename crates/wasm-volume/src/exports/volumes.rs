//! Functions of volumes: files, looks, cameras, slices, and the kernels' inputs.

use crate::{
    failure::Failure,
    open::run,
    request::{Request, whole},
    source::{Described, Part, Source, format_of, range_bytes},
    view::VolumeView,
};
use brickwork_volume::{Progress, Task};

#[link(wasm_import_module = "brickwork")]
unsafe extern "C" {
    /// Receives the progress of [`brickwork_load`]: the address and the length of the stage's name in UTF-8,
    /// and the units of work that are done and all.
    safe fn progress(name: *const u8, length: usize, done: f64, total: f64);
}

/// Returns the name of the format of a file with the first bytes of the input, or nothing if the module does
/// not read it.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_format() -> u32 {
    run(|_, input| Ok(format_of(&input).as_bytes().to_vec()))
}

/// Starts a `.bwv` file of this size, none of whose bytes is supplied.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_open(byte_count: f64) -> u32 {
    run(|open, _| {
        let byte_count = bytes("the size of the file", byte_count)?;
        open.view = None;
        open.source = Some(Source::of_ranges(byte_count));
        Ok(Vec::new())
    })
}

/// Opens a whole file of any format that describes itself: the input. Only the full module has this function.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_open_whole() -> u32 {
    run(|open, input| {
        (open.view, open.source) = (None, None);
        open.source = Some(Source::Whole(crate::source::Whole::new(input)?));
        Ok(Vec::new())
    })
}

/// Opens a volume that the host reads. Input: its description as JSON ([`Described::new`]).
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_describe() -> u32 {
    run(|open, input| {
        open.view = None;
        open.source = Some(Source::Described(Described::new(&Request::parse(&input)?)?));
        Ok(Vec::new())
    })
}

/// Supplies the input as the voxels of the next part of a described volume that is loaded, or of its next
/// slice: numbers of its type in little-endian order, x fastest.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_supply_voxels() -> u32 {
    run(|open, input| {
        open.source()?.supply_voxels(input)?;
        Ok(Vec::new())
    })
}

/// Returns the byte ranges to be supplied before the file is open: pairs of start and end, as doubles. If
/// there is none, the file is open.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_needed() -> u32 {
    run(|open, _| Ok(range_bytes(&open.source()?.needed()?)))
}

/// Supplies the input as the bytes from `offset` on.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_supply(offset: f64) -> u32 {
    run(|open, input| {
        open.source()?.supply(bytes("the offset", offset)?, input)?;
        Ok(Vec::new())
    })
}

/// Returns the facts of the open file, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_facts() -> u32 {
    run(|open, _| Ok(open.source()?.facts()?.to_string().into_bytes()))
}

/// Returns the byte ranges to be supplied before a part can be loaded or read. Input: a part as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_missing() -> u32 {
    run(|open, input| {
        let source = open.source()?;
        let part = Part::new(&Request::parse(&input)?, source)?;
        Ok(range_bytes(&source.missing(&part)?))
    })
}

/// Returns the voxels of a region: numbers of the file's type in little-endian order, channels fastest, then
/// x, y and z. Input: a part with a region as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_read() -> u32 {
    run(|open, input| {
        let source = open.source()?;
        let part = Part::new(&Request::parse(&input)?, source)?;
        source.read(&part)
    })
}

/// Loads a part for rendering. Input: the part as JSON, `bufferBytes`, the maximum size of a buffer with
/// pages, and `poolBytes`, the maximum size of all pages: a larger volume has slots. Parts on demand always
/// have slots. Output: sizes as JSON. Calls the import `progress`.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_load() -> u32 {
    run(|open, input| {
        let request = Request::parse(&input)?;
        let part = Part::new(&request, open.source()?)?;
        // Two parts at once could be too large.
        open.view = None;
        let source = open.source()?;
        let report = |Progress { stage, done, total, .. }: Progress| {
            let name = stage.to_string();
            progress(name.as_ptr(), name.len(), done as f64, total as f64);
        };
        let task = Task::new().with_progress(&report);
        let view = if part.is_on_demand {
            let (volume, pages) = source.stream(&part, &task)?;
            VolumeView::new(volume, Some(pages), &request, &task)?
        } else {
            VolumeView::new(source.load(&part, &task)?, None, &request, &task)?
        };
        let facts = view.facts().to_string().into_bytes();
        open.view = Some(view);
        Ok(facts)
    })
}

/// Drops the bytes that were supplied, except for header, index and tables.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_drop_bytes() -> u32 {
    run(|open, _| {
        open.source()?.drop_bytes();
        Ok(Vec::new())
    })
}

/// Chooses the look. Input: options as JSON. Output: the choice as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_look() -> u32 {
    run(|open, input| {
        let request = Request::parse(&input)?;
        Ok(open.view()?.set_look(&request)?.to_string().into_bytes())
    })
}

/// Prepares a rendering. Input: camera and size as JSON. Output: sizes as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_view() -> u32 {
    run(|open, input| {
        let request = Request::parse(&input)?;
        Ok(open.view()?.set_view(&request)?.to_string().into_bytes())
    })
}

/// Returns an input of the kernels as bytes. Kinds: 0 shape, 1 records, 2 tables, 3 look, 4 page `number`, 5
/// parameters of the view, 6 slot of each page. Kind 7 is for parts on demand: the first byte of the records
/// that pages have changed, as a word, and these records; or nothing.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_buffer(kind: u32, number: u32) -> u32 {
    run(|open, _| {
        let (source, view) = open.source_and_view()?;
        view?.buffer(kind, number as usize, source)
    })
}

/// Returns the byte ranges to be supplied before pages of a part on demand are returned. Input: the numbers
/// of the pages as words.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_missing_pages() -> u32 {
    run(|open, input| {
        let (source, view) = open.source_and_view()?;
        Ok(range_bytes(&view?.missing_pages(&input, source)?))
    })
}

/// Returns the boxes of pages of a described volume on demand: from and to along x, y and z, as doubles.
/// Input: the numbers of the pages as words.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_page_boxes() -> u32 {
    run(|open, input| Ok(range_bytes(&open.view()?.page_boxes(&input)?)))
}

/// Lays out a page of a described volume on demand, which [`brickwork_buffer`] then returns once. Input: the
/// voxels of its box.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_supply_page(number: u32) -> u32 {
    run(|open, input| {
        open.view()?.supply_page(number as usize, &input)?;
        Ok(Vec::new())
    })
}

/// Assigns slots to pages that rays wait for. Input: the bits of missing and of requested pages. Output:
/// page, buffer, and first byte in the buffer of each page to be loaded, as words.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_assign() -> u32 {
    run(|open, input| open.view()?.assign(&input))
}

/// Empties all slots: none of the pages is loaded any more, because the buffers are new.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_empty_slots() -> u32 {
    run(|open, _| {
        open.view()?.empty_slots();
        Ok(Vec::new())
    })
}

/// Renders the prepared view on the CPU. Output: four bytes per pixel. Only the full module has this
/// function.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_render() -> u32 {
    run(|open, _| open.view()?.render())
}

/// Returns a slice of the loaded part as an image. Input: axis, index and window as JSON. Output: width,
/// height, index and number of slices as words, the distances of voxels to the right and down as doubles,
/// then four bytes per pixel.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_slice() -> u32 {
    run(|open, input| {
        let request = Request::parse(&input)?;
        open.view()?.slice(&request)
    })
}

/// Returns the byte ranges to be supplied before a slice of the file is read. Input: a part, axis and index
/// as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_missing_slice() -> u32 {
    run(|open, input| {
        let request = Request::parse(&input)?;
        Ok(range_bytes(&open.source()?.missing_slice(&request)?))
    })
}

/// Returns the region of a slice of a described volume, whose voxels are to be supplied: start and end along
/// x, y and z, as doubles. Input: a part, axis and index as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_slice_region() -> u32 {
    run(|open, input| {
        let request = Request::parse(&input)?;
        Ok(range_bytes(&open.source()?.slice_region(&request)?))
    })
}

/// Returns a slice of a mip level, frame and channel of the file, in the form of [`brickwork_slice`]. Input:
/// a part, axis, index and window as JSON. Default of the window: that of the loaded part.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_file_slice() -> u32 {
    run(|open, input| {
        let request = Request::parse(&input)?;
        let (source, view) = open.source_and_view()?;
        source.slice(&request, || view?.window())
    })
}

/// Returns a number of bytes.
fn bytes(name: &str, number: f64) -> Result<u64, Failure> {
    whole(number).ok_or_else(|| Failure::argument(format!("{name} is {number}, which is not a whole number")))
}
