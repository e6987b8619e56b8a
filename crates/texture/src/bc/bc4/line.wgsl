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
    let base = low * params.grid + select(params.offset_eight, params.offset_six, six);
    let rate = tables[u32(span)] * select(params.rate_eight, params.rate_six, six);
    let step = span * select(params.step_eight, params.step_six, six);
    return Line(base, step, rate, -(base * rate), steps);
}

// Returns the index of the value nearest to a position.
fn nearest(line: Line, position: f32) -> f32 {
    return clamp(round(position * line.rate + line.start), 0.0, line.last);
}

// Returns a position minus value `k`, in steps of the grid.
fn error_of(line: Line, position: f32, k: f32) -> f32 {
    return round(position - line.base - k * line.step);
}
