// Loading of the package's WebAssembly modules.

import { text } from "../device.js";
import { BrickworkError } from "../errors.js";
import { fetched } from "../sources.js";

/**
 * Returns a module for workers. Errors call it `name`.
 *
 * @param url Returns the URL of the file. It may throw: some bundlers have no `import.meta.url`.
 * @throws {BrickworkError} `cpu`, or the reason of the signal.
 */
export async function loadModule(
    url: () => string | URL,
    name: string,
    signal?: AbortSignal,
): Promise<WebAssembly.Module> {
    if (typeof Worker !== "function") throw new BrickworkError("cpu", "this environment has no workers");
    try {
        const file = await fetched(url(), signal);
        return await WebAssembly.compile(await file.arrayBuffer());
    } catch (cause) {
        signal?.throwIfAborted();
        throw new BrickworkError("cpu", `${name} cannot be loaded: ${text(cause)}`, { cause });
    }
}
