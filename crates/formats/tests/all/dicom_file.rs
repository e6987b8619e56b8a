//! DICOM files of one slice, byte by byte from the standard (PS3.5, PS3.10), in explicit little endian.
#![allow(dead_code, reason = "shared by two test programs, which use different parts")]

/// Slice of 16-bit grey.
#[derive(Clone, Debug)]
pub struct DicomSlice {
    pub columns: u16,
    pub rows: u16,
    /// Distance between columns and between rows, in mm.
    pub spacing: [f64; 2],
    /// Position of the first voxel, in mm.
    pub position: [f64; 3],
    /// Directions of rows and columns.
    pub directions: [f64; 6],
    /// True if the file states position and directions.
    pub has_place: bool,
    pub number: u32,
    /// AcquisitionTime.
    pub time: Option<String>,
    /// EchoTime, in ms.
    pub echo: Option<f64>,
    pub bits_stored: u16,
    pub is_signed: bool,
    /// Slope and intercept.
    pub rescale: Option<[f64; 2]>,
    /// Pixels, row by row.
    pub pixels: Vec<u16>,
}

impl DicomSlice {
    /// Returns an axial slice with 1 mm between voxels.
    pub fn new(columns: u16, rows: u16, number: u32, pixels: Vec<u16>) -> Self {
        assert_eq!(pixels.len(), usize::from(columns) * usize::from(rows));
        Self {
            columns,
            rows,
            spacing: [1.0; 2],
            position: [0.0, 0.0, number.into()],
            directions: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
            has_place: true,
            number,
            time: None,
            echo: None,
            bits_stored: 16,
            is_signed: false,
            rescale: None,
            pixels,
        }
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let us = |value: u16| value.to_le_bytes().to_vec();
        let ds = |values: &[f64]| {
            let texts: Vec<_> = values.iter().map(|value| format!("{value:.6}")).collect();
            texts.join("\\").into_bytes()
        };
        let mut file = start("1.2.840.10008.1.2.1", self.number);
        if let Some(time) = &self.time {
            file.extend(element(8, 0x32, b"TM", time.as_bytes()));
        }
        file.extend(element(8, 0x60, b"CS", b"CT"));
        if let Some(echo) = self.echo {
            file.extend(element(0x18, 0x81, b"DS", &ds(&[echo])));
        }
        file.extend(element(0x20, 0xe, b"UI", b"1.2.3\0"));
        file.extend(element(0x20, 0x13, b"IS", self.number.to_string().as_bytes()));
        if self.has_place {
            file.extend(element(0x20, 0x32, b"DS", &ds(&self.position)));
            file.extend(element(0x20, 0x37, b"DS", &ds(&self.directions)));
        }
        file.extend(element(0x28, 2, b"US", &us(1)));
        file.extend(element(0x28, 4, b"CS", b"MONOCHROME2"));
        file.extend(element(0x28, 0x10, b"US", &us(self.rows)));
        file.extend(element(0x28, 0x11, b"US", &us(self.columns)));
        // The distance between rows comes first.
        let [x, y] = self.spacing;
        file.extend(element(0x28, 0x30, b"DS", &ds(&[y, x])));
        file.extend(element(0x28, 0x100, b"US", &us(16)));
        file.extend(element(0x28, 0x101, b"US", &us(self.bits_stored)));
        file.extend(element(0x28, 0x102, b"US", &us(self.bits_stored - 1)));
        file.extend(element(0x28, 0x103, b"US", &us(self.is_signed.into())));
        if let Some([slope, intercept]) = self.rescale {
            file.extend(element(0x28, 0x1052, b"DS", &ds(&[intercept])));
            file.extend(element(0x28, 0x1053, b"DS", &ds(&[slope])));
        }
        let pixels: Vec<u8> = self.pixels.iter().flat_map(|pixel| pixel.to_le_bytes()).collect();
        file.extend(element(0x7fe0, 0x10, b"OW", &pixels));
        file
    }
}

/// Returns the preamble and the file meta information of a transfer syntax.
pub fn start(syntax: &str, number: u32) -> Vec<u8> {
    let mut meta = element(2, 2, b"UI", b"1.2.840.10008.5.1.4.1.1.2\0");
    meta.extend(element(2, 3, b"UI", format!("1.2.3.{number}").as_bytes()));
    meta.extend(element(2, 0x10, b"UI", syntax.as_bytes()));
    meta.extend(element(2, 0x12, b"UI", b"1.2\0"));
    let mut file = [[0; 128].as_slice(), b"DICM"].concat();
    file.extend(element(2, 0, b"UL", &(meta.len() as u32).to_le_bytes()));
    file.extend(meta);
    file
}

/// Returns a data element; values have an even length.
pub fn element(group: u16, number: u16, representation: &[u8; 2], value: &[u8]) -> Vec<u8> {
    let length = value.len().next_multiple_of(2);
    let mut element = [group.to_le_bytes(), number.to_le_bytes(), *representation].concat();
    if matches!(representation, b"OW" | b"OB" | b"OF" | b"OD" | b"SQ") {
        element.extend([0, 0]);
        element.extend((length as u32).to_le_bytes());
    } else {
        element.extend((length as u16).to_le_bytes());
    }
    element.extend(value);
    if value.len() < length {
        element.push(if representation == b"UI" { 0 } else { b' ' });
    }
    element
}
