//! Options of readers of image files.

/// Options of [`read`](super::read()).
///
/// ```
/// use brickwork_image::image_file::ImageReadOptions;
///
/// let options = ImageReadOptions::new().with_max_memory(64 << 20);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ImageReadOptions {
    max_memory: u64,
    dds_ten_bit_masks: DdsTenBitMasks,
    stored_alpha: bool,
    stored_colors: bool,
    single_floats: bool,
}

/// Meaning of the 10-bit channel masks in a DDS file without a DX10 header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DdsTenBitMasks {
    /// Red and blue are swapped, because D3DX and texconv write the masks that way.
    #[default]
    Swapped,
    /// The masks apply as the file states them.
    Stated,
}

impl ImageReadOptions {
    /// Returns the default options.
    pub const fn new() -> Self {
        Self {
            max_memory: 4 << 30,
            dds_ten_bit_masks: DdsTenBitMasks::Swapped,
            stored_alpha: false,
            stored_colors: false,
            single_floats: false,
        }
    }

    /// Sets the maximum memory, in bytes, that texels and decoder may occupy together at any time. The actual
    /// use may deviate by 1 MiB, because of the decoder's windows and tables. The reader's own buffer does
    /// not count.
    ///
    /// All memory that a decoder may need is counted before it starts. For example, a lossy WebP is refused
    /// below 16 MiB, however small its picture. Default: 4 GiB.
    #[must_use]
    pub const fn with_max_memory(self, max_memory: u64) -> Self {
        Self { max_memory, ..self }
    }

    /// Sets the meaning of 10-bit masks in DDS files. Default: [`DdsTenBitMasks::Swapped`].
    #[must_use]
    pub const fn with_dds_ten_bit_masks(self, dds_ten_bit_masks: DdsTenBitMasks) -> Self {
        Self { dds_ten_bit_masks, ..self }
    }

    /// Keeps the colours of files that store them multiplied by alpha: EXR, associated alpha in TIFF, `DXT2`
    /// and `DXT4`, and DX10 and KTX2 headers that state it. This is for pictures whose alpha is a channel
    /// like the others. [`Picture::is_divided`] is then false, and the colours of these files are not
    /// converted, as with [`with_stored_colors`](Self::with_stored_colors). Default: `false`, which divides
    /// the colours by alpha, so that [`Texels`](super::Texels) have straight alpha.
    ///
    /// [`Picture::is_divided`]: super::Picture::is_divided
    #[must_use]
    pub const fn with_stored_alpha(self, stored_alpha: bool) -> Self {
        Self { stored_alpha, ..self }
    }

    /// Keeps the numbers of files that state another tone curve than that of sRGB, or other primaries than
    /// those of Rec. 709: by a `gAMA`, `cHRM` or `cICP` chunk of PNG, or by an ICC profile of RGB or grey.
    /// This is for pictures whose numbers are no colours. Primaries of EXR and Radiance HDR files are always
    /// converted.
    ///
    /// Default: `false`, which converts integers to sRGB of 16 bits, linear integers to linear ones of 16
    /// bits, and floats, PQ and HLG to linear light in floats, all with the primaries of Rec. 709. Colours
    /// outside of sRGB are clipped in integers. Notes report each of these.
    #[must_use]
    pub const fn with_stored_colors(self, stored_colors: bool) -> Self {
        Self { stored_colors, ..self }
    }

    /// Keeps numbers that half floats round: floats of 32 bits in EXR, TIFF, DDS and KTX2 files, integers in
    /// EXR files, the numbers of Radiance HDR, and light of PQ and HLG. The texels are then
    /// [`Texels::RgbF32`] or [`Texels::RgbaF32`], which take 4 bytes per channel. Half floats and the other
    /// floats of DDS and KTX2 stay half floats. Default: `false`, which rounds to half floats:
    /// [`Picture::overflow_count`] counts the finite numbers beyond ±65504.
    ///
    /// [`Picture::overflow_count`]: super::Picture::overflow_count
    /// [`Texels::RgbF32`]: super::Texels::RgbF32
    /// [`Texels::RgbaF32`]: super::Texels::RgbaF32
    #[must_use]
    pub const fn with_single_floats(self, single_floats: bool) -> Self {
        Self { single_floats, ..self }
    }

    /// Returns the meaning of 10-bit masks in DDS files.
    pub const fn dds_ten_bit_masks(&self) -> DdsTenBitMasks {
        self.dds_ten_bit_masks
    }

    /// True if colours that a file stores multiplied by alpha are kept.
    pub const fn stored_alpha(&self) -> bool {
        self.stored_alpha
    }

    /// True if numbers with another tone curve or other primaries than those of sRGB are kept.
    pub const fn stored_colors(&self) -> bool {
        self.stored_colors
    }

    /// True if numbers that half floats round are kept as single floats.
    pub const fn single_floats(&self) -> bool {
        self.single_floats
    }

    /// Returns the maximum memory of texels and decoder, in bytes.
    pub const fn max_memory(&self) -> u64 {
        self.max_memory
    }
}

impl Default for ImageReadOptions {
    fn default() -> Self {
        Self::new()
    }
}
