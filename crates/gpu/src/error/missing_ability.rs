//! Abilities that an adapter lacks.

use std::fmt;

/// An ability that Brickwork's kernels need and an adapter lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingAbility {
    /// Compute shaders.
    ComputeShaders,
    /// A limit of at least that of [`wgpu::Limits::default`].
    Limit {
        /// Name of the limit in [`wgpu::Limits`].
        name: &'static str,
        /// The adapter's limit.
        has: u64,
        /// The limit that kernels need.
        needed: u64,
    },
}

impl fmt::Display for MissingAbility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ComputeShaders => f.write_str("it has no compute shaders"),
            Self::Limit { name, has, needed } => write!(f, "its {name} is {has}, {needed} are needed"),
        }
    }
}

/// The abilities that an adapter lacks, at least one. They are displayed in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingAbilities(Vec<MissingAbility>);

impl MissingAbilities {
    /// Returns these abilities, or `None` if there are none.
    pub(crate) fn new(abilities: Vec<MissingAbility>) -> Option<Self> {
        (!abilities.is_empty()).then_some(Self(abilities))
    }

    /// Returns the abilities.
    pub fn as_slice(&self) -> &[MissingAbility] {
        &self.0
    }
}

impl fmt::Display for MissingAbilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, ability) in self.0.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { "; " })?;
            ability.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abilities_are_listed_in_one_line() {
        assert_eq!(MissingAbilities::new(Vec::new()), None);
        let limit = MissingAbility::Limit { name: "max_bind_groups", has: 2, needed: 4 };
        let missing = MissingAbilities::new(vec![MissingAbility::ComputeShaders, limit]).unwrap();
        let text = "it has no compute shaders; its max_bind_groups is 2, 4 are needed";
        assert_eq!((missing.to_string().as_str(), missing.as_slice().len()), (text, 2));
    }
}
