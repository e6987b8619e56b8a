//! Mip levels that files contain.

/// Path of the picture of a mip level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelFile {
    /// The mip level, at least 1: level 0 is the image itself.
    pub mip_level: u32,
    /// Path of the file.
    pub path: String,
}

impl LevelFile {
    /// Returns the file at `path` for a mip level.
    pub fn new(mip_level: u32, path: &str) -> Self {
        Self { mip_level, path: path.to_owned() }
    }
}

/// Files of mip levels, from level 1, without gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelFiles {
    paths: Vec<String>,
}

impl LevelFiles {
    /// Returns the files in their order.
    ///
    /// # Errors
    /// The first mip level that is missing or stated twice.
    pub fn new(mut files: Vec<LevelFile>) -> Result<Self, String> {
        files.sort_by_key(|file| file.mip_level);
        for (expected, file) in (1..).zip(&files) {
            if file.mip_level < expected {
                return Err(format!("level {} is stated twice", file.mip_level));
            }
            if file.mip_level > expected {
                return Err(format!("level {} is stated, but not level {expected}", file.mip_level));
            }
        }
        Ok(Self { paths: files.into_iter().map(|file| file.path).collect() })
    }

    /// True if no mip level is given.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns the number of mip levels that are given, including level 0.
    pub fn level_count(&self) -> u32 {
        u32::try_from(self.paths.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Returns the paths of the files, from mip level 1.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::values::level_file;

    #[test]
    fn levels_have_no_gaps() {
        let of = |list: &[&str]| LevelFiles::new(list.iter().map(|text| level_file(text).unwrap()).collect());
        let files = of(&["2=b=.png", "1=a.png"]).unwrap();
        assert_eq!((files.paths(), files.level_count()), (&["a.png", "b=.png"].map(str::to_owned)[..], 3));
        assert_eq!(of(&[]).unwrap().level_count(), 1);
        assert_eq!(of(&["2=b", "1=a", "2=c"]).unwrap_err(), "level 2 is stated twice");
        assert_eq!(of(&["3=b", "1=a"]).unwrap_err(), "level 3 is stated, but not level 2");
        for wrong in ["a.png", "0=a.png", "1=", "-1=a.png", "x=a.png"] {
            assert!(level_file(wrong).is_err(), "{wrong}");
        }
    }
}
