// Jobs of the worker. This file imports only types: some bundlers cannot split the code of workers.

import type { ErrorCode } from "../errors.js";
import type { TexelData } from "../sources.js";

/** Texels of a job: in memory, or a bitmap that the worker closes. */
export type JobTexels = { readonly size: readonly [number, number] } & (
    | { readonly bytes: Uint8Array<ArrayBuffer>; readonly format: NonNullable<TexelData["format"]> }
    | { readonly bitmap: ImageBitmap }
);

/** Numbers of an encoding, in the order of `brickwork_encode`. */
export interface EncodeNumbers {
    readonly format: number;
    readonly quality: number;
    /** Alpha mode, colour space, filter of mip levels, normal map; the type of the texels is missing. */
    readonly flags: number;
    readonly mipLevels: number;
    /** Size to which the image is padded. */
    readonly width: number;
    readonly height: number;
}

export type Job =
    | { readonly kind: "encode"; readonly numbers: EncodeNumbers; readonly texels: JobTexels }
    | {
          readonly kind: "decode";
          readonly format: number;
          /** Type of the channels of the texels, by {@link texelsFlag}. */
          readonly channels: number;
          readonly width: number;
          readonly height: number;
          readonly blocks: Uint8Array<ArrayBuffer>;
      };

/** Module of some block formats: BC1 to BC5, BC6H, BC7, ETC2 and EAC, or ASTC. */
export interface CodecModule {
    readonly name: ModuleName;
    readonly module: WebAssembly.Module;
}

export type ModuleName = "bc1-to-bc5" | "bc6h" | "bc7" | "etc" | "astc";

/** Message to the worker. */
export interface Request extends CodecModule {
    readonly job: Job;
}

/** Message from the worker. */
export type Reply =
    | { readonly result: Uint8Array<ArrayBuffer> }
    | { readonly error: { readonly code: ErrorCode; readonly message: string } };

/** Returns the flag of a type of texels. */
export function texelsFlag(format: NonNullable<TexelData["format"]>): number {
    return { rgba8unorm: 0, rgba16float: 1, rgba32float: 2 }[format];
}
