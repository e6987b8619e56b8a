// Errors of the package.

/** Kind of a {@link BrickworkError}. */
export type ErrorCode =
    /** The environment has no WebGPU, or no adapter. */
    | "no-webgpu"
    /** The device cannot have textures of the format. */
    | "no-format"
    /** The device is lost. */
    | "device-lost"
    /** The device refused a kernel or a command, or has no memory left. */
    | "gpu"
    /** A worker or its WebAssembly module cannot be loaded, or has stopped. */
    | "cpu"
    /** An option has no such value, or does not go with the others. */
    | "option"
    /** The source cannot be read. */
    | "source"
    /** A size is 0, or not a multiple of 4 where it must be. */
    | "size"
    /** A size exceeds a limit of the device. */
    | "limit"
    /** The object was disposed of. */
    | "disposed";

/** Error of this package. Aborted calls throw the reason of their signal instead. */
export class BrickworkError extends Error {
    readonly code: ErrorCode;

    constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
        super(message, options);
        this.name = "BrickworkError";
        this.code = code;
    }
}
