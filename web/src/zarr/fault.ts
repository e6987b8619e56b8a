// Errors of the reader of Zarr.

import { BrickworkError } from "../errors.js";

/** Returns an error about the file with this key. */
export function fault(key: string, reason: string, cause?: unknown): BrickworkError {
    return new BrickworkError("source", `${key || "the file"}: ${reason}`, { cause });
}

/** Returns an error about the file with this key, with the reason and the code of its cause. */
export function causedFault(key: string, cause: unknown): BrickworkError {
    const code = cause instanceof BrickworkError ? cause.code : "source";
    return new BrickworkError(code, `${key}: ${reasonOf(cause)}`, { cause });
}

/** Returns an error of something that exceeds a limit. */
export function overLimit(key: string, reason: string): BrickworkError {
    return new BrickworkError("limit", `${key || "the file"}: ${reason}`);
}

/** Returns a value of a file as a short text. */
export function shown(value: unknown): string {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Returns the reason of an error. */
export function reasonOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
