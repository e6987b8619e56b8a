//! Emitted chains against the planners.

use brickwork_emit::chains;
use brickwork_texture::{BlockFormat, gpu::export::Dispatch};

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 32) * u64::from(end)) >> 32) as u32
    }

    /// Returns a dispatch of a region, up to the largest sizes.
    fn dispatch(&mut self) -> Dispatch {
        let scale = 1 << (3 + self.below(13));
        let mut size = [1 + self.below(scale), 1 + self.below(scale)];
        if self.below(2) == 1 {
            size = size.map(|texels| texels.next_multiple_of(4));
        }
        let [columns, rows] = size.map(|texels| texels.div_ceil(4));
        let first_block = self.below(columns * rows);
        Dispatch {
            size,
            columns,
            first_block,
            end_block: first_block + 1 + self.below(columns * rows - first_block),
            target: self.below(1 << 20),
            pitch: columns + self.below(64),
            has_alpha: self.below(2) == 1,
        }
    }
}

#[test]
fn emitted_chains_are_those_of_the_planners() {
    let mut numbers = Numbers(1);
    let mut count = 0;
    for &format in BlockFormat::ALL {
        for chain in chains(format).unwrap() {
            let steps = chain.chain.steps();
            assert_eq!(steps.len(), chain.steps.len());
            assert!(!steps.is_empty());
            for _ in 0..1000 {
                let dispatch = numbers.dispatch();
                for (planned, emitted) in steps.iter().zip(&chain.steps) {
                    let (format, quality, name) = (chain.format, &chain.quality, planned.kernel().name());
                    assert_eq!(
                        emitted.work(&dispatch),
                        planned.work(&dispatch),
                        "{format} {quality}, {name}, {dispatch:?}"
                    );
                }
            }
            count += 1;
        }
    }
    // Ten formats at every quality; these, seven formats of ETC2 and EAC, and ASTC in two colour spaces, in
    // real time.
    assert_eq!(count, 10 * 5 + (10 + 7 + 2) * 3);
}
