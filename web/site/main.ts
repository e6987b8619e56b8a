// The page for textures.

import { Brickwork, BrickworkError } from "@brickwork/web";
import { heatColor, heatMap } from "./difference.js";
import { bytes, duration, element } from "./dom.js";
import { type Encoding, type Picture, encodeFile, encodePicture, openPicture } from "./encoding.js";
import { chooseFormat, encodeOptions, openOptions, pageOptions } from "./options.js";
import { SAMPLES } from "./samples.js";
import { fetchServed, listServed, requestedFile } from "./served.js";
import { type Layer, Viewer, layerOf } from "./viewer.js";

const NO_WEBGPU =
    "This browser has no WebGPU, or allows it only on secure pages (https). The CPU encodes, with the same bytes.";
const NO_FORMAT = "This device has no such textures. The CPU has decoded the blocks, to show them here.";

let brickwork: Brickwork | undefined;
let picture: Picture | undefined;
let encoding: Encoding | undefined;
let layers: { readonly original: Layer; readonly decoded: Layer; heat?: Layer } | undefined;
let work = new AbortController();
/** Number of the picture that was requested last. */
let requests = 0;

const viewer = new Viewer((texel) => {
    if (!texel || !encoding) {
        element("readout").textContent = "";
        return;
    }
    const { original, decoded, channels } = encoding;
    const values = ({ data, width }: ImageData) => {
        const at = 4 * (texel.y * width + texel.x);
        return Array.from(data.subarray(at, at + channels.length)).join(" ");
    };
    element("readout").textContent =
        `${texel.x}, ${texel.y}: original ${values(original)} · compressed ${values(decoded)}`;
});

function notice(text: string | undefined): void {
    element("notice").textContent = text ?? "";
    element("notice").hidden = text === undefined;
}

function busy(text: string | undefined): void {
    element("busy").hidden = text === undefined;
    if (text !== undefined) element("busy").lastElementChild!.textContent = text;
}

function isDifference(): boolean {
    return document.querySelector<HTMLInputElement>('[name="side"]:checked')?.value === "difference";
}

/** Draws the two sides of the divider. */
function show(): void {
    if (!picture) return;
    element("legend").hidden = !(encoding && isDifference());
    element("right-tag").textContent = !encoding
        ? ""
        : isDifference()
          ? "Difference"
          : pageOptions().format.toUpperCase().replace("-", " ");
    element("stage").classList.toggle("single", !encoding);
    if (!encoding || !layers) {
        const layer = layerOf(picture.texels);
        viewer.show(layer, layer);
        return;
    }
    const { difference, original } = encoding;
    if (isDifference()) {
        layers.heat ??= layerOf(heatMap(difference, original.width, original.height));
        element("heat-end").textContent = String(difference.heatEnd) + (difference.heatEnd < 255 ? "+" : "");
        element("heat-middle").textContent = String(difference.heatEnd / 2);
    }
    viewer.show(layers.original, isDifference() && layers.heat ? layers.heat : layers.decoded);
}

const decibels = (value: number) => (value === Infinity ? "no difference" : `${value.toFixed(2)} dB`);

/** Prints the figures of an encoding. */
function report({ difference, channels, bytes: count, time, compileTime, isByCpu }: Encoding): void {
    const names = { rgba: "RGB, alpha", rgb: "RGB", rg: "red, green", r: "red" };
    element("psnr-name").textContent = `PSNR (${names[channels]})`;
    const { colors, alpha } = difference;
    const figures = alpha === undefined ? [colors] : [colors, alpha];
    element("psnr").textContent = figures.map(decibels).join(", ");
    const { width = 0, height = 0 } = picture?.texels ?? {};
    const raw = 4 * width * height;
    element("size").textContent =
        `${bytes(count)}, 1/${Math.round((10 * raw) / count) / 10} of ${bytes(raw)}`;
    const texels = (width * height) / (1000 * time);
    const speed = `${texels < 10 ? texels.toFixed(1) : Math.round(texels)} Mpix/s`;
    const compiled = compileTime > 20 ? `; kernels compiled once in ${duration(compileTime)}` : "";
    element("time").textContent = `${duration(time)}${isByCpu ? " on the CPU" : ""}, ${speed}${compiled}`;
}

function clearReport(): void {
    for (const id of ["psnr", "size", "time"]) element(id).textContent = "–";
}

function setDownloads(isEnabled: boolean): void {
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-container]")) {
        // DDS lacks the formats of phones.
        const isWritable = button.dataset["container"] !== "dds" || pageOptions().format.startsWith("bc");
        button.disabled = !isEnabled || !isWritable;
    }
}

async function encode(): Promise<void> {
    if (!picture) return;
    work.abort();
    const { signal } = (work = new AbortController());
    setDownloads(false);
    clearReport();
    busy("Encoding…");
    try {
        const found = await encodePicture(brickwork, picture, pageOptions(), signal);
        if (signal.aborted) return;
        encoding = found;
        layers = { original: layerOf(found.original), decoded: layerOf(found.decoded) };
        report(found);
        notice(!brickwork ? NO_WEBGPU : found.isPreview ? NO_FORMAT : undefined);
        show();
        setDownloads(true);
        document.body.dataset["ready"] = String(Number(document.body.dataset["ready"] ?? 0) + 1);
    } catch (error) {
        if (signal.aborted) return;
        notice(message(error));
    }
    busy(undefined);
}

