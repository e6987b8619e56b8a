//! Probes and read-backs.

use crate::{
    CancelToken, Cancelled, Task,
    direct::tiling::{Probe, ProbeError, simulated::layouts},
};

#[test]
fn blocks_are_what_the_table_says() {
    let probe = Probe { width: 3, height: 2, bytes_per_block: 16, salt: 1 };
    let blocks = probe.blocks();
    let words: Vec<u32> = blocks.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(words.len(), 6 * 4);
    for (i, block) in (0..).zip(words.chunks_exact(4)) {
        assert_eq!((block[0], block[2], block[3]), (i + 1, !block[0], !block[1]));
    }
    let small: Vec<u8> = Probe { bytes_per_block: 8, ..probe }.blocks();
    assert!(small.chunks_exact(8).eq(blocks.chunks_exact(16).map(|block| &block[..8])));
}

#[test]
fn garbage_in_padding_is_left_out() {
    for layout in layouts() {
        let bytes = layout.bytes_per_block() as usize;
        let probe = Probe { width: 37, height: 21, bytes_per_block: bytes as u32, salt: 5 };
        let mut memory = layout.memory(37, 21, &probe.blocks(), 0);
        let slots = layout.slots(37, 21);
        // Padding that looks like an earlier probe, like half a block, and like noise; and half a slot at the
        // end.
        let stale = Probe { salt: 4, ..probe }.blocks();
        let mut is_used = vec![false; memory.len() / bytes];
        slots.iter().for_each(|&slot| is_used[slot as usize] = true);
        for (slot, _) in is_used.iter().enumerate().filter(|(_, is_used)| !**is_used) {
            let from = &stale[slot * bytes % stale.len()..][..bytes];
            memory[slot * bytes..][..bytes].copy_from_slice(from);
            if slot % 3 == 0 {
                memory[slot * bytes..][..4].copy_from_slice(&7u32.to_le_bytes());
            }
        }
        memory.extend(&probe.blocks()[..bytes / 2]);
        assert_eq!(probe.slots(&memory, &Task::new()).unwrap(), slots, "{}", layout.name());
    }
}

#[test]
fn missing_and_doubled_blocks_are_refused() {
    for bytes_per_block in [8, 16] {
        let bytes = bytes_per_block as usize;
        let probe = Probe { width: 5, height: 3, bytes_per_block, salt: 0 };
        let whole = probe.blocks();
        assert_eq!(probe.slots(&whole, &Task::new()).unwrap(), (0..15).collect::<Vec<_>>());
        let missing = |block, count| Err(ProbeError::Missing { block, count, of: 15 });
        assert_eq!(probe.slots(&whole[..14 * bytes], &Task::new()), missing((4, 2), 1));
        assert_eq!(probe.slots(&[], &Task::new()), missing((0, 0), 15));
        let mut twice = whole.clone();
        twice.extend(&whole[6 * bytes..][..bytes]);
        assert_eq!(
            probe.slots(&twice, &Task::new()),
            Err(ProbeError::Duplicate { block: (1, 1), slots: [6, 15] })
        );
        for byte in 0..bytes {
            let mut damaged = whole.clone();
            damaged[7 * bytes + byte] ^= 0x10;
            assert_eq!(probe.slots(&damaged, &Task::new()), missing((2, 1), 1), "byte {byte}");
        }
        let token = CancelToken::new();
        token.cancel();
        let cancelled = probe.slots(&whole, &Task::new().with_cancel(&token));
        assert_eq!(cancelled, Err(ProbeError::Cancelled(Cancelled)));
    }
}
