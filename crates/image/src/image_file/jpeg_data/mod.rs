//! Damage in the entropy-coded data of JPEG files.
//!
//! Decoders turn damaged data into grey or shifted texels without an error. The Huffman codes are therefore
//! read first, without interpreting them (ITU-T T.81, annexes F and G). Damage is a code that does not exist,
//! data that end before or after the last block, or a restart marker in the wrong place.

mod bits;

use super::{budget::zeroed, tracked_reader::TrackedReader};
use bits::{Bytes, Code, Data, Fault};
use std::io::{self, Seek, SeekFrom};

/// Maximum number of bytes between the last block and the next marker. Some encoders pad.
const MAX_EXTRA_BYTES: u64 = 2;

/// Maximum number of scans that are examined. The decoder refuses files with more.
const MAX_SCANS: u32 = 100;

/// State of the entropy-coded data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataState {
    /// There is no damage, or the codes are not Huffman codes.
    Sound,
    /// The file has all coefficients, and then ends without a marker.
    NoEnd,
    /// Position of the first damage, in bytes from the start of the file.
    Damage(u64),
}

/// Returns the state of the entropy-coded data.
pub(super) fn examine(source: &mut TrackedReader<'_>) -> io::Result<DataState> {
    source.seek(SeekFrom::Start(2))?;
    let mut data = Data::new(Bytes::new(source));
    match read_scans(&mut data) {
        Ok(state) => Ok(state),
        Err(Fault::Damage) => Ok(DataState::Damage(data.position())),
        Err(Fault::Io(error)) => Err(error),
    }
}

fn read_scans(data: &mut Data<'_, '_>) -> Result<DataState, Fault> {
    let mut tables = Tables::default();
    let mut frame: Option<Frame> = None;
    let mut scan_count = 0;
    loop {
        let marker = match data.bytes.marker() {
            Err(error)
                if error.kind() == io::ErrorKind::UnexpectedEof
                    && frame.as_ref().is_some_and(Frame::is_complete) =>
            {
                return Ok(DataState::NoEnd);
            }
            marker => marker?,
        };
        match marker {
            // The decoder refuses a second frame.
            0xc0..=0xc2 if frame.is_some() => return Ok(DataState::Sound),
            0xc0..=0xc2 => frame = Frame::of(&data.bytes.segment()?, marker == 0xc2),
            // Lossless, hierarchical and arithmetic processes.
            0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => return Ok(DataState::Sound),
            0xc4 => tables.add(&data.bytes.segment()?),
            0xdd => {
                let segment = data.bytes.segment()?;
                tables.restart_interval =
                    segment.first_chunk().map_or(0, |&bytes| u16::from_be_bytes(bytes).into());
            }
            0xda => {
                let header = data.bytes.segment()?;
                let Some(frame) = &mut frame else { return Ok(DataState::Sound) };
                let Some(scan) = Scan::of(&header, frame) else { return Ok(DataState::Sound) };
                scan_count += 1;
                if scan_count > MAX_SCANS {
                    return Ok(DataState::Sound);
                }
                data.forget_bits();
                scan.read(frame, &tables, data)?;
            }
            0xd9 => return Ok(DataState::Sound),
            0x01 | 0xd0..=0xd8 => {}
            _ => drop(data.bytes.segment()?),
        }
    }
}

/// Settings from segments.
#[derive(Default)]
struct Tables {
    dc: [Code; 4],
    ac: [Code; 4],
    restart_interval: u64,
}

impl Tables {
    /// Adds the codes of a segment, up to the first incomplete one.
    fn add(&mut self, mut segment: &[u8]) {
        while let Some((&[class, counts @ ..], rest)) = segment.split_first_chunk::<17>() {
            let symbol_count: usize = counts.iter().map(|&count| usize::from(count)).sum();
            let Some((symbols, rest)) = rest.split_at_checked(symbol_count) else { return };
            let code = Code::new(&counts, symbols);
            let codes = if class >> 4 == 0 { &mut self.dc } else { &mut self.ac };
            if let Some(target) = codes.get_mut(usize::from(class & 15)) {
                *target = code;
            }
            segment = rest;
        }
    }
}

