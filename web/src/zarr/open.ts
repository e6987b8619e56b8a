// A hierarchy of Zarr opened: the store, the image's group, the arrays of its levels.

import type { Bytes } from "./boxes.js";
import { fault, shown } from "./fault.js";
import { HttpStore } from "./http.js";
import { type Json, elements, memberText, members, parseJson } from "./json.js";
import {
    type ArrayMeta,
    MAX_METADATA,
    type MetadataText,
    arrayOfVersion2,
    arrayOfVersion3,
} from "./metadata.js";
import { type AxisText, type ImageMeta, groupOf } from "./ngff.js";
import { BlobStore, type FolderHandle, type Store, rooted } from "./store.js";
import { ZipStore } from "./zip.js";

/** Paths that errors list. */
const MAX_LISTED = 8;

/** A source: URL, archive, files of a folder by their paths, or a folder that the user has picked. */
export type ZarrSource = string | Blob | ReadonlyMap<string, Blob> | FolderHandle;

/** A level's array, and its transformations. */
export interface LevelArray {
    readonly array: ArrayMeta;
    readonly transformations: unknown;
}

/** An image with its arrays. */
export interface OpenedImage {
    /** Path of its group or array in the hierarchy. */
    readonly path: string;
    /** Levels, the largest first. */
    readonly levels: readonly LevelArray[];
    /** Undefined for an array without a group. */
    readonly image: ImageMeta | undefined;
    readonly axes: readonly AxisText[] | undefined;
    /** Paths of its labels. */
    readonly labelPaths: readonly string[];
    readonly notes: readonly string[];
}

type Node =
    | { readonly kind: "array"; readonly array: ArrayMeta }
    | {
          readonly kind: "group";
          readonly version: 2 | 3;
          readonly key: string;
          readonly attributes: Json;
          /** Metadata of members by their paths. */
          readonly known: Json;
          /** Returns the text of such metadata. */
          readonly knownText: (path: string) => ReturnType<MetadataText>;
      };

/** Opens the store of a source, in which there is an image at a path. */
export async function storeOf(source: ZarrSource, path: string, signal: AbortSignal): Promise<Store> {
    if (typeof source === "string") {
        const isArchive = /\.(?:ozx|zip)$/i.test(new URL(source).pathname);
        if (!isArchive) return new HttpStore(source);
        return rooted(await ZipStore.open(new HttpStore(source), source, signal), path);
    }
    if (source instanceof Blob) {
        const name = (source as { name?: string }).name ?? "the archive";
        return rooted(await ZipStore.open(BlobStore.ofFile(source), name, signal), path);
    }
    if (source instanceof Map) return rooted(BlobStore.ofFiles(source), path);
    return BlobStore.ofFolder(source as FolderHandle);
}

/** Opens the image at a path of a hierarchy. */
export async function openImage(store: Store, path: string, signal: AbortSignal): Promise<OpenedImage> {
    const prefix = path === "" ? "" : `${path}/`;
    const node = await readNode(store, prefix, signal);
    if (!node) throw notFound(store, prefix);
    if (node.kind === "array") {
        const { array } = node;
        const axes = array.names.length > 0 ? array.names : array.shape.map(() => null);
        return {
            path: prefix.slice(0, -1),
            levels: [{ array, transformations: undefined }],
            image: undefined,
            axes: axes.map((name) => ({ name, kind: null, unit: "" })),
            labelPaths: [],
            notes: [],
        };
    }
    const group = groupOf(node.key, node.attributes);
    switch (group.kind) {
        case "image":
            return imageOf(store, prefix, node, group.image, signal);
        case "collection":
            throw fault(
                node.key,
                `it is a ${group.what}, not an image. Open one of ${listed(group.paths, prefix)}`,
            );
        case "bioformats2raw": {
            const paths = await seriesOf(store, prefix, signal);
            const [first = "0", ...others] = paths;
            const opened = await openImage(store, prefix + first, signal);
            if (others.length === 0) return opened;
            const note = `image ${first} of ${paths.length} is shown; there are ${listed(paths, prefix)}`;
            return { ...opened, notes: [...opened.notes, note] };
        }
        case "other": {
            const folders = new Set<string>();
            for (const key of store.keys?.() ?? []) {
                const [folder, ...rest] = key.slice(prefix.length).split("/");
                if (key.startsWith(prefix) && folder && rest.length > 0) folders.add(folder);
            }
            const has = folders.size > 0 ? `. It has ${listed([...folders], prefix)}` : "";
            throw fault(node.key, `it is a group without multiscales, so no image of OME-Zarr${has}`);
        }
    }
}

