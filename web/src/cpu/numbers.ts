// Numbers with which the module names formats and options: crates/wasm/src/request.rs.

import { BrickworkError } from "../errors.js";
import { type BlockFormat, type Quality, blockFormats } from "../formats.js";
import { type Settings, mipFilters } from "../options.js";
import type { EncodeNumbers } from "./jobs.js";

const QUALITIES: readonly Quality[] = [
    "ultrafast",
    "fast",
    "normal",
    "high",
    "best",
    "real-time-1",
    "real-time-2",
    "real-time-3",
];

const ALPHA_MODES = ["opaque", "straight", "premultiplied"];

/** Returns the number of a block format. */
export function formatNumber(format: BlockFormat): number {
    return blockFormats.indexOf(format);
}

/**
 * Returns the numbers of an encoding.
 *
 * @throws {BrickworkError} `option` if the format has no such quality.
 */
export function encodeNumbers(
    { format, quality, alpha, srgb, normal, mipFilter }: Settings,
    mipLevels: number,
    [width, height]: readonly [number, number],
): EncodeNumbers {
    if (!QUALITIES.includes(quality)) {
        throw new BrickworkError(
            "option",
            `${format} has no quality "${quality}"; expected ${QUALITIES.join(", ")}`,
        );
    }
    return {
        format: formatNumber(format),
        quality: QUALITIES.indexOf(quality),
        flags:
            (ALPHA_MODES.indexOf(alpha) << 2) |
            (srgb ? 16 : 0) |
            (mipFilters.indexOf(mipFilter) << 5) |
            (normal ? 256 : 0),
        mipLevels,
        width,
        height,
    };
}