struct Component {
    id: u8,
    sampling: [u64; 2],
    /// Columns and rows of blocks that cover the picture, for scans of this component alone.
    own_blocks: [u64; 2],
    /// Number of blocks in a row of whole MCUs.
    row_blocks: u64,
    /// Mask of the nonzero coefficients of each block. Only progressive files need it.
    history: Vec<u64>,
    /// For each coefficient, the number of lower bits that later scans add; `u8::MAX` before the first scan.
    missing_bits: [u8; 64],
}

struct Frame {
    is_progressive: bool,
    mcus: [u64; 2],
    components: Vec<Component>,
}

impl Frame {
    fn of(segment: &[u8], is_progressive: bool) -> Option<Self> {
        let &[_, h1, h0, w1, w0, count, ref components @ ..] = segment else { return None };
        let size = [[w1, w0], [h1, h0]].map(|side| u64::from(u16::from_be_bytes(side)));
        let components = components.as_chunks::<3>().0;
        let components = &components[..components.len().min(count.into())];
        let samplings = components.iter().map(|&[_, s, _]| [u64::from(s >> 4), u64::from(s & 15)]);
        let samplings: Vec<_> = samplings.collect();
        let most = [0, 1].map(|axis| samplings.iter().map(|s| s[axis]).max().unwrap_or(0));
        if size.contains(&0) || samplings.as_flattened().contains(&0) || samplings.is_empty() {
            return None;
        }
        let mcus = [0, 1].map(|axis| size[axis].div_ceil(8 * most[axis]));
        let component = |(&[id, ..], &sampling): (&[u8; 3], &[u64; 2])| {
            let own_blocks =
                [0, 1].map(|axis| (size[axis] * sampling[axis]).div_ceil(most[axis]).div_ceil(8));
            let row_blocks = mcus[0] * sampling[0];
            let block_count = if is_progressive { row_blocks * mcus[1] * sampling[1] } else { 0 };
            let history = zeroed(usize::try_from(block_count).ok()?)?;
            let missing_bits = [u8::MAX; 64];
            Some(Component { id, sampling, own_blocks, row_blocks, history, missing_bits })
        };
        let components = components.iter().zip(&samplings).map(component).collect::<Option<_>>()?;
        Some(Self { is_progressive, mcus, components })
    }

    /// True if scans have all bits of all coefficients.
    fn is_complete(&self) -> bool {
        self.components.iter().all(|component| component.missing_bits == [0; 64])
    }
}

struct Scan {
    /// Index of each component, and of its codes for DC and AC.
    components: Vec<[usize; 3]>,
    /// First and last coefficient.
    band: [u32; 2],
    /// True if the scan adds bits to coefficients of earlier scans.
    is_refinement: bool,
    /// Number of lower bits that later scans add.
    missing_bits: u8,
}

impl Scan {
    fn of(header: &[u8], frame: &Frame) -> Option<Self> {
        let (&count, rest) = header.split_first()?;
        let (components, rest) = rest.split_at_checked(2 * usize::from(count))?;
        let &[first, last, approximation, ..] = rest else { return None };
        let is_band = last <= 63 && if first == 0 { last == 0 } else { first <= last && count == 1 };
        if frame.is_progressive && !is_band {
            return None;
        }
        let component = |&[id, codes]: &[u8; 2]| {
            let index = frame.components.iter().position(|component| component.id == id)?;
            Some([index, usize::from(codes >> 4) & 3, usize::from(codes & 3)])
        };
        let components: Vec<_> =
            components.as_chunks::<2>().0.iter().map(component).collect::<Option<_>>()?;
        let band = if frame.is_progressive { [u32::from(first), u32::from(last)] } else { [0, 63] };
        let is_refinement = frame.is_progressive && approximation >> 4 != 0;
        let missing_bits = if frame.is_progressive { approximation & 15 } else { 0 };
        (!components.is_empty()).then_some(Self { components, band, is_refinement, missing_bits })
    }

