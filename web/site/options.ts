// The options of the page: formats, qualities, and the address that keeps them.

import { type BlockFormat, type EncodeOptions, type Quality, formatInfo } from "@brickwork/web";
import { element } from "./dom.js";
import type { Channels } from "./pixels.js";

interface FormatText {
    readonly note: string;
    /** Channels that are shown and measured of an image with alpha. */
    readonly channels: Channels;
}

export const FORMATS: Readonly<Partial<Record<BlockFormat, FormatText>>> = {
    bc7: { note: "Colours, alpha; 8 bits per texel", channels: "rgba" },
    bc1: { note: "Colours, 1-bit alpha; 4 bits per texel", channels: "rgba" },
    bc3: { note: "Colours, soft alpha; 8 bits per texel", channels: "rgba" },
    bc5: { note: "Normal maps (red, green); 8 bits per texel", channels: "rg" },
    bc4: { note: "Masks, heights (red); 4 bits per texel", channels: "r" },
    bc6h: { note: "HDR colours; 8 bits per texel", channels: "rgb" },
    "astc-4x4": { note: "Phones: colours, alpha; 8 bits per texel", channels: "rgba" },
    "etc2-rgb8": { note: "Older phones: colours; 4 bits per texel", channels: "rgb" },
    "etc2-rgba8": { note: "Older phones: colours, soft alpha; 8 bits per texel", channels: "rgba" },
    "eac-rg11": { note: "Phones: normal maps (red, green); 8 bits per texel", channels: "rg" },
    "eac-r11": { note: "Phones: masks, heights (red); 4 bits per texel", channels: "r" },
};

/** Formats of phones for those of desktop GPUs. */
const MOBILE: Readonly<Partial<Record<BlockFormat, BlockFormat>>> = {
    bc7: "astc-4x4",
    bc5: "eac-rg11",
    bc4: "eac-r11",
};

let hasBc = true;

const QUALITIES: readonly Quality[] = ["ultrafast", "fast", "normal", "high", "best"];
const REAL_TIME: readonly Quality[] = ["real-time-1", "real-time-2", "real-time-3"];

/** Options that the form holds. */
export interface PageOptions {
    readonly format: BlockFormat;
    readonly quality: Quality;
    readonly mips: boolean;
    readonly srgb: boolean;
}

const format = element<HTMLSelectElement>("format");
const quality = element<HTMLSelectElement>("quality");
const mips = element<HTMLInputElement>("mips");
const srgb = element<HTMLInputElement>("srgb");

/** Fills the form, from the page's address where it states options. Calls `onChange` at changes. */
export function openOptions(features: ReadonlySet<string>, onChange: () => void): void {
    hasBc = features.has("texture-compression-bc") || !features.has("texture-compression-astc");
    for (const value of Object.keys(FORMATS)) format.add(new Option(value.toUpperCase(), value));
    const asked = new URLSearchParams(location.hash.slice(1));
    const askedFormat = asked.get("format") ?? "";
    format.value = askedFormat in FORMATS ? askedFormat : suitable("bc7");
    fillQualities(asked.get("quality") ?? "real-time-2");
    const changed = () => {
        fillQualities(quality.value);
        keep();
        onChange();
    };
    for (const input of [format, quality, mips, srgb]) input.addEventListener("change", changed);
    keep();
}

/** Returns a format of desktop GPUs, or that of phones for it. */
function suitable(value: BlockFormat): BlockFormat {
    return hasBc ? value : (MOBILE[value] ?? value);
}

/** Selects a format, such as that of a sample, or that of phones for it. */
export function chooseFormat(value: BlockFormat): void {
    format.value = suitable(value);
    fillQualities(quality.value);
    keep();
}

/** Returns what the form holds. */
export function pageOptions(): PageOptions {
    return {
        format: format.value as BlockFormat,
        quality: quality.value as Quality,
        mips: mips.checked,
        srgb: srgb.checked && !srgb.disabled,
    };
}

/** Returns the options of an encoding. */
export function encodeOptions({ format, quality, srgb }: PageOptions, hasAlpha: boolean): EncodeOptions {
    const storesAlpha = FORMATS[format]?.channels === "rgba";
    return { format, quality, srgb, alpha: storesAlpha && hasAlpha ? "straight" : "opaque" };
}

function fillQualities(wanted: string): void {
    const values = [...REAL_TIME, ...QUALITIES];
    quality.replaceChildren(...values.map((value) => new Option(value.replaceAll("-", " "), value)));
    quality.value = values.includes(wanted as Quality) ? wanted : "normal";
    srgb.disabled = !formatInfo(format.value as BlockFormat).textureFormats[1];
}

function keep(): void {
    const { format, quality, mips, srgb } = pageOptions();
    element("format-note").textContent = FORMATS[format]?.note ?? "";
    history.replaceState(null, "", `#format=${format}&quality=${quality}`);
    const options = [`format: "${format}"`, `quality: "${quality}"`];
    if (mips) options.push("mips: true");
    if (!srgb && formatInfo(format).textureFormats[1]) options.push("srgb: false");
    element("code").textContent =
        `import { Brickwork } from "@brickwork/web";\n\n` +
        `const brickwork = await Brickwork.create();\n` +
        `const { texture } = await brickwork.encodeTexture(\n    image,\n    { ${options.join(", ")} },\n);`;
}
