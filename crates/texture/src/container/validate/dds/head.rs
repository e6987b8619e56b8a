//! Magic and header.

use super::{
    layout::Layout,
    rules,
    section::{self, Section, word},
};
use crate::container::{
    ContainerError,
    byte_source::ByteSource,
    dds_header::{
        DIMENSION_1D, DIMENSION_3D, DX10_BYTES, FourCc, HEADER_BYTES, LEGACY_BYTES, MAGIC, caps2, flags,
        misc_flag, pixel_flags,
    },
    error::starts_with,
    validate::finding::Findings,
};
use crate::texture::full_mip_levels;

/// `DDSD_CAPS` and so on, without those in [`flags`].
const PITCH_FLAG: u32 = 8;
const KNOWN_FLAGS: u32 = flags::REQUIRED | flags::MIP_LEVELS | flags::LINEAR_SIZE | flags::DEPTH | PITCH_FLAG;

/// Offsets of fields from the start of the file.
pub(super) mod offset {
    pub const SIZE: u64 = 4;
    pub const FLAGS: u64 = 8;
    pub const HEIGHT: u64 = 12;
    pub const WIDTH: u64 = 16;
    pub const PITCH: u64 = 20;
    pub const DEPTH: u64 = 24;
    pub const MIP_LEVELS: u64 = 28;
    pub const PIXEL_FORMAT_SIZE: u64 = 76;
    pub const PIXEL_FORMAT_FLAGS: u64 = 80;
    pub const FOUR_CC: u64 = 84;
    pub const BIT_COUNT: u64 = 88;
    pub const MASKS: u64 = 92;
    pub const CAPS: u64 = 108;
    pub const CAPS2: u64 = 112;
    pub const DXGI_FORMAT: u64 = 128;
    pub const DIMENSION: u64 = 132;
    pub const MISC_FLAG: u64 = 136;
    pub const ARRAY_SIZE: u64 = 140;
    pub const MISC_FLAGS2: u64 = 144;
}

/// The DX10 header as stored.
pub(super) struct Dx10 {
    pub format: u32,
    pub dimension: u32,
    pub misc_flag: u32,
    pub array_size: u32,
    pub misc_flags2: u32,
}

/// The header as stored.
pub(super) struct Head {
    pub size: u32,
    pub flags: u32,
    pub height: u32,
    pub width: u32,
    pub pitch: u32,
    pub depth: u32,
    pub mip_levels: u32,
    pub pixel_format_size: u32,
    pub pixel_flags: u32,
    pub four_cc: FourCc,
    pub bit_count: u32,
    /// Masks of red, green, blue and alpha.
    pub masks: [u32; 4],
    pub caps: u32,
    pub caps2: u32,
    pub dx10: Option<Dx10>,
}

impl Head {
    pub const fn has_four_cc(&self) -> bool {
        self.pixel_flags & pixel_flags::FOUR_CC != 0
    }

    /// True for a 3D texture. A legacy header has no other sign than these flags.
    pub fn is_volume(&self) -> bool {
        match &self.dx10 {
            Some(dx10) => dx10.dimension == DIMENSION_3D,
            None => self.caps2 & caps2::VOLUME != 0 || self.flags & flags::DEPTH != 0 && self.depth > 1,
        }
    }

    pub fn is_cube(&self) -> bool {
        match &self.dx10 {
            Some(dx10) => dx10.misc_flag & misc_flag::CUBE != 0,
            None => self.caps2 & caps2::CUBE != 0,
        }
    }

    pub fn is_1d(&self) -> bool {
        self.dx10.as_ref().is_some_and(|dx10| dx10.dimension == DIMENSION_1D)
    }

    /// Width, height and depth of mip level 0 in texels, each at least 1.
    pub fn size(&self) -> [u32; 3] {
        let depth = if self.is_volume() { self.depth } else { 1 };
        [self.width, self.height, depth].map(|side| side.max(1))
    }

    pub fn largest_side(&self) -> u32 {
        self.size().into_iter().max().unwrap_or(1)
    }

    /// Number of mip levels down to one texel.
    pub fn most_mip_levels(&self) -> u32 {
        full_mip_levels(self.size())
    }

    /// Number of images of each mip level: layers and faces, without slices.
    pub fn images(&self) -> u64 {
        let layers = self.dx10.as_ref().map_or(1, |dx10| dx10.array_size.max(1));
        let faces = match (&self.dx10, self.is_cube()) {
            (_, false) => 1,
            (Some(_), true) => 6,
            (None, true) => (self.caps2 & caps2::ALL_FACES).count_ones().max(1),
        };
        u64::from(layers) * u64::from(faces)
    }

    /// Position of the data.
    pub const fn data_offset(&self) -> u64 {
        if self.dx10.is_some() { DX10_BYTES } else { LEGACY_BYTES }
    }
}

