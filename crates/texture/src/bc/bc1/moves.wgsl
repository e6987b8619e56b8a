// Steps from one pair of endpoints to its neighbours (moves.rs). The kernel binds the tables as `tables`.
// needs: lanes.wgsl

// Returns the endpoints after a move.
fn moved(ends: Endpoints, index: u32) -> Endpoints {
    let at = MOVES + 6u * index;
    let top = params.rule.top.xyz;
    let a = ends.a + vec3(tables[at], tables[at + 1u], tables[at + 2u]);
    let b = ends.b + vec3(tables[at + 3u], tables[at + 4u], tables[at + 5u]);
    return Endpoints(clamp(a, vec3(0.0), top), clamp(b, vec3(0.0), top));
}
