// The options of the page: formats, qualities, and the address that keeps them.

import type { BlockFormat, EncodeOptions, Quality } from "@brickwork/web";
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
};

const QUALITIES: readonly Quality[] = ["ultrafast", "fast", "normal", "high", "best"];
const REAL_TIME: readonly Quality[] = ["real-time-1", "real-time-2"];

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
export function openOptions(isSoftware: boolean, onChange: () => void): void {
    for (const value of Object.keys(FORMATS)) format.add(new Option(value.toUpperCase(), value));
    const asked = new URLSearchParams(location.hash.slice(1));
    const askedFormat = asked.get("format") ?? "";
    format.value = askedFormat in FORMATS ? askedFormat : "bc7";
    // A GPU that the CPU emulates takes long.
    fillQualities(asked.get("quality") ?? (isSoftware ? "real-time-2" : "normal"));
    const changed = () => {
        fillQualities(quality.value);
        keep();
        onChange();
    };
    for (const input of [format, quality, mips, srgb]) input.addEventListener("change", changed);
    keep();
}

/** Selects a format, such as that of a sample. */
export function chooseFormat(value: BlockFormat): void {
    format.value = value;
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
    const values = format.value === "bc7" ? [...REAL_TIME, ...QUALITIES] : QUALITIES;
    const nearest = wanted.startsWith("real-time") ? "ultrafast" : "normal";
    quality.replaceChildren(...values.map((value) => new Option(value.replaceAll("-", " "), value)));
    quality.value = values.includes(wanted as Quality) ? wanted : nearest;
    srgb.disabled = FORMATS[format.value as BlockFormat]?.channels !== "rgba";
}

function keep(): void {
    const { format, quality, mips, srgb } = pageOptions();
    element("format-note").textContent = FORMATS[format]?.note ?? "";
    history.replaceState(null, "", `#format=${format}&quality=${quality}`);
    const options = [`format: "${format}"`, `quality: "${quality}"`];
    if (mips) options.push("mips: true");
    if (!srgb && FORMATS[format]?.channels === "rgba") options.push("srgb: false");
    element("code").textContent =
        `import { Brickwork } from "@brickwork/web";\n\n` +
        `const brickwork = await Brickwork.create();\n` +
        `const { texture } = await brickwork.encodeTexture(\n    image,\n    { ${options.join(", ")} },\n);`;
}