/// Reads the headers; `None` if the file is too short or not DDS.
pub(super) fn read(
    source: &mut ByteSource<'_>,
    findings: &mut Findings,
) -> Result<Option<Head>, ContainerError> {
    let whole = Section { offset: 0, length: LEGACY_BYTES };
    let name = (&rules::HEADER_ENDS, "the header");
    let bytes = section::read(source, whole, LEGACY_BYTES, name, findings)?;
    let first = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(first) {
        findings.add(&rules::MAGIC, 0, starts_with(first));
        return Ok(None);
    }
    if (bytes.len() as u64) < LEGACY_BYTES {
        return Ok(None);
    }
    let field = |offset: u64| word(&bytes, offset as usize);
    let mut head = Head {
        size: field(offset::SIZE),
        flags: field(offset::FLAGS),
        height: field(offset::HEIGHT),
        width: field(offset::WIDTH),
        pitch: field(offset::PITCH),
        depth: field(offset::DEPTH),
        mip_levels: field(offset::MIP_LEVELS),
        pixel_format_size: field(offset::PIXEL_FORMAT_SIZE),
        pixel_flags: field(offset::PIXEL_FORMAT_FLAGS),
        four_cc: FourCc(field(offset::FOUR_CC)),
        bit_count: field(offset::BIT_COUNT),
        masks: [0, 4, 8, 12].map(|channel| field(offset::MASKS + channel)),
        caps: field(offset::CAPS),
        caps2: field(offset::CAPS2),
        dx10: None,
    };
    if head.has_four_cc() && head.four_cc == FourCc::DX10 {
        let second = Section { offset: LEGACY_BYTES, length: DX10_BYTES - LEGACY_BYTES };
        let name = (&rules::HEADER_ENDS, "the DX10 header");
        let bytes = section::read(source, second, second.length, name, findings)?;
        if (bytes.len() as u64) < second.length {
            return Ok(None);
        }
        let field = |offset: u64| word(&bytes, (offset - LEGACY_BYTES) as usize);
        head.dx10 = Some(Dx10 {
            format: field(offset::DXGI_FORMAT),
            dimension: field(offset::DIMENSION),
            misc_flag: field(offset::MISC_FLAG),
            array_size: field(offset::ARRAY_SIZE),
            misc_flags2: field(offset::MISC_FLAGS2),
        });
    }
    Ok(Some(head))
}

pub(super) fn check(head: &Head, layout: Option<Layout>, findings: &mut Findings) {
    let Head { size, flags, height, width, depth, mip_levels, .. } = *head;
    let mut need = |holds: bool, rule, offset, message: String| {
        findings.add_if(!holds, rule, offset, || message);
    };
    let shown = format!("dwFlags is {flags:#x}");
    need(size == HEADER_BYTES, &rules::HEADER_SIZE, offset::SIZE, format!("dwSize is {size}"));
    let has_required = flags & flags::REQUIRED == flags::REQUIRED;
    need(has_required, &rules::REQUIRED_FLAGS, offset::FLAGS, shown.clone());
    need(flags & !KNOWN_FLAGS == 0, &rules::UNKNOWN_FLAGS, offset::FLAGS, shown.clone());
    need(height != 0, &rules::HEIGHT, offset::HEIGHT, "dwHeight is 0".to_owned());
    need(width != 0, &rules::WIDTH, offset::WIDTH, "dwWidth is 0".to_owned());

    let has_mip_flag = flags & flags::MIP_LEVELS != 0;
    let message = format!("{shown}, and dwMipMapCount is {mip_levels}");
    need(mip_levels <= 1 || has_mip_flag, &rules::MIP_FLAG, offset::FLAGS, message);
    let message = format!("{shown}, and dwMipMapCount is 0");
    need(mip_levels != 0 || !has_mip_flag, &rules::MIP_COUNT_ZERO, offset::MIP_LEVELS, message);
    let largest = head.largest_side();
    let most = head.most_mip_levels();
    let message =
        format!("dwMipMapCount is {mip_levels}, and {largest} texels have at most {most} mip levels");
    need(mip_levels <= most, &rules::MIP_COUNT, offset::MIP_LEVELS, message);

    let has_depth_flag = flags & flags::DEPTH != 0;
    let dimensions = if head.is_volume() { "3D" } else { "not 3D" };
    let message = format!("{shown}, and the texture is {dimensions}");
    need(has_depth_flag == head.is_volume(), &rules::DEPTH_FLAG, offset::FLAGS, message);
    let message = "dwDepth is 0, and the texture is 3D".to_owned();
    need(depth != 0 || !head.is_volume(), &rules::DEPTH, offset::DEPTH, message);

    if let Some(layout) = layout {
        check_pitch(head, layout, findings);
    }
}

fn check_pitch(head: &Head, layout: Layout, findings: &mut Findings) {
    let has = |flag: u32| head.flags & flag != 0;
    let is_compressed = matches!(layout, Layout::Blocks(_));
    let wrong = if is_compressed { PITCH_FLAG } else { flags::LINEAR_SIZE };
    findings.add_if(has(wrong), &rules::PITCH_FLAGS, offset::FLAGS, || {
        let kind = if is_compressed { "compressed" } else { "uncompressed" };
        format!("dwFlags is {:#x}, and the format is {kind}", head.flags)
    });
    let [width, height, depth] = head.size();
    let row = layout.row_bytes(width);
    let (stated, allowed) = if is_compressed {
        // Writers count one slice of a 3D texture, or all.
        let slice = layout.image_bytes(width, height);
        (has(flags::LINEAR_SIZE), [slice, slice.saturating_mul(depth.into())])
    } else {
        // Rows may be padded to 4 bytes, as in Direct3D 9.
        (has(PITCH_FLAG), [row, row.next_multiple_of(4)])
    };
    let is_wrong = stated && !allowed.contains(&u64::from(head.pitch));
    findings.add_if(is_wrong, &rules::PITCH, offset::PITCH, || {
        format!("dwPitchOrLinearSize is {}, and {} is needed", head.pitch, allowed[0])
    });
}
