// Compiles the kernels of a JSON file (`brickwork-bench kernels --wgsl FILE`) in headless Chromium, and fails if
// one is refused. Run by .ci/web.

import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// WebGPU needs a page from a secure origin, such as the loopback address.
const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>kernels</title>");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
        "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader",
    ],
});

// Runs in the page. Returns what the browser says against each kernel.
async function compile(kernels) {
    const adapter = await navigator.gpu?.requestAdapter();
    if (!adapter) throw new Error("the browser has no WebGPU adapter");
    // Without required limits, as every browser has at least.
    const requiredFeatures = adapter.features.has("subgroups") ? ["subgroups"] : [];
    const device = await adapter.requestDevice({ requiredFeatures });
    const refused = [];
    for (const { name, bindings, overrides, wgsl } of kernels) {
        const usesSubgroups = /\bsubgroup(Ballot|Add|Min|Max|Shuffle|Broadcast|_size|_invocation_id)/.test(wgsl);
        if (usesSubgroups && requiredFeatures.length === 0) {
            refused.push(`${name}: the adapter has no subgroups`);
            continue;
        }
        device.pushErrorScope("validation");
        const code = usesSubgroups ? `enable subgroups;\n${wgsl}` : wgsl;
        const module = device.createShaderModule({ code });
        const { messages } = await module.getCompilationInfo();
        const entries = bindings.map((entry, binding) => ({ ...entry, binding, visibility: GPUShaderStage.COMPUTE }));
        const layout = device.createPipelineLayout({
            bindGroupLayouts: [device.createBindGroupLayout({ entries })],
        });
        const compute = { module, entryPoint: "main", constants: overrides };
        let fault = messages.map(({ lineNum, message }) => `line ${lineNum}: ${message}`).join("; ");
        try {
            await device.createComputePipelineAsync({ layout, compute });
        } catch (error) {
            fault ||= error.message;
        }
        fault ||= (await device.popErrorScope())?.message ?? "";
        if (fault) refused.push(`${name}: ${fault}`);
    }
    return refused;
}

let refused = [];
const kernels = JSON.parse(readFileSync(process.argv[2], "utf8"));
try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    // In parts, so that the messages to the page stay small.
    for (let first = 0; first < kernels.length; first += 16) {
        refused.push(...(await page.evaluate(compile, kernels.slice(first, first + 16))));
    }
} finally {
    await browser.close();
    server.close();
}
console.log(refused.join("\n"));
console.log(`${kernels.length} kernels, ${refused.length} refused`);
process.exitCode = kernels.length > 0 && refused.length === 0 ? 0 : 1;
