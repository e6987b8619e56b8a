//! Small TIFF files that claim a lot.

/// A TIFF of one 16×16 page, little-endian. Values of more than four bytes follow the directory.
fn tiff(fields: &[(u16, u16, u32, &[u8])], data: &[u8]) -> Vec<u8> {
    let mut fields = fields.to_vec();
    fields.sort_unstable();
    let mut after = 8 + 2 + 12 * fields.len() + 4;
    let data_at =
        after + fields.iter().filter(|field| field.3.len() > 4).map(|field| field.3.len()).sum::<usize>();
    let data_at = (data_at as u32).to_le_bytes();
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend((fields.len() as u16).to_le_bytes());
    let mut values = Vec::new();
    for (tag, kind, count, value) in fields {
        file.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        file.extend(count.to_le_bytes());
        match value {
            // The place of the data.
            [] => file.extend(data_at),
            [..] if value.len() <= 4 => file.extend([value, &[0; 4]].concat().split_at(4).0),
            [..] => {
                file.extend((after as u32).to_le_bytes());
                values.extend(value);
                after += value.len();
            }
        }
    }
    file.extend([0; 4]);
    [file, values, data.to_vec()].concat()
}

const SHORT: u16 = 3;
const LONG: u16 = 4;

/// A page in a tile of 2³⁰ floats in a row, with the predictor for floats.
pub fn wide_tile() -> Vec<u8> {
    tiff(
        &[
            (256, SHORT, 1, &[16]),
            (257, SHORT, 1, &[16]),
            (258, SHORT, 1, &[32]),
            (259, SHORT, 1, &[8]),
            (262, SHORT, 1, &[1]),
            (277, SHORT, 1, &[1]),
            (317, SHORT, 1, &[3]),
            (322, LONG, 1, &[0, 0, 0, 0x40]),
            (323, LONG, 1, &[16]),
            (324, LONG, 1, &[]),
            (325, LONG, 1, &[100]),
            (339, SHORT, 1, &[3]),
        ],
        &[0; 100],
    )
}

/// A page whose strip is a JPEG image of 16000×16000 texels.
pub fn wide_jpeg() -> Vec<u8> {
    let mut jpeg = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
    jpeg.extend([1; 64]);
    jpeg.extend([0xff, 0xc0, 0, 11, 8, 0x3e, 0x80, 0x3e, 0x80, 1, 1, 0x11, 0]);
    for class in [0, 0x10] {
        jpeg.extend([0xff, 0xc4, 0, 20, class, 1]);
        jpeg.extend([0; 15]);
        jpeg.push(0);
    }
    jpeg.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
    jpeg.extend([0; 64]);
    let length = (jpeg.len() as u32).to_le_bytes();
    tiff(
        &[
            (256, SHORT, 1, &[16]),
            (257, SHORT, 1, &[16]),
            (258, SHORT, 1, &[8]),
            (259, SHORT, 1, &[7]),
            (262, SHORT, 1, &[1]),
            (273, LONG, 1, &[]),
            (277, SHORT, 1, &[1]),
            (278, SHORT, 1, &[16]),
            (279, LONG, 1, &length),
        ],
        &jpeg,
    )
}

/// A page with eight million values of a tag.
pub fn many_values() -> Vec<u8> {
    let (count, at) = (8_000_000, [8; 5]);
    tiff(
        &[
            (256, SHORT, 1, &[16]),
            (257, SHORT, 1, &[16]),
            (258, SHORT, 1, &[8]),
            (259, SHORT, 1, &[1]),
            (262, SHORT, 1, &[1]),
            (273, LONG, count, &at),
            (277, SHORT, 1, &[1]),
            (278, SHORT, 1, &[16]),
            (279, LONG, count, &at),
        ],
        &[0; 256],
    )
}
