//! PNM files with bytes after the first image.

use brickwork_image::{
    Task,
    image_file::{ImageReadOptions, read},
};
use std::io::Cursor;

fn notes(file: &[u8]) -> Vec<String> {
    let options = ImageReadOptions::default();
    read(Cursor::new(file), None, &options, &Task::new()).unwrap().notes
}

#[test]
fn bytes_after_the_first_image_are_noted() {
    let grey = b"P5 2 1 255\n\x01\x02";
    let bits = b"P4 9 2\n\x01\x80\xff\x00";
    let pam = b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n\x01\x02\x03";
    let text = b"P2 2 1 255 7 9 ";
    assert_eq!(notes(grey), [""; 0]);
    assert_eq!(notes(&[&grey[..], b"\n \n"].concat()), [""; 0]);
    let file = [&grey[..], bits, pam, b"\n", grey].concat();
    let rest = bits.len() + pam.len() + 1 + grey.len();
    let note = format!("not read: {rest} bytes after the first image, among them 3 further images");
    assert_eq!(notes(&file), [note]);
    let file = [&text[..], text].concat();
    assert_eq!(notes(&file), ["not read: 15 bytes after the first image, among them 1 further image"]);
    assert_eq!(notes(&[&grey[..], b"xyz"].concat()), ["not read: 3 bytes after the first image"]);
    // A second image that is cut short.
    let file = [&grey[..], &grey[..grey.len() - 1]].concat();
    assert_eq!(notes(&file), ["not read: 12 bytes after the first image"]);
}
