// The winner among a block's threads: among each 16 by exchange within the subgroup, among those winners
// through workgroup memory.

var<workgroup> found_errors: array<i32, 16>;
var<workgroup> found_numbers: array<u32, 16>;

fn better_of_pair(own: Candidate, distance: u32) -> Candidate {
    let other =
        Candidate(subgroupShuffleXor(own.error, distance), subgroupShuffleXor(own.number, distance));
    if better(other, own) {
        return other;
    }
    return own;
}

fn take_winner(thread: u32, lane: u32, own: Candidate) -> Candidate {
    var best = better_of_pair(own, 1u);
    best = better_of_pair(best, 2u);
    best = better_of_pair(best, 4u);
    best = better_of_pair(best, 8u);
    if thread % 16u == 0u {
        found_errors[thread / 16u] = best.error;
        found_numbers[thread / 16u] = best.number;
    }
    workgroupBarrier();
    if lane == 0u {
        for (var other = 1u; other < THREADS / 16u; other++) {
            let at = thread / 16u + other;
            let candidate = Candidate(found_errors[at], found_numbers[at]);
            if better(candidate, best) {
                best = candidate;
            }
        }
    }
    return best;
}
