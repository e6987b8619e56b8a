//! Parts of files.

use super::Source;
use crate::{failure::Failure, request::Request};
use brickwork_volume::{Dims, Region, ResidentOptions, Selection};

/// A part of a file.
#[derive(Clone, Debug)]
pub struct Part {
    pub selection: Selection,
    pub level: usize,
    pub frame: usize,
    /// `None` means all channels, which can be read but not loaded.
    pub channel: Option<usize>,
    pub region: Region,
    pub is_labels: bool,
    pub page_bytes: usize,
    /// Boxes that are pages of a described volume.
    pub page_side: Dims,
    /// Mip level whose supplied voxels choose the look of a described volume on demand.
    pub survey_level: usize,
    /// True if its chunks are read when rays need them.
    pub is_on_demand: bool,
}

impl Part {
    /// Returns the part that a request names: `level`, `frame`, `channel` (default 0; `allChannels`),
    /// `region` (from and to along x, y and z; default: all), `labels`, `pageBytes`, `onDemand`; for
    /// described volumes on demand `pageSide` (x, y and z) and `surveyLevel`.
    pub fn new(request: &Request, source: &Source) -> Result<Self, Failure> {
        let header = source.header()?;
        let index = |name: &str, count: usize| -> Result<usize, Failure> {
            let index = request.count(name)?.unwrap_or(0);
            if index < count as u64 {
                return Ok(index as usize);
            }
            Err(Failure::argument(format!("{name} is {index}; there are {count}, counted from 0")))
        };
        let level = index("level", source.mip_levels(header))?;
        let frame = index("frame", header.frames)?;
        let channel = index("channel", header.channels)?;
        let channel = (!request.flag("allChannels")?).then_some(channel);
        let dims = source.level_dims(level)?;
        let region = match request.counts("region", u32::MAX.into())?.as_deref() {
            None => Region::all(dims),
            Some(&[x0, x1, y0, y1, z0, z1]) => {
                let range = |from: u64, to: u64| from as usize..to as usize;
                let region = Region { x: range(x0, x1), y: range(y0, y1), z: range(z0, z1) };
                region.check(dims)?;
                region
            }
            Some(sides) => {
                let count = sides.len();
                return Err(Failure::argument(format!(
                    "region has {count} numbers, not 6: from and to along x, y and z"
                )));
            }
        };
        let page_bytes = ResidentOptions::default().page_bytes;
        let page_bytes = request.size("pageBytes")?.map_or(page_bytes, |bytes| bytes as usize);
        let [x, y, z] = match request.counts("pageSide", u32::MAX.into())?.as_deref() {
            None => [64; 3],
            Some(&[x, y, z]) => [x, y, z].map(|side| side as usize),
            Some(_) => return Err(Failure::argument("pageSide is not three numbers")),
        };
        let (page_side, survey_level) =
            (Dims::new(x, y, z), index("surveyLevel", source.mip_levels(header))?);
        let selection = selection(level, frame, channel);
        let [is_labels, is_on_demand] = [request.flag("labels")?, request.flag("onDemand")?];
        Ok(Self {
            selection,
            level,
            frame,
            channel,
            region,
            is_labels,
            page_bytes,
            page_side,
            survey_level,
            is_on_demand,
        })
    }

    /// Returns the options of the part in memory.
    pub fn options(&self) -> ResidentOptions {
        let mut options = ResidentOptions::default();
        options.mip_level = self.level;
        options.frame = self.frame;
        options.channel = self.channel.unwrap_or_default();
        options.page_bytes = self.page_bytes;
        options
    }
}

/// Returns the selection of a frame and channel of a mip level.
pub fn selection(mip_level: usize, frame: usize, channel: Option<usize>) -> Selection {
    Selection { mip_level, frames: Some(frame..frame + 1), channel }
}
