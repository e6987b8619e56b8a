// The page of volumes.

import {
    BrickworkError,
    type LoadStage,
    type LookOptions,
    Orbit,
    type RenderMode,
    type SliceOptions,
    type VolumeSource,
    VolumeView,
} from "@brickwork/web/volume";
import { bytes, duration, element } from "../dom.js";
import atlas from "./atlas.bwv?url&no-inline";
import hydrogen from "./hydrogen.bwv?url&no-inline";
import { requestedFile } from "../served.js";
import { codeOf } from "./code.js";
import { droppedSource } from "./dropped.js";

const SAMPLES: Readonly<Record<string, string>> = { hydrogen, atlas };

/** Milliseconds that a picture may take while the camera moves. */
const FLUENT = 60;

/** Smallest share of the pixels along each axis while the camera moves. */
const LEAST_SCALE = 1 / 8;

const canvas = element<HTMLCanvasElement>("canvas");
const sliceCanvas = element<HTMLCanvasElement>("slice");
const stage = element("stage");
const mode = element<HTMLSelectElement>("mode");
const preset = element<HTMLSelectElement>("preset");
const iso = element<HTMLInputElement>("iso");
const level = element<HTMLSelectElement>("level");
const channel = element<HTMLSelectElement>("channel");
const index = element<HTMLInputElement>("index");

let view: VolumeView | undefined;
let orbit: Orbit | undefined;
let opening: AbortController | undefined;
/** Time of a picture of full size in milliseconds. */
let fullTime = 0;

function notice(text: string | undefined): void {
    element("notice").textContent = text ?? "";
    element("notice").hidden = text === undefined;
}

function busy(text: string | undefined): void {
    element("busy").hidden = text === undefined;
    if (text !== undefined) element("busy").lastElementChild!.textContent = text;
}

function report(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const code = error instanceof BrickworkError ? error.code : "";
    notice(code === "no-webgpu" ? `${text}. Volumes are drawn on the CPU, which is slow.` : text);
}

function isSlice(): SliceOptions["axis"] | undefined {
    const value = document.querySelector<HTMLInputElement>('[name="picture"]:checked')?.value ?? "render";
    return value === "render" ? undefined : (value as "x" | "y" | "z");
}

/** Opens a volume. Without WebGPU, the CPU draws. */
async function open(source: VolumeSource, name: string): Promise<void> {
    opening?.abort();
    const { signal } = (opening = new AbortController());
    busy("Opening the volume…");
    notice(undefined);
    for (const button of document.querySelectorAll<HTMLElement>("[data-sample]")) {
        button.setAttribute("aria-pressed", String(SAMPLES[button.dataset["sample"] ?? ""] === source));
    }
    view?.dispose();
    view = undefined;
    const options = {
        signal,
        onProgress: (done: number, total: number, stage: LoadStage) =>
            busy(
                stage === "reading"
                    ? `Reading ${bytes(done)} of ${bytes(total)}…`
                    : `Preparing, ${Math.round((100 * done) / total)} %…`,
            ),
    };
    try {
        const opened = await VolumeView.open(undefined, canvas, source, options).catch((error: unknown) => {
            if (!(error instanceof BrickworkError && error.code === "no-webgpu")) throw error;
            report(error);
            return VolumeView.open(undefined, canvas, source, { ...options, cpu: true });
        });
        if (signal.aborted) {
            opened.dispose();
            return;
        }
        view = opened;
        showFacts(opened, name);
        showPart(opened);
        // A coarse picture first: how fast the device is, is not known.
        fullTime = Infinity;
        await show(true);
        await show(false);
        document.body.dataset["ready"] = String(Number(document.body.dataset["ready"] ?? 0) + 1);
    } catch (error) {
        if (signal.aborted) return;
        report(error);
    } finally {
        if (!signal.aborted) busy(undefined);
    }
}

function showFacts(opened: VolumeView, name: string): void {
    const { facts } = opened;
    const [x, y, z] = facts.dims;
    const notes = facts.notes.length > 0 ? ` ${facts.notes.join("; ")}.` : "";
    const unit = facts.unit ? `, ${facts.unit}` : "";
    element("volume-name").textContent = `${name}: ${x}×${y}×${z} ${facts.voxelType}${unit}.${notes}`;
    level.replaceChildren(
        ...facts.levels.map(({ dims, bytes: size }, i) => {
            const option = new Option(`${dims.join("×")}, ${bytes(size)}`, String(i));
            option.selected = i === opened.level;
            return option;
        }),
    );
    element("part").hidden = facts.levels.length < 2;
    channel.replaceChildren(
        ...Array.from({ length: facts.channels }, (_, i) => {
            return new Option(facts.channelNames?.[i] || `Channel ${i}`, String(i));
        }),
    );
    element("channel-field").hidden = facts.channels < 2;
}

