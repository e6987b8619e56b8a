// Endpoints by least squares and small steps: `fit_once` and `search` of encode.rs. One thread per channel of
// a block.
// needs: params.wgsl, ../visible.wgsl, task.wgsl, line.wgsl, found.wgsl, spread.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> found: array<u32>;

// Cost of a line, and codes of the line that fits the texels that take its values.
struct Fit {
    cost: vec2<f32>,
    low: f32,
    high: f32,
}

fn offer(best: ptr<function, Found>, other: Found) {
    if is_less(other.cost, (*best).cost) {
        *best = other;
    }
}

// Returns the cost of the texels in `visible`, and the fit (fit.rs).
fn fit(task: Task, visible: u32, six: bool, low: f32, high: f32) -> Fit {
    let line = line_of(six, low, high);
    var cost = vec2(0.0);
    // Σ1, Σk, Σk².
    var k_sums = vec3(0.0);
    // Σv, Σk·v.
    var v_sums = vec2(0.0);
    for (var t = 0u; t < 16u; t++) {
        let v = texel(task, t);
        let k = nearest(line, v.position);
        let d = error_of(line, v.position, k);
        let extreme = extreme_of(v);
        let counts = extractBits(visible, t, 1u) != 0u;
        let at_extreme = six && is_smaller(v, extreme, d);
        cost = add_error(cost, v, select(0.0, select(d, extreme, at_extreme), counts));
        if counts && !at_extreme {
            k_sums += vec3(1.0, k, k * k);
            v_sums += vec2(v.source, k * v.source);
        }
    }
    let n = k_sums.x;
    let determinant = n * k_sums.z - k_sums.y * k_sums.y;
    if determinant < 1.0 {
        return Fit(cost, low, high);
    }
    let scale = tables[DETERMINANTS + u32(determinant)] * select(1.0, SIGNED_SCALE, HAS_RESTS);
    let start = (k_sums.z * v_sums.x - k_sums.y * v_sums.y) * scale;
    let squares = (k_sums.z - line.last * k_sums.y) * v_sums.x;
    let end = (squares + (line.last * n - k_sums.y) * v_sums.y) * scale;
    return Fit(cost, clamp(round(start), 0.0, params.top), clamp(round(end), 0.0, params.top));
}

// Offers endpoints, then fits and offers again, `rounds` times.
fn descend(task: Task, visible: u32, six: bool, rounds: u32, ends: vec2<f32>, best: ptr<function, Found>) {
    var at = ends;
    for (var i = 0u; i <= rounds; i++) {
        let fitted = fit(task, visible, six, at.x, at.y);
        offer(best, Found(fitted.cost, at.x, at.y, six));
        at = vec2(fitted.low, fitted.high);
    }
}

fn climb(task: Task, visible: u32, best: ptr<function, Found>) {
    let six = (*best).six;
    for (var m = 0u; m < MOVE_COUNT; m++) {
        let low = clamp((*best).low + tables[MOVES + 2u * m], 0.0, params.top);
        let high = min(max((*best).high + tables[MOVES + 2u * m + 1u], low), params.top);
        offer(best, Found(fit(task, visible, six, low, high).cost, low, high, six));
    }
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let task = task_of((group.y * groups.x + group.x) * 64u + thread);
    if task.block >= params.end_block {
        return;
    }
    let visible = visible_texels(task.block);
    // Sources, then codes.
    var outer = vec2(255.0, 0.0);
    var inner = vec2(255.0, 0.0);
    for (var t = 0u; t < 16u; t++) {
        let v = texel(task, t);
        outer = vec2(min(outer.x, v.source), max(outer.y, v.source));
        if extreme_of(v) != 0.0 {
            inner = vec2(min(inner.x, v.source), max(inner.y, v.source));
        }
    }
    if inner.y < inner.x {
        inner = outer;
    }
    outer = vec2(code_of(outer.x), code_of(outer.y));
    inner = vec2(code_of(inner.x), code_of(inner.y));
    var best = Found(vec2(NO_COST, 0.0), outer.x, outer.y, false);
    descend(task, visible, false, 1u, outer, &best);
    if params.quality >= NORMAL || outer.x < 1.0 || outer.y > params.top - 1.0 {
        descend(task, visible, true, 1u, inner, &best);
    }
    if params.quality >= NORMAL {
        climb(task, visible, &best);
    }
    if params.quality == HIGH {
        for (var j = 0u; j < 2u * SPREAD_COUNT; j++) {
            let six = (j & 1u) != 0u;
            let used = tables[SPREADS + (j & ~1u)];
            let i = tables[SPREADS + (j | 1u)];
            if !six || used + i < SIX_STEPS {
                descend(task, visible, six, 2u, spread(six, used, i, select(outer, inner, six)), &best);
            }
        }
        climb(task, visible, &best);
    }
    found[task.place] = pack_found(best);
}
