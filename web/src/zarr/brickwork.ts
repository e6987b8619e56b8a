// The decoder of the codec `brickwork`: the module of volumes.

import { BrickworkError } from "../errors.js";
import { type ModuleExports, ModuleInstance } from "../wasm/instance.js";
import { type Bytes, product } from "./boxes.js";
import type { BrickworkDecoder } from "./codecs.js";

/** The memory of a module never shrinks: after larger chunks, the instance is replaced. */
const LARGE = 64 << 20;

/** Maximum number of channels, which the last of four axes counts. */
const MAX_CHANNELS = 4;

/** Functions that a module may call while it loads volumes. Decoding calls none. */
const IMPORTS = { brickwork: { progress: () => {} } };

interface Exports extends ModuleExports {
    brickwork_decode_chunk(type: number, x: number, y: number, z: number, channels: number): number;
}

/** Returns the decoder of a module, which is instantiated with the first chunk. */
export function brickworkDecoder(module: Promise<WebAssembly.Module>): BrickworkDecoder {
    let instance: Promise<ModuleInstance<Exports>> | undefined;
    return async (bytes, type, shape): Promise<Bytes> => {
        const sides = [...shape];
        while (sides.length > 3 && sides[0] === 1) sides.shift();
        const channels = sides.length === 4 && (sides[3] ?? 0) <= MAX_CHANNELS ? (sides.pop() ?? 1) : 1;
        if (sides.length > 3) {
            throw new BrickworkError(
                "source",
                `chunks of ${shape.join("×")} have too many axes for the codec brickwork`,
            );
        }
        const [x = 1, y = 1, z = 1] = sides.reverse();
        instance ??= module.then((compiled) =>
            ModuleInstance.create<Exports>(compiled, "the decoder of chunks", IMPORTS),
        );
        const own = await instance;
        try {
            return own.run(bytes, (exports) =>
                exports.brickwork_decode_chunk(type.code ?? -1, x, y, z, channels),
            );
        } catch (error) {
            // After a trap, the instance is unusable.
            if (error instanceof BrickworkError && error.code === "cpu") instance = undefined;
            throw error;
        } finally {
            if (product(shape) * type.bytes > LARGE) instance = undefined;
        }
    };
}
