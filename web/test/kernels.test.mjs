// Every emitted kernel, with every set of override constants, through the browser's compiler, Tint. It refuses
// WGSL that naga accepts: mixed operators, literals above the largest f32, barriers in control flow that may
// differ between threads.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPage } from "./browser.mjs";

const FORMATS = ["bc1", "bc2", "bc3", "bc4", "bc5", "bc6h", "bc7", "etc", "astc"];
const MIPS = ["mips", "mips-halves", "filters", "filters-halves", "normals"];
const MODES = ["mip", "dvr", "iso", "labels"];

let opened;
before(async () => {
    opened = await openPage();
    await opened.page.evaluate(async () => {
        const { Pipelines } = await import("/dist/pipelines.js");
        const adapter = await navigator.gpu.requestAdapter();
        // Without required limits: every device has these.
        const device = await adapter.requestDevice();
        const pipelines = new Pipelines(device);
        // What the browser says against the kernels of a file. `list` returns pairs of kernel and overrides.
        window.compile = async (path, list) => {
            const data = (await import(path)).default;
            const all = new Map();
            for (const [kernel, overrides] of list(data)) {
                all.set(`${kernel.name} ${JSON.stringify(overrides)}`, [kernel, overrides]);
            }
            const faults = [];
            const compiled = [...all].map(([name, [kernel, overrides]]) =>
                pipelines.get(kernel, data.parts, overrides).catch((error) => {
                    faults.push(`${name}: ${error.message}`);
                }),
            );
            await Promise.all(compiled);
            return { count: all.size, faults };
        };
    });
});
after(() => opened?.close());

for (const format of FORMATS) {
    test(format, async () => {
        const { count, faults } = await opened.page.evaluate((format) => {
            return window.compile(`/dist/generated/formats/${format}.js`, (data) => {
                const steps = Object.values(data.chains).flatMap((chains) =>
                    Object.values(chains).flatMap(({ steps }) => steps),
                );
                const kernels = steps.map(({ kernel, overrides }) => [data.kernels[kernel], overrides]);
                return [[data.load.kernel, {}], ...kernels];
            });
        }, format);
        assert.deepEqual(faults, []);
        assert.ok(count > 3, `${count} kernels`);
    });
}

for (const mips of MIPS) {
    test(mips, async () => {
        const { count, faults } = await opened.page.evaluate((mips) => {
            return window.compile(`/dist/generated/mips/${mips}.js`, (data) =>
                [data.load?.kernel ?? [], ...data.kernels].flat().map((kernel) => [kernel, {}]),
            );
        }, mips);
        assert.deepEqual(faults, []);
        assert.ok(count > 1, `${count} kernels`);
    });
}

for (const mode of MODES) {
    test(`ray casters: ${mode}`, async () => {
        const { count, faults } = await opened.page.evaluate((mode) => {
            return window.compile("/dist/generated/volume/casters.js", (data) =>
                Object.values(data.kernels[mode]).map((kernel) => [kernel, {}]),
            );
        }, mode);
        assert.deepEqual(faults, []);
        assert.equal(count, 4);
    });
}
