// Values between two endpoints as points of a line (line.rs). The kernel binds `params` and `tables`.

struct Line {
    base: f32,
    step: f32,
    rate: f32,
    start: f32,
    last: f32,
}

fn line_of(six: bool, low: f32, high: f32) -> Line {
    let steps = select(EIGHT_STEPS, SIX_STEPS, six);
    let span = high - low;
    let base = low + select(params.offset_eight, params.offset_six, six);
    let rate = tables[u32(span)] * steps;
    return Line(base, span * select(EIGHT_STEP, SIX_STEP, six), rate, -(base * rate), steps);
}

// Returns the index of the value nearest to the code `v`.
fn nearest(line: Line, v: f32) -> f32 {
    return clamp(round(v * line.rate + line.start), 0.0, line.last);
}

// Returns `v` minus value `k`, rounded as the decoder rounds it.
fn error_of(line: Line, v: f32, k: f32) -> f32 {
    return round(v - line.base - k * line.step);
}
