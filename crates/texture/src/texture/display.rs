//! Orientation and swizzle: the difference between stored and displayed texels.

/// Directions of the stored texels, as KTX2's `KTXorientation` states them. The default is `rdi`: to the
/// right, down, and into the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TextureOrientation {
    /// True if rows run from right to left.
    pub left: bool,
    /// True if the first row is the lowest.
    pub up: bool,
    /// True if the first slice of a 3D texture is the farthest.
    pub out: bool,
}

/// Source of a channel in a [`Swizzle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the six of KTXswizzle")]
pub enum SwizzleSource {
    /// Stored red.
    Red,
    /// Stored green.
    Green,
    /// Stored blue.
    Blue,
    /// Stored alpha.
    Alpha,
    /// 0.
    Zero,
    /// 1, the maximum.
    One,
}

/// Sources of red, green, blue and alpha, as KTX2's `KTXswizzle` states them. The default is `rgba`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "a texel has four channels")]
pub struct Swizzle(pub [SwizzleSource; 4]);

impl TextureOrientation {
    /// Returns the orientation in the text of `KTXorientation`, such as `ru`; `None` for another text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut orientation = Self::default();
        let axes = [(&mut orientation.left, 'r', 'l'), (&mut orientation.up, 'd', 'u')];
        let axes = axes.into_iter().chain([(&mut orientation.out, 'i', 'o')]);
        let mut letters = text.chars();
        for (is_reversed, usual, reversed) in axes {
            match letters.next() {
                None => break,
                Some(letter) if letter == usual => {}
                Some(letter) if letter == reversed => *is_reversed = true,
                Some(_) => return None,
            }
        }
        (letters.next().is_none() && !text.is_empty()).then_some(orientation)
    }

    /// Returns the text of `KTXorientation` for this number of dimensions, at most 3.
    pub fn letters(self, dimension_count: usize) -> String {
        let letter = |is_reversed: bool, usual, reversed| if is_reversed { reversed } else { usual };
        let letters = [letter(self.left, 'r', 'l'), letter(self.up, 'd', 'u'), letter(self.out, 'i', 'o')];
        letters.into_iter().take(dimension_count).collect()
    }
}

impl Swizzle {
    /// Every channel from itself: `rgba`.
    pub const IDENTITY: Self =
        Self([SwizzleSource::Red, SwizzleSource::Green, SwizzleSource::Blue, SwizzleSource::Alpha]);

    const LETTERS: [(char, SwizzleSource); 6] = [
        ('r', SwizzleSource::Red),
        ('g', SwizzleSource::Green),
        ('b', SwizzleSource::Blue),
        ('a', SwizzleSource::Alpha),
        ('0', SwizzleSource::Zero),
        ('1', SwizzleSource::One),
    ];

    /// Returns the swizzle in the text of `KTXswizzle`, such as `rrrg`; `None` for another text.
    pub fn parse(text: &str) -> Option<Self> {
        let source =
            |letter| Self::LETTERS.iter().find(|(known, _)| *known == letter).map(|(_, source)| *source);
        let sources: Vec<_> = text.chars().map(source).collect::<Option<_>>()?;
        sources.try_into().ok().map(Self)
    }

    /// Returns a texel whose channels have these sources. `ends` are 0 and 1 of the texel type.
    #[must_use]
    pub fn applied<C: Copy>(self, [red, green, blue, alpha]: [C; 4], ends: [C; 2]) -> [C; 4] {
        self.0.map(|source| match source {
            SwizzleSource::Red => red,
            SwizzleSource::Green => green,
            SwizzleSource::Blue => blue,
            SwizzleSource::Alpha => alpha,
            SwizzleSource::Zero => ends[0],
            SwizzleSource::One => ends[1],
        })
    }

    /// Returns the text of `KTXswizzle`.
    pub fn letters(self) -> String {
        let letter =
            |source| Self::LETTERS.iter().find(|(_, known)| *known == source).map(|(letter, _)| letter);
        self.0.into_iter().filter_map(letter).collect()
    }
}

impl Default for Swizzle {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_ktx2() {
        for text in ["rd", "ru", "lu", "rdi", "luo"] {
            assert_eq!(TextureOrientation::parse(text).map(|o| o.letters(text.len())).as_deref(), Some(text));
        }
        for text in ["", "dr", "rx", "rdio", "RD"] {
            assert_eq!(TextureOrientation::parse(text), None, "{text}");
        }
        for text in ["rgba", "rrrg", "r001"] {
            assert_eq!(Swizzle::parse(text).map(Swizzle::letters).as_deref(), Some(text));
        }
        for text in ["rgb", "rgbaa", "rgbx", ""] {
            assert_eq!(Swizzle::parse(text), None, "{text}");
        }
    }
}
