//! Options of readers of image files.

/// Options of [`read`](super::read()).
///
/// ```
/// use brickwork_image::image_file::ImageReadOptions;
///
/// let options = ImageReadOptions::default().with(|o| o.max_memory = 64 << 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageReadOptions {
    /// Maximum memory, in bytes, that texels and decoder may occupy together at any time. The actual use may
    /// deviate by 1 MiB, because of the decoder's windows and tables. The reader's own buffer does not count.
    ///
    /// All memory that a decoder may need is counted before it starts. For example, a lossy WebP is refused
    /// below 16 MiB, however small its picture. Default: 4 GiB.
    pub max_memory: u64,
    /// Meaning of 10-bit masks in DDS files. Default: [`DdsTenBitMasks::Swapped`].
    pub dds_ten_bit_masks: DdsTenBitMasks,
    /// True to keep the colours of files that store them multiplied by alpha: EXR, associated alpha in TIFF,
    /// `DXT2` and `DXT4`, and DX10 and KTX2 headers that state it. This is for pictures whose alpha is a
    /// channel like the others. [`Picture::is_divided`] is then false, and the colours of these files are not
    /// converted, as with [`stored_colors`](Self::stored_colors). Default: `false`, which divides the
    /// colours by alpha, so that [`Texels`](super::Texels) have straight alpha.
    ///
    /// [`Picture::is_divided`]: super::Picture::is_divided
    pub stored_alpha: bool,
    /// True to keep the numbers of files that state another tone curve than that of sRGB, or other primaries
    /// than those of Rec. 709: by a `gAMA`, `cHRM` or `cICP` chunk of PNG, by fields of BMP or TGA, or by an
    /// ICC profile of RGB or grey. This is for pictures whose numbers are no colours. Primaries of EXR and
    /// Radiance HDR files are always converted.
    ///
    /// Default: `false`, which converts integers to sRGB of 16 bits, linear integers to linear ones of 16
    /// bits, and floats, PQ and HLG to linear light in floats, all with the primaries of Rec. 709. Colours
    /// outside of sRGB are clipped in integers. Notes report each of these.
    pub stored_colors: bool,
    /// True to keep numbers that half floats round: floats of 32 bits in EXR, TIFF, DDS and KTX2 files,
    /// integers in EXR files, the numbers of Radiance HDR, and light of PQ and HLG. The texels are then
    /// [`Texels::RgbF32`] or [`Texels::RgbaF32`], which take 4 bytes per channel. Half floats and the other
    /// floats of DDS and KTX2 stay half floats. Default: `false`, which rounds to half floats:
    /// [`Picture::overflow_count`] counts the finite numbers beyond ±65504.
    ///
    /// [`Picture::overflow_count`]: super::Picture::overflow_count
    /// [`Texels::RgbF32`]: super::Texels::RgbF32
    /// [`Texels::RgbaF32`]: super::Texels::RgbaF32
    pub single_floats: bool,
    /// Layer or part of EXR files that is read, by its name, or by the words of it after a point: `diffuse`
    /// is `RenderLayer.diffuse`. Upper and lower case are the same where no other name is nearer. The name of
    /// a channel, `depth.Z`, reads this channel as grey. Other formats ignore it. Default: none, which reads
    /// the layer most like a picture.
    pub exr_layer: Option<String>,
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
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Default for ImageReadOptions {
    fn default() -> Self {
        Self {
            max_memory: 4 << 30,
            dds_ten_bit_masks: DdsTenBitMasks::Swapped,
            stored_alpha: false,
            stored_colors: false,
            single_floats: false,
            exr_layer: None,
        }
    }
}
