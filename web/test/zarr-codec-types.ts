// Types of `@brickwork/zarr-codec` with those of zarrita. It is not run.

import * as zarr from "zarrita";
import { codec, register } from "../src/zarr-codec/index.js";
import { regions } from "../src/zarr-codec/regions.js";

register(zarr.registry);
register(new Map<string, () => Promise<unknown>>());

export async function read(): Promise<number> {
    const array = await zarr.open(new zarr.FetchStore("https://example.org/"), { kind: "array" });
    const withRegions = zarr.defineArrayExtension(regions);
    const parts = await zarr.extendArray(array, withRegions);
    const { data } = await zarr.get(parts, [zarr.slice(0, 8), null, 3]);
    const same = await withRegions(array, { metadata: {}, wasm: "codec.wasm" });
    const own = codec().fromConfig({}, { shape: [8, 8, 8], dataType: "uint8" });
    const { length } = (await own.decode(new Uint8Array(9))).data;
    return data.length + same.shape.length + length;
}
