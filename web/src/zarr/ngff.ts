// OME-NGFF 0.1 to 0.5: axes, mip levels, channels, labels. Functions of JSON. Source: the specifications of these
// versions.

import type { ChannelLook } from "../volume/facts.js";
import { fault, shown } from "./fault.js";
import { elements, members } from "./json.js";
import { millimetres, seconds } from "./units.js";

/** Meaning of an axis. */
export type AxisKind = "frame" | "channel" | "z" | "y" | "x";

/** Description of an axis. */
export interface AxisText {
    readonly name: string | null;
    readonly kind: string | null;
    readonly unit: string;
}

/** Scale and translation of each axis. */
export interface Scale {
    readonly scale: readonly number[];
    readonly translation: readonly number[];
    /** True if a translation is stated. */
    readonly isTranslated: boolean;
}

/** A label's colour and name. */
export interface ImageLabel {
    readonly value: number;
    readonly name: string | null;
    readonly color: readonly [number, number, number] | null;
}

/** An image: its levels and what is stated about them. */
export interface ImageMeta {
    /** Version of OME-NGFF; null if it is not stated. */
    readonly version: string | null;
    readonly axes: readonly AxisText[];
    readonly levels: readonly { readonly path: string; readonly transformations: unknown }[];
    /** Transformations after those of a level. */
    readonly transformations: unknown;
    readonly channels: readonly ChannelLook[];
    readonly isLabels: boolean;
    readonly labels: readonly ImageLabel[];
    /** Directions of x, y and z that Brickwork has written. */
    readonly orientation: readonly number[] | null;
    /** Metadata that Brickwork has written. */
    readonly metadata: Readonly<Record<string, unknown>> | null;
    readonly notes: readonly string[];
}

const MAX_LEVELS = 64;
const MAX_CHANNELS_LAST = 4;
const MAX_LABELS = 1000;
/** Versions, also such as 0.5.2 and 0.5-dev1. */
const VERSIONS = /^0\.[1-5](?:[.-].*)?$/;

/** What a group is: an image, or paths of images in it. */
export type Group =
    | { readonly kind: "image"; readonly image: ImageMeta }
    | { readonly kind: "collection"; readonly what: string; readonly paths: readonly string[] }
    | { readonly kind: "bioformats2raw" }
    | { readonly kind: "other"; readonly names: readonly string[] };

/** Reads the attributes of a group whose metadata has this key. */
export function groupOf(key: string, attributes: Readonly<Record<string, unknown>>): Group {
    const ome = attributes["ome"] === undefined ? attributes : members(attributes["ome"]);
    const [scales] = [elements(ome["multiscales"])];
    if (scales.length > 0) return { kind: "image", image: imageOf(key, attributes, ome, scales) };
    if (ome["plate"] !== undefined) {
        const wells = elements(members(ome["plate"])["wells"]);
        return { kind: "collection", what: "plate", paths: pathsOf(wells).map((path) => `${path}/0`) };
    }
    if (ome["well"] !== undefined) {
        return { kind: "collection", what: "well", paths: pathsOf(elements(members(ome["well"])["images"])) };
    }
    const series = elements(ome["series"]).filter((path) => typeof path === "string");
    if (series.length > 0) return { kind: "collection", what: "series", paths: series as string[] };
    const labels = elements(ome["labels"]).filter((path) => typeof path === "string");
    if (labels.length > 0) return { kind: "collection", what: "list of labels", paths: labels as string[] };
    if (ome["bioformats2raw.layout"] !== undefined) return { kind: "bioformats2raw" };
    return { kind: "other", names: Object.keys(ome).slice(0, 8) };
}

function pathsOf(list: readonly unknown[]): string[] {
    const paths = list.map((entry) => members(entry)["path"]);
    return paths.filter((path): path is string => typeof path === "string");
}