async function imageOf(
    store: Store,
    prefix: string,
    node: Extract<Node, { kind: "group" }>,
    image: ImageMeta,
    signal: AbortSignal,
): Promise<OpenedImage> {
    const labels = labelsOf(store, prefix, node.version, signal);
    // (A fault of a level comes first.)
    labels.catch(() => {});
    const levels = await Promise.all(
        image.levels.map(async ({ path, transformations }): Promise<LevelArray> => {
            const known = members(node.known[path]);
            const own = `${prefix}${path}/`;
            const array =
                known["node_type"] === "array"
                    ? arrayOfVersion3(own, known, () => node.knownText(path))
                    : await readArray(store, own, node.version, signal);
            if (!array) throw fault(`${prefix}${path}`, "multiscales names it, and there is no such array");
            return { array, transformations };
        }),
    );
    const notes = [...image.notes];
    const voxels = ({ array }: LevelArray) => array.shape.reduce((count, side) => count * side, 1);
    const sorted = [...levels].sort((a, b) => voxels(b) - voxels(a));
    if (sorted.some((level, index) => level !== levels[index]))
        notes.push("the levels are sorted by their size");
    return {
        path: prefix.slice(0, -1),
        levels: sorted,
        image,
        axes: image.axes,
        labelPaths: await labels,
        notes,
    };
}

/** Returns the paths of an image's labels. */
async function labelsOf(
    store: Store,
    prefix: string,
    version: 2 | 3,
    signal: AbortSignal,
): Promise<string[]> {
    const key = `${prefix}labels/${version === 3 ? "zarr.json" : ".zattrs"}`;
    const bytes = await store.get(key, MAX_METADATA, signal);
    if (!bytes || isPage(bytes)) return [];
    const { json } = parseJson(key, bytes);
    const attributes = version === 3 ? members(json["attributes"]) : json;
    const ome = attributes["ome"] === undefined ? attributes : members(attributes["ome"]);
    const names = elements(ome["labels"]).filter((name) => typeof name === "string");
    return names.map((name) => `${prefix}labels/${name as string}`);
}

/** Returns the paths of images that bioformats2raw has written. */
async function seriesOf(store: Store, prefix: string, signal: AbortSignal): Promise<readonly string[]> {
    const node = await readNode(store, `${prefix}OME/`, signal);
    if (node?.kind !== "group") return ["0"];
    const group = groupOf(node.key, node.attributes);
    return group.kind === "collection" && group.paths.length > 0 ? group.paths : ["0"];
}

async function readArray(
    store: Store,
    prefix: string,
    version: 2 | 3,
    signal: AbortSignal,
): Promise<ArrayMeta | undefined> {
    const key = `${prefix}${version === 3 ? "zarr.json" : ".zarray"}`;
    const bytes = await store.get(key, MAX_METADATA, signal);
    if (!bytes) return undefined;
    const { json, text } = parseJson(key, bytes);
    if (version === 2) return arrayOfVersion2(prefix, json, () => text);
    if (json["node_type"] !== "array")
        throw fault(key, `node_type is ${shown(json["node_type"])}, not "array"`);
    return arrayOfVersion3(prefix, json, () => text);
}

/** Reads a group or an array of either version. */
async function readNode(store: Store, prefix: string, signal: AbortSignal): Promise<Node | undefined> {
    let page: string | undefined;
    const read = async (name: string) => {
        const key = prefix + name;
        const bytes = await store.get(key, MAX_METADATA, signal);
        if (bytes && isPage(bytes)) {
            // Servers of single-page applications answer like this for what does not exist.
            page = key;
            return undefined;
        }
        return bytes && { key, ...parseJson(key, bytes) };
    };
    const own = await read("zarr.json");
    if (own) {
        const { key, json, text } = own;
        if (json["node_type"] === "array")
            return { kind: "array", array: arrayOfVersion3(prefix, json, () => text) };
        if (json["node_type"] !== "group" || json["zarr_format"] !== 3) {
            throw fault(key, "it is neither an array nor a group of Zarr 3");
        }
        const known = members(members(json["consolidated_metadata"])["metadata"]);
        const knownText = (path: string) => memberText(text, ["consolidated_metadata", "metadata", path]);
        const attributes = members(json["attributes"]);
        return { kind: "group", version: 3, key, attributes, known, knownText };
    }
    const [array, attributes, group] = await Promise.all([".zarray", ".zattrs", ".zgroup"].map(read));
    if (array) return { kind: "array", array: arrayOfVersion2(prefix, array.json, () => array.text) };
    const found = attributes ?? group;
    if (found) {
        return {
            kind: "group",
            version: 2,
            key: found.key,
            attributes: attributes?.json ?? {},
            known: {},
            knownText: () => undefined,
        };
    }
    if (page !== undefined)
        throw fault(page, "it is no JSON but a page: the server answers every path with a page");
    return undefined;
}

function notFound(store: Store, prefix: string): Error {
    const refused = store.facts.refused > 0 ? "; the server refuses them (status 403)" : "";
    const url = store instanceof HttpStore ? store.url(prefix) : prefix;
    return fault(
        url || "the folder",
        `there is no Zarr: neither zarr.json nor .zarray, .zattrs or .zgroup${refused}`,
    );
}

function listed(paths: readonly string[], prefix: string): string {
    const names = paths.slice(0, MAX_LISTED).map((path) => shown(prefix + path));
    return names.join(", ") + (paths.length > MAX_LISTED ? `, … (${paths.length})` : "");
}

function isPage(bytes: Bytes): boolean {
    return /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}
