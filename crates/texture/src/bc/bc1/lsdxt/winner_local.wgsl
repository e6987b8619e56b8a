// The winner among a block's threads, through workgroup memory.
// needs: search.wgsl

// One entry per thread of the largest workgroup.
var<workgroup> found_errors: array<i32, 256>;
var<workgroup> found_numbers: array<u32, 256>;

fn take_winner(thread: u32, lane: u32, own: Candidate) -> Candidate {
    found_errors[thread] = own.error;
    found_numbers[thread] = own.number;
    workgroupBarrier();
    var best = own;
    if lane == 0u {
        for (var other = 1u; other < THREADS; other++) {
            let candidate = Candidate(found_errors[thread + other], found_numbers[thread + other]);
            if better(candidate, best) {
                best = candidate;
            }
        }
    }
    return best;
}