function imageOf(
    key: string,
    attributes: Readonly<Record<string, unknown>>,
    ome: Readonly<Record<string, unknown>>,
    scales: readonly unknown[],
): ImageMeta {
    const scale = members(scales[0]);
    const stated = ome["version"] ?? scale["version"];
    const version = typeof stated === "string" ? stated : null;
    if (version !== null && !VERSIONS.test(version)) {
        throw fault(key, `version ${shown(version)} of OME-NGFF is not supported; versions 0.1 to 0.5 are`);
    }
    if (scale["coordinateSystems"] !== undefined) {
        throw fault(key, "coordinateSystems of OME-NGFF 0.6 are not supported; versions 0.1 to 0.5 are");
    }
    const axes = scale["axes"];
    if (axes !== undefined && !Array.isArray(axes)) throw fault(key, "axes of multiscales is no list");
    const old = ["t", "c", "z", "y", "x"];
    const datasets = elements(scale["datasets"]);
    if (datasets.length === 0) throw fault(key, "multiscales has no datasets");
    if (datasets.length > MAX_LEVELS)
        throw fault(key, `multiscales has ${datasets.length} datasets, more than ${MAX_LEVELS}`);
    const notes: string[] = [];
    if (scales.length > 1) notes.push(`the first of ${scales.length} multiscales is shown`);
    const own = members(attributes["brickwork"]);
    const orientation = own["orientation"] === undefined ? null : numbersOf(own["orientation"], 9);
    if (orientation === undefined) throw fault(key, "brickwork.orientation is no list of 9 numbers");
    const metadata = members(own["metadata"]);
    const label = ome["image-label"];
    return {
        version,
        axes: elements(axes ?? old).map(axisText),
        levels: datasets.map((dataset) => {
            const { path, coordinateTransformations } = members(dataset);
            return { path: pathOf(key, path), transformations: coordinateTransformations };
        }),
        transformations: scale["coordinateTransformations"],
        channels: channelsOf(members(ome["omero"])),
        isLabels: label !== undefined || own["kind"] === "labels",
        labels: labelsOf(members(label)),
        orientation,
        metadata: Object.keys(metadata).length > 0 ? metadata : null,
        notes,
    };
}

/** Returns the path of a member of a group, which must be inside of it. */
function pathOf(key: string, path: unknown): string {
    const parts = typeof path === "string" ? path.replace(/\/$/, "").split("/") : [""];
    if (parts.every((part) => part !== "" && part !== "." && part !== "..")) return parts.join("/");
    throw fault(key, `the path ${shown(path)} of a dataset is not allowed`);
}

function axisText(axis: unknown): AxisText {
    if (typeof axis === "string") return { name: axis, kind: null, unit: "" };
    const { name, type, unit } = members(axis);
    const text = (value: unknown) => (typeof value === "string" ? value : null);
    return { name: text(name), kind: text(type), unit: text(unit) ?? "" };
}

function numbersOf(value: unknown, count: number): number[] | undefined {
    const list = elements(value);
    return list.length === count && list.every((number) => Number.isFinite(number))
        ? (list as number[])
        : undefined;
}

/**
 * Returns the meaning of the axes of an array of this shape. Axes without names are z, y and x, before them frames,
 * and after them at most four channels. Up to three axes with other names are z, y and x, too.
 */
export function axesOf(key: string, texts: readonly AxisText[], shape: readonly number[]): AxisKind[] {
    const unsupported = () => {
        const names = texts.map(({ name }) => name ?? "?").join(", ");
        return fault(
            key,
            `the axes ${shown(names)} of ${shape.join("×")} are not those of a volume: t, c, z, y and x are read`,
        );
    };
    const count = shape.length;
    const axes: (AxisKind | undefined)[] = Array<undefined>(count).fill(undefined);
    const named = (name: string | null) => (name ?? "").toLowerCase();
    if (texts.every(({ name, kind }) => name === null && kind === null)) {
        const hasChannels = count > 3 && (shape[count - 1] ?? 0) <= MAX_CHANNELS_LAST;
        if (hasChannels) axes[count - 1] = "channel";
        if (count - (hasChannels ? 1 : 0) === 4) axes[0] = "frame";
    }
    texts.forEach(({ name, kind }, axis) => {
        const is = (type: string, names: string[]) =>
            kind === type || (kind === null && names.includes(named(name)));
        if (is("time", ["t", "time"])) axes[axis] = "frame";
        else if (is("channel", ["c", "channel"])) axes[axis] = "channel";
    });
    const space = texts.map((_, axis) => axis).filter((axis) => axes[axis] === undefined);
    const byName = (axis: number): AxisKind | undefined => {
        const name = named(texts[axis]?.name ?? null);
        return name === "x" || name === "y" || name === "z" ? name : undefined;
    };
    if (space.length > 3 && !space.every(byName)) throw unsupported();
    const inOrder: readonly AxisKind[] = (["z", "y", "x"] as const).slice(Math.max(0, 3 - space.length));
    const isNamed = space.every(byName);
    space.forEach((axis, index) => {
        const kind = isNamed ? byName(axis) : inOrder[index];
        // In `lat, lon, z`, the order contradicts the name.
        if (byName(axis) && byName(axis) !== kind) throw unsupported();
        axes[axis] = kind;
    });
    const found = axes.filter((axis): axis is AxisKind => axis !== undefined);
    const isTwice = new Set(found).size !== count;
    if (isTwice || !found.some((axis) => axis !== "frame" && axis !== "channel")) throw unsupported();
    return found;
}