/** Shows the loaded part and its look. */
function showPart(opened: VolumeView): void {
    const { part, look, facts } = opened;
    preset.replaceChildren(new Option("Suitable", ""), ...part.presets.map((name) => new Option(name, name)));
    mode.value = look.mode;
    for (const option of mode.options) option.disabled = option.value === "labels" && look.mode !== "labels";
    showLook(opened);
    orbit?.dispose();
    orbit = new Orbit(canvas, {
        camera: look.camera,
        onChange: (camera, isMoving) => {
            opened.camera = camera;
            void show(isMoving);
        },
    });
    opened.camera = orbit.camera;
    element("memory").textContent =
        `${bytes(part.residentBytes)} for ${bytes(rawBytes(part.dims, facts.voxelType))}`;
    const { read } = opened;
    const whole = read.isWhole ? ", as a whole: the server does not support ranges" : "";
    const requests = read.requests === 1 ? "1 request" : `${read.requests} requests`;
    element("read").textContent = `${bytes(read.bytes)} in ${requests}${whole}`;
    element("level-tag").textContent = opened.level > 0 ? `Mip level ${opened.level}` : "";
    showCode(opened);
}

function showCode({ facts, level: shown }: VolumeView): void {
    const name = facts.format === "zarr" ? "scan.zarr" : "scan.bwv";
    element("code").textContent = codeOf(name, shown, lookOptions());
}

function rawBytes(dims: readonly number[], voxelType: string): number {
    const bits = Number(/\d+/.exec(voxelType)?.[0] ?? 8);
    return dims.reduce((product, side) => product * side, bits / 8);
}

function showLook({ look }: VolumeView): void {
    element("preset-field").hidden = !(look.mode === "dvr" || look.mode === "mip");
    element("iso-field").hidden = look.mode !== "iso";
    if (look.iso !== null) iso.value = String(Number(look.iso.toPrecision(6)));
}

function lookOptions(): LookOptions {
    const chosen = mode.value as RenderMode;
    const value = Number.parseFloat(iso.value);
    return {
        mode: chosen,
        ...(preset.value && chosen !== "iso" && chosen !== "labels" ? { preset: preset.value } : {}),
        ...(chosen === "iso" && Number.isFinite(value) ? { iso: value } : {}),
    };
}

async function changeLook(options: LookOptions): Promise<void> {
    const opened = view;
    if (!opened) return;
    try {
        await opened.setLook(options);
        if (opened !== view) return;
        notice(undefined);
        showLook(opened);
        showCode(opened);
        await show(false);
    } catch (error) {
        if (opened === view) report(error);
    }
}

/** Draws the picture or the slice. */
async function show(isMoving: boolean): Promise<void> {
    const opened = view;
    if (!opened) return;
    const axis = isSlice();
    canvas.hidden = axis !== undefined;
    sliceCanvas.hidden = axis === undefined;
    element("camera-tools").hidden = axis !== undefined;
    element("slice-tools").hidden = axis === undefined;
    try {
        if (axis !== undefined) {
            await showSlice(opened, axis);
            return;
        }
        // A quarter of the pixels along each axis takes a sixteenth of the time.
        const scale = isMoving ? Math.max(LEAST_SCALE, Math.min(1, Math.sqrt(FLUENT / (fullTime || 1)))) : 1;
        const started = performance.now();
        const timer = isMoving ? undefined : setTimeout(() => busy("Drawing…"), 400);
        const onProgress = (share: number) => {
            if (!isMoving && !element("busy").hidden) busy(`Drawing, ${Math.round(100 * share)} %…`);
        };
        const isDrawn = await opened.draw({ scale, onProgress }).finally(() => clearTimeout(timer));
        if (!isDrawn || opened !== view) return;
        const time = performance.now() - started;
        if (!isMoving) busy(undefined);
        if (scale === 1) {
            fullTime = time;
            element("time").textContent = `${duration(time)}, ${canvas.width}×${canvas.height} pixels`;
        } else {
            fullTime = time / scale ** 2;
        }
    } catch (error) {
        if (opened !== view) return;
        busy(undefined);
        report(error);
    }
}

