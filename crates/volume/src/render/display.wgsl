// Display values: the twin of display.rs.

struct DisplayParams {
    rule: u32,
    // The parameters of the rule: `flip`; `low`, `shift`; `low`, `high`, `low_value`, `scale`; or `zero`,
    // `is_float`.
    numbers: vec4u,
}

fn display(ordinal: u32) -> u32 {
    let rule = view.display;
    let low = rule.numbers.x;
    switch rule.rule {
        case RULE_SHIFT: {
            return min((max(ordinal, low) - low) >> rule.numbers.y, 65535u);
        }
        case RULE_SCALE: {
            if ordinal <= low || ordinal > INFINITY {
                return 0u;
            }
            if ordinal >= rule.numbers.y {
                return 65535u;
            }
            let number = bitcast<f32>(select(~ordinal, ordinal ^ 0x80000000u, (ordinal >> 31u) == 1u));
            let scaled = (number - bitcast<f32>(rule.numbers.z)) * bitcast<f32>(rule.numbers.w);
            return u32(min(scaled, 65535.0));
        }
        case RULE_HASH: {
            let is_nan = ordinal > INFINITY || ordinal < MINUS_INFINITY;
            if ordinal == low || (rule.numbers.y != 0u && (ordinal + 1u == low || is_nan)) {
                return 0u;
            }
            var label = ordinal ^ low;
            // A whole number from 1 to 2³² − 1.
            let number = bitcast<f32>(label);
            if rule.numbers.y != 0u && number >= 1.0 && number < 4294967296.0 && floor(number) == number {
                label = u32(number);
            }
            if label <= 65535u {
                return label;
            }
            var h = label * HASH_1;
            h = (h ^ (h >> 15u)) * HASH_2;
            return 1u + (((h >> 16u) * 65535u) >> 16u);
        }
        default: {
            return (ordinal ^ low) & 0xffffu;
        }
    }
}