/** Applies lists of `coordinateTransformations`, each of which may be absent. */
export function scaleOf(key: string, count: number, lists: readonly unknown[]): Scale {
    let scale = Array<number>(count).fill(1);
    let translation = Array<number>(count).fill(0);
    let isTranslated = false;
    for (const list of lists) {
        if (list === undefined || list === null) continue;
        if (!Array.isArray(list)) throw fault(key, "coordinateTransformations is no list");
        for (const transformation of list) {
            const fields = members(transformation);
            const type = fields["type"];
            if (type === "identity") continue;
            if (type !== "scale" && type !== "translation") {
                throw fault(key, `coordinateTransformations: the type ${shown(type)} is not supported`);
            }
            const numbers = numbersOf(fields[type], count);
            if (!numbers)
                throw fault(key, `coordinateTransformations: a ${type} is no list of ${count} numbers`);
            if (type === "scale") {
                scale = scale.map((own, axis) => own * (numbers[axis] ?? 1));
                translation = translation.map((own, axis) => own * (numbers[axis] ?? 1));
            } else {
                translation = translation.map((own, axis) => own + (numbers[axis] ?? 0));
                isTranslated = true;
            }
        }
    }
    return { scale, translation, isTranslated };
}

/** Place of a level in space and time. */
export interface LevelPlace {
    /** Distances of voxels along x, y and z in millimetres, or in no unit. */
    readonly spacing: readonly [number, number, number];
    /** Centre of the first voxel. */
    readonly origin: readonly [number, number, number];
    /** Seconds between frames; 0 if unknown. */
    readonly frameSeconds: number;
    readonly notes: readonly string[];
}

/** Returns the place of a level. */
export function placeOf(
    key: string,
    axes: readonly AxisKind[],
    texts: readonly AxisText[],
    own: Scale,
): LevelPlace {
    const spacing: [number, number, number] = [1, 1, 1];
    const origin: [number, number, number] = [0, 0, 0];
    let frameSeconds = 0;
    const notes = new Set<string>();
    axes.forEach((axis, index) => {
        const unit = texts[index]?.unit ?? "";
        const [scale, translation] = [own.scale[index] ?? 1, own.translation[index] ?? 0];
        const unknown = `the unit ${shown(unit)} is not known: its numbers are taken as they are`;
        if (axis === "channel") return;
        if (axis === "frame") {
            const time = seconds(scale, unit);
            if (time === undefined) notes.add(unknown);
            else if (unit !== "" && time >= 0) frameSeconds = time;
            return;
        }
        const place = { x: 0, y: 1, z: 2 }[axis];
        const length = (number: number) => millimetres(number, unit) ?? number;
        if (millimetres(1, unit) === undefined) notes.add(unknown);
        if (!(length(scale) > 0)) throw fault(key, `the scale ${scale} is not positive`);
        spacing[place] = length(scale);
        origin[place] = length(translation);
    });
    return { spacing, origin, frameSeconds, notes: [...notes] };
}

/** Returns the looks of channels, as far as they are valid. */
function channelsOf(omero: Readonly<Record<string, unknown>>): ChannelLook[] {
    return elements(omero["channels"]).map((channel) => {
        const { label, window, color, inverted, active } = members(channel);
        const { start, end } = members(window);
        const [, ...digits] =
            /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(typeof color === "string" ? color : "") ?? [];
        const isWindow =
            Number.isFinite(start) && Number.isFinite(end) && (start as number) < (end as number);
        const [red = 0, green = 0, blue = 0] = digits.map((pair) => Number.parseInt(pair, 16) / 255);
        return {
            name: typeof label === "string" ? label : null,
            window: isWindow ? [start as number, end as number] : null,
            color: digits.length === 3 ? [red, green, blue] : null,
            isInverted: inverted === true,
            isActive: active !== false,
        };
    });
}

/** Returns the labels that have a colour or a name. */
function labelsOf(label: Readonly<Record<string, unknown>>): ImageLabel[] {
    const labels = new Map<number, { name: string | null; color: ImageLabel["color"] }>();
    const entry = (value: unknown) => {
        if (!Number.isSafeInteger(value) || (!labels.has(value as number) && labels.size === MAX_LABELS))
            return undefined;
        const found = labels.get(value as number) ?? { name: null, color: null };
        labels.set(value as number, found);
        return found;
    };
    for (const color of elements(label["colors"])) {
        const fields = members(color);
        const [red = 0, green = 0, blue = 0] = elements(fields["rgba"]).filter(
            (part) => typeof part === "number",
        );
        const found = entry(fields["label-value"]);
        if (found) found.color = [red, green, blue];
    }
    for (const property of elements(label["properties"])) {
        const fields = members(property);
        const name = fields["name"] ?? fields["class"];
        const found = typeof name === "string" ? entry(fields["label-value"]) : undefined;
        if (found) found.name = name as string;
    }
    return [...labels].map(([value, found]) => ({ value, ...found })).sort((a, b) => a.value - b.value);
}