    fn read(&self, frame: &mut Frame, tables: &Tables, data: &mut Data<'_, '_>) -> Result<(), Fault> {
        let [columns, rows] = match self.components[..] {
            [[index, ..]] => frame.components[index].own_blocks,
            _ => frame.mcus,
        };
        let mut run = 0;
        for mcu in 0..columns * rows {
            if tables.restart_interval > 0 && mcu > 0 && mcu % tables.restart_interval == 0 {
                let is_extra = data.extra_bytes()? > MAX_EXTRA_BYTES;
                let expected = 0xd0 + ((mcu / tables.restart_interval - 1) % 8) as u8;
                if is_extra || data.bytes.marker()? != expected {
                    return Err(Fault::Damage);
                }
                run = 0;
            }
            let place = [mcu % columns, mcu / columns];
            for &[index, dc, ac] in &self.components {
                let codes = [&tables.dc[dc], &tables.ac[ac]];
                let component = &mut frame.components[index];
                let [across, down] = if self.components.len() == 1 { [1, 1] } else { component.sampling };
                for block in 0..across * down {
                    let [x, y] = [place[0] * across + block % across, place[1] * down + block / across];
                    let at = (y * component.row_blocks + x) as usize;
                    let mut unused = 0;
                    let history = component.history.get_mut(at).unwrap_or(&mut unused);
                    self.block(frame.is_progressive, codes, history, &mut run, data)?;
                }
            }
        }
        if data.extra_bytes()? > MAX_EXTRA_BYTES {
            return Err(Fault::Damage);
        }
        let [first, last] = self.band.map(|coefficient| coefficient as usize);
        for [index, ..] in &self.components {
            frame.components[*index].missing_bits[first..=last].fill(self.missing_bits);
        }
        Ok(())
    }

    /// Reads a block. `run` is the number of blocks after it that have no further coefficients.
    fn block(
        &self,
        is_progressive: bool,
        [dc, ac]: [&Code; 2],
        history: &mut u64,
        run: &mut u32,
        data: &mut Data<'_, '_>,
    ) -> Result<(), Fault> {
        let [mut k, last] = self.band;
        if k == 0 {
            if self.is_refinement {
                data.bit()?;
            } else {
                let size = data.symbol(dc)?;
                if size > 16 {
                    return Err(Fault::Damage);
                }
                data.number(size.into())?;
            }
            if is_progressive {
                return Ok(());
            }
            k = 1;
        }
        if self.is_refinement {
            return self.refine(k, ac, history, run, data);
        }
        if *run > 0 {
            *run -= 1;
            return Ok(());
        }
        while k <= last {
            let symbol = data.symbol(ac)?;
            let (zeros, size) = (u32::from(symbol >> 4), u32::from(symbol & 15));
            if size == 0 && zeros < 15 {
                // The rest is 0. In sequential files, this applies to this block alone.
                *run = if is_progressive { (1 << zeros) + data.number(zeros)? - 1 } else { 0 };
                return Ok(());
            }
            k += zeros;
            if k > last {
                return Err(Fault::Damage);
            }
            data.number(size)?;
            *history |= u64::from(size > 0) << k;
            k += 1;
        }
        Ok(())
    }

    /// Reads a block of a scan that refines coefficients (T.81, G.1.2.3).
    fn refine(
        &self,
        mut k: u32,
        ac: &Code,
        history: &mut u64,
        run: &mut u32,
        data: &mut Data<'_, '_>,
    ) -> Result<(), Fault> {
        let last = self.band[1];
        let mut found = 0;
        while *run == 0 && k <= last {
            let symbol = data.symbol(ac)?;
            let (mut zeros, size) = (u32::from(symbol >> 4), symbol & 15);
            match size {
                0 if zeros < 15 => {
                    *run = (1 << zeros) + data.number(zeros)?;
                    break;
                }
                0 => {}
                1 => drop(data.bit()?),
                _ => return Err(Fault::Damage),
            }
            while k <= last {
                if *history >> k & 1 == 1 {
                    data.bit()?;
                } else if zeros == 0 {
                    break;
                } else {
                    zeros -= 1;
                }
                k += 1;
            }
            if size == 1 {
                if k > last {
                    return Err(Fault::Damage);
                }
                found |= 1 << k;
            }
            k += 1;
        }
        if *run > 0 {
            *run -= 1;
            for k in k..=last {
                if *history >> k & 1 == 1 {
                    data.bit()?;
                }
            }
        }
        *history |= found;
        Ok(())
    }
}
