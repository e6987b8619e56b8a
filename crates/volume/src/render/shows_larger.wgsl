// The largest sample so far.
var<private> largest: u32;

// Whether samples of a cell or block may be larger: the largest display values, from word `start` of `looks`.
fn shows(start: u32, number: u32) -> bool {
    return (looks[start + number] << 8u) > largest;
}