async function showSlice(opened: VolumeView, axis: NonNullable<SliceOptions["axis"]>): Promise<void> {
    const wanted = index.dataset["axis"] === axis ? { index: Number(index.value) } : {};
    const slice = await opened.slice({ axis, ...wanted });
    if (opened !== view || isSlice() !== axis) return;
    index.dataset["axis"] = axis;
    index.max = String(slice.count - 1);
    index.value = String(slice.index);
    element("index-value").textContent = `${slice.index + 1} of ${slice.count}`;
    sliceCanvas.width = slice.width;
    sliceCanvas.height = slice.height;
    const context = sliceCanvas.getContext("2d");
    context?.putImageData(new ImageData(slice.pixels, slice.width, slice.height), 0, 0);
    // In true proportions.
    const [right, down] = slice.spacing;
    const [width, height] = [slice.width * right, slice.height * down];
    const scale = Math.min(stage.clientWidth / width, stage.clientHeight / height);
    sliceCanvas.style.width = `${width * scale}px`;
    sliceCanvas.style.height = `${height * scale}px`;
}

async function count(): Promise<void> {
    const opened = view;
    if (!opened) return;
    busy("Counting…");
    try {
        const [width, height] = [Math.min(320, canvas.width), Math.min(240, canvas.height)];
        const { statistics } = await opened.render({ width, height, statistics: true });
        if (opened !== view) return;
        const text = statistics
            ? `${statistics.samples.toLocaleString("en")}, ${statistics.brickReads.toLocaleString("en")}`
            : "not on the CPU";
        element("statistics").textContent = `${text} (${width}×${height} pixels)`;
    } catch (error) {
        if (opened === view) report(error);
    }
    busy(undefined);
}

new ResizeObserver(() => {
    const ratio = Math.min(2, devicePixelRatio);
    const side = (length: number) => Math.max(1, Math.round(length * ratio));
    const [width, height] = [side(stage.clientWidth), side(stage.clientHeight)];
    if (canvas.width === width && canvas.height === height) return;
    canvas.width = width;
    canvas.height = height;
    void show(false);
}).observe(stage);

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-sample]")) {
    const name = button.dataset["sample"] ?? "";
    button.addEventListener("click", () => void open(SAMPLES[name] ?? "", button.textContent ?? name));
}
const file = element<HTMLInputElement>("file");
element("choose").addEventListener("click", () => file.click());
file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (chosen) void open(chosen, chosen.name);
    file.value = "";
});
const folder = element<HTMLInputElement>("folder");
element("choose-folder").addEventListener("click", () => folder.click());
folder.addEventListener("change", () => {
    const files = [...(folder.files ?? [])];
    if (files.length > 0) void open(files, files[0]?.webkitRelativePath.split("/")[0] ?? "folder");
    folder.value = "";
});
for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => {
        event.preventDefault();
        stage.classList.add("dropping");
    });
}
document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) stage.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
    event.preventDefault();
    stage.classList.remove("dropping");
    if (!event.dataTransfer) return;
    droppedSource(event.dataTransfer)
        .then((dropped) => dropped && open(dropped.source, dropped.name))
        .catch(report);
});
mode.addEventListener("change", () => void changeLook({ mode: mode.value as RenderMode }));
preset.addEventListener("change", () => void changeLook(lookOptions()));
iso.addEventListener("change", () => void changeLook(lookOptions()));
for (const select of [level, channel]) {
    select.addEventListener("change", () => {
        const opened = view;
        if (!opened) return;
        busy("Loading…");
        void opened
            .load({ level: Number(level.value), channel: Number(channel.value) })
            .then(() => {
                delete index.dataset["axis"];
                showPart(opened);
                return show(false);
            })
            .catch(report)
            .finally(() => busy(undefined));
    });
}
for (const input of document.querySelectorAll('[name="picture"]')) {
    input.addEventListener("change", () => void show(false));
}
index.addEventListener("input", () => void show(false));
element("zoom-in").addEventListener("click", () => orbit?.zoomBy(1.25));
element("zoom-out").addEventListener("click", () => orbit?.zoomBy(1 / 1.25));
element("reset").addEventListener("click", () => orbit?.reset());
element("count").addEventListener("click", () => void count());

const first = new URLSearchParams(location.hash.slice(1)).get("sample") ?? "hydrogen";
try {
    const requested = requestedFile();
    if (requested) void open(requested.address, requested.name);
    else void open(SAMPLES[first] ?? hydrogen, first === "atlas" ? "Brain atlas" : "Hydrogen");
} catch (error) {
    report(error);
}
