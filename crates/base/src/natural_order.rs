//! Order of the names of numbered files.

use std::cmp::Ordering;

/// Compares names in natural order: a run of digits counts as one number, so that `a2` comes before `a10`.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (mut left, mut right) = (a, b);
    while let (Some(x), Some(y)) = (left.chars().next(), right.chars().next()) {
        let (i, j) = (digits(left), digits(right));
        let (order, i, j) = if i > 0 && j > 0 {
            let (m, n) = (left[..i].trim_start_matches('0'), right[..j].trim_start_matches('0'));
            (m.len().cmp(&n.len()).then(m.cmp(n)), i, j)
        } else {
            (x.cmp(&y), x.len_utf8(), y.len_utf8())
        };
        if order.is_ne() {
            return order;
        }
        (left, right) = (&left[i..], &right[j..]);
    }
    left.len().cmp(&right.len()).then(a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names =
            ["a10.png", "a9.png", "a009b", "b1", "a", "a9b2", "a9b10", "ä1", "a99999999999999999999999"];
        names.sort_by(|a, b| natural_order(a, b));
        let want =
            ["a", "a9.png", "a009b", "a9b2", "a9b10", "a10.png", "a99999999999999999999999", "b1", "ä1"];
        assert_eq!(names, want);
    }
}
