// Texels of a bitmap, in a worker.

import { text } from "../device.js";
import { BrickworkError } from "../errors.js";

/** Texels that are read at a time. */
const STRIP_TEXELS = 1 << 22;

/**
 * Returns the texels as 8-bit RGBA. WebGL 2 returns them as they are. Without it, a canvas with a 2D context
 * does, which stores premultiplied colours, so transparent texels are inexact.
 */
export function texelsOfBitmap(bitmap: ImageBitmap): Uint8Array<ArrayBuffer> {
    if (typeof OffscreenCanvas !== "function") {
        throw new BrickworkError("source", "this browser has no OffscreenCanvas: pass texels");
    }
    try {
        return byWebGl(bitmap) ?? byCanvas(bitmap);
    } catch (cause) {
        throw new BrickworkError("source", `the browser cannot read the bitmap: ${text(cause)}`, { cause });
    }
}

function byWebGl(bitmap: ImageBitmap): Uint8Array<ArrayBuffer> | undefined {
    const { width, height } = bitmap;
    const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
    if (!gl) return undefined;
    try {
        const limit = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
        if (width > limit) return undefined;
        const rows = Math.min(height, limit, Math.max(1, Math.floor(STRIP_TEXELS / width)));
        // For an ImageBitmap, WebGL ignores its flags for premultiplied alpha and colour spaces.
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, rows);
        gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
        gl.framebufferTexture2D(
            gl.FRAMEBUFFER,
            gl.COLOR_ATTACHMENT0,
            gl.TEXTURE_2D,
            gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture,
            0,
        );
        gl.pixelStorei(gl.PACK_ALIGNMENT, 1);
        const texels = new Uint8Array(4 * width * height);
        for (let y = 0; y < height; y += rows) {
            const count = Math.min(rows, height - y);
            gl.pixelStorei(gl.UNPACK_SKIP_ROWS, y);
            gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, count, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
            gl.readPixels(0, 0, width, count, gl.RGBA, gl.UNSIGNED_BYTE, texels, 4 * width * y);
        }
        return gl.getError() === gl.NO_ERROR ? texels : undefined;
    } finally {
        gl.getExtension("WEBGL_lose_context")?.loseContext();
    }
}

function byCanvas(bitmap: ImageBitmap): Uint8Array<ArrayBuffer> {
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no context for canvases");
    context.drawImage(bitmap, 0, 0);
    return new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
}
