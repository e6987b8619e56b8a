//! Shares of a batch for several machines.

use super::{BatchError, Job};
use sha2::{Digest as _, Sha256};
use std::str::FromStr;

/// One of several shares of a batch. Each input belongs to one of them, according to a hash of its
/// [relative name](Job::relative_name). All shards together have the jobs of the whole batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

/// A text that is not a [`Shard`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not INDEX/COUNT with an index from 0 to COUNT - 1, such as 0/4 or 3/4")]
pub struct UnknownShard {
    /// The text.
    pub text: String,
}

impl FromStr for Shard {
    type Err = UnknownShard;

    fn from_str(text: &str) -> Result<Self, UnknownShard> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let shard = numbers.and_then(|(index, count)| Self::new(index, count));
        shard.ok_or_else(|| UnknownShard { text: text.to_owned() })
    }
}

impl Shard {
    /// The whole batch.
    pub const ALL: Self = Self { index: 0, count: 1 };

    /// Returns shard `index` of `count`; none if `index` is not below `count`.
    pub const fn new(index: u32, count: u32) -> Option<Self> {
        if index < count { Some(Self { index, count }) } else { None }
    }

    /// Returns the index, counted from 0.
    pub const fn index(&self) -> u32 {
        self.index
    }

    /// Returns the number of shards.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// True if the input with this relative name belongs to the shard.
    pub fn contains(&self, relative_name: &str) -> bool {
        let hash = Sha256::digest(relative_name.as_bytes());
        let number = hash.iter().take(8).fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
        number % u64::from(self.count) == u64::from(self.index)
    }

    /// Keeps the jobs of the shard. Inputs that could not be found belong to the first shard.
    pub fn retain(&self, jobs: &mut Vec<Result<Job, BatchError>>) {
        jobs.retain(|job| match job {
            Ok(job) => self.contains(&job.relative_name),
            Err(_) => self.index == 0,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_belongs_to_one_shard() {
        let shards: Vec<Shard> = (0..5).map(|index| format!("{index}/5").parse().unwrap()).collect();
        let mut counts = [0; 5];
        for name in 0..1000 {
            let name = format!("deep/{name}.png");
            let of: Vec<_> = (0..5).filter(|shard| shards[*shard].contains(&name)).collect();
            assert_eq!(of.len(), 1, "{name}");
            counts[of[0]] += 1;
        }
        assert!(counts.iter().all(|count| (150..250).contains(count)), "{counts:?}");
        assert!(Shard::ALL.contains("a"));
        // The division is the same in all versions, so that machines may have different ones.
        assert!(Shard::new(3, 4).unwrap().contains("rock.png"));
    }

    #[test]
    fn indices_begin_at_0() {
        for bad in ["", "1", "4/4", "0/0", "-1/4", "a/b", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
        let error = "4/4".parse::<Shard>().unwrap_err().to_string();
        assert!(error.contains("from 0 to COUNT - 1"), "{error}");
    }
}
