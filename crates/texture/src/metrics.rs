//! How far an image is from its original: mean square error, PSNR, SSIM.
