//! Image files: PNG, JPEG, TGA, BMP, TIFF, WebP, GIF, PNM, and DDS and KTX2 as pictures.
