// Sources that are images of OME-Zarr.

import { BrickworkError } from "../errors.js";
import type { ZarrSource } from "../zarr/open.js";

/**
 * A volume: a file's URL or Blob; or an OME-Zarr as the URL of its folder, an archive (`.ozx`), the files of a
 * picked folder (`<input webkitdirectory>`), these by their paths, or a folder's handle (`showDirectoryPicker`).
 */
export type VolumeSource =
    string | URL | Blob | FileList | readonly File[] | ReadonlyMap<string, Blob> | FileSystemDirectoryHandle;

/** Files of metadata, which name the folder that they are in. */
const METADATA = /\/(?:zarr\.json|\.zattrs|\.zgroup|\.zarray|\.zmetadata)$/;

/** Returns the source for the reader of OME-Zarr, or the file for the other readers. */
export async function recognised(
    source: VolumeSource,
    format: "zarr" | undefined,
): Promise<{ readonly zarr: ZarrSource } | { readonly file: string | Blob }> {
    if (typeof source === "string" || source instanceof URL) {
        const url = new URL(source, globalThis.location?.href);
        url.hash = "";
        const isMetadata = METADATA.test(url.pathname);
        if (isMetadata) url.pathname = url.pathname.replace(METADATA, "/");
        const isZarr = isMetadata || /\.zarr(?:\/|$)|\.ozx$|\.zarr\.zip$/i.test(url.pathname);
        return isZarr || format === "zarr" ? { zarr: url.href } : { file: url.href };
    }
    if (source instanceof Blob) {
        const isArchive = format === "zarr" || (await startOf(source)) === "PK\u0003\u0004";
        return isArchive ? { zarr: source } : { file: source };
    }
    if (source instanceof Map) return { zarr: source };
    if ("getDirectoryHandle" in source) return { zarr: source };
    const files = new Map<string, Blob>();
    for (const file of source as Iterable<File>) files.set(file.webkitRelativePath || file.name, file);
    if (files.size === 0) throw new BrickworkError("source", "the folder has no files");
    return { zarr: files };
}

async function startOf(file: Blob): Promise<string> {
    try {
        return String.fromCharCode(...new Uint8Array(await file.slice(0, 4).arrayBuffer()));
    } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new BrickworkError("source", `the file cannot be read: ${reason}`, { cause });
    }
}
