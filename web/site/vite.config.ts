// The site: `npm run dev` shows it, `npm run build:site` builds it.

import { fileURLToPath } from "node:url";
import { type Plugin, defineConfig } from "vite";
import { exampleModel } from "../scripts/model.mjs";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The module `virtual:model`: URL of the example's model. */
function model(): Plugin {
    const id = "virtual:model";
    let isBuild = false;
    return {
        name: "model",
        configResolved({ command }) {
            isBuild = command === "build";
        },
        configureServer(server) {
            server.middlewares.use("/model.glb", (_request, response) => {
                void exampleModel().then((file: Buffer) => response.end(file));
            });
        },
        resolveId: (source) => (source === id ? `\0${id}` : null),
        async load(source) {
            if (source !== `\0${id}`) return null;
            if (!isBuild) return `export default "/model.glb";`;
            const reference = this.emitFile({
                type: "asset",
                name: "model.glb",
                source: await exampleModel(),
            });
            return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
        },
    };
}

export default defineConfig({
    root: path("."),
    base: "./",
    plugins: [model()],
    resolve: {
        alias: [
            // (As built: with workers and WebAssembly modules.)
            { find: /^@brickwork\/web\/(cpu|volume|three)$/, replacement: path("../dist/$1/index.js") },
            { find: /^@brickwork\/web$/, replacement: path("../dist/index.js") },
        ],
    },
    // The samples are part of the repository.
    server: { fs: { allow: [path("../..")] } },
    build: {
        outDir: path("../dist-site"),
        emptyOutDir: true,
        target: "es2022",
        rollupOptions: { input: [path("index.html"), path("three.html"), path("volume.html")] },
    },
});