/** Opens an image. `query` names it in the page's address. */
async function open(name: string, contents: Promise<Blob> | Blob, query = ""): Promise<void> {
    history.replaceState(null, "", `${location.pathname}${query}${location.hash}`);
    const request = ++requests;
    work.abort();
    busy("Reading the image…");
    try {
        const opened = await openPicture(brickwork, name, await contents);
        if (request !== requests) {
            opened.texture?.destroy();
            return;
        }
        picture?.texture?.destroy();
        picture = opened;
        encoding = layers = undefined;
        const { width, height } = opened.texels;
        element("image-name").textContent =
            `${name}, ${width}×${height}${opened.hasAlpha ? ", with alpha" : ""}`;
        show();
        await encode();
    } catch (error) {
        if (request !== requests) return;
        busy(undefined);
        notice(message(error));
    }
}

async function download(container: "dds" | "ktx2"): Promise<void> {
    if (!picture) return;
    const options = pageOptions();
    setDownloads(false);
    busy("Writing the file…");
    try {
        const { name, hasAlpha } = picture;
        const settings = { ...encodeOptions(options, hasAlpha), mips: options.mips, container };
        const file = await encodeFile(brickwork, picture, settings);
        const link = document.createElement("a");
        link.href = URL.createObjectURL(file);
        link.download = `${name.replace(/\.\w+$/, "")}.${container}`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    } catch (error) {
        notice(message(error));
    }
    busy(undefined);
    setDownloads(true);
}

function message(error: unknown): string {
    const code = error instanceof BrickworkError ? error.code : undefined;
    if (code === "device-lost") return "The GPU device was lost. Reload the page to go on.";
    return error instanceof Error
        ? `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`
        : String(error);
}

function openSamples(): void {
    for (const { name, title, address, format } of SAMPLES) {
        const button = document.createElement("button");
        button.type = "button";
        const image = Object.assign(document.createElement("img"), {
            src: address,
            alt: "",
            loading: "lazy",
        });
        button.append(image, Object.assign(document.createElement("span"), { textContent: title }));
        button.addEventListener("click", () => {
            chooseFormat(format);
            void open(
                name,
                fetch(address).then((response) => response.blob()),
            );
        });
        element("samples").append(button);
    }
}

function openServed(name: string, address: string): Promise<void> {
    return open(name, fetchServed(name, address), `?file=${encodeURIComponent(address)}`);
}

/** Opens the image that the page's address names, or the first sample. */
async function openFirst(): Promise<void> {
    let reason: string | undefined;
    try {
        const requested = requestedFile();
        if (requested) return await openServed(requested.name, requested.address);
    } catch (error) {
        reason = message(error);
    }
    const [sample] = SAMPLES;
    if (sample) {
        await open(
            sample.name,
            fetch(sample.address).then((response) => response.blob()),
        );
    }
    if (reason) notice(reason);
}

function openFiles(): void {
    const input = element<HTMLInputElement>("file");
    element("choose").addEventListener("click", () => input.click());
    const first = (files: FileList | null | undefined) => {
        const [file] = files ?? [];
        if (file) void open(file.name || "image", file);
    };
    input.addEventListener("change", () => {
        first(input.files);
        input.value = "";
    });
    addEventListener("paste", (event) => first(event.clipboardData?.files));
    let depth = 0;
    const mark = (change: number) => {
        depth = Math.max(0, depth + change);
        document.body.classList.toggle("dropping", depth > 0);
    };
    addEventListener("dragenter", () => mark(1));
    addEventListener("dragleave", () => mark(-1));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
        event.preventDefault();
        mark(-depth);
        first(event.dataTransfer?.files);
    });
}

function openSides(): void {
    const sides = [...document.querySelectorAll<HTMLInputElement>('[name="side"]')];
    for (const side of sides) side.addEventListener("change", show);
    element("stage").addEventListener("keydown", (event) => {
        if (event.key.toLowerCase() !== "d" || event.ctrlKey || event.metaKey || event.altKey) return;
        const next = sides.find(({ checked }) => !checked);
        if (next) next.checked = true;
        show();
    });
    const colors = Array.from(
        { length: 9 },
        (_, i) => `rgb(${heatColor(Math.round((i * 255) / 8)).join(" ")})`,
    );
    element("legend").style.setProperty("--heat", `linear-gradient(to right, ${colors.join(", ")})`);
}

async function start(): Promise<void> {
    openSides();
    let features: ReadonlySet<string> = new Set();
    try {
        brickwork = await Brickwork.create();
        const device = await brickwork.device();
        features = device.features;
        const { description, vendor, architecture, isFallbackAdapter } = (device.adapterInfo ??
            {}) as Partial<GPUAdapterInfo>;
        const name = description || [vendor, architecture].filter(Boolean).join(" ");
        if (name) element("adapter").textContent = `GPU: ${name}${isFallbackAdapter ? " (software)" : ""}.`;
    } catch (error) {
        if (!(error instanceof BrickworkError) || error.code !== "no-webgpu") notice(message(error));
    }
    openOptions(features, () => void encode());
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-container]")) {
        button.addEventListener("click", () => void download(button.dataset["container"] as "dds" | "ktx2"));
    }
    openSamples();
    openFiles();
    void listServed((name, address) => void openServed(name, address));
    await openFirst();
}

void start();
