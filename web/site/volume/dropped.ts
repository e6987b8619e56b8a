// Files and folders that were dropped on the page.

import type { VolumeSource } from "@brickwork/web/volume";

/** Returns a dropped file, or the files of a dropped folder by their paths. */
export async function droppedSource(
    data: DataTransfer,
): Promise<{ readonly source: VolumeSource; readonly name: string } | undefined> {
    const file = data.files[0];
    // (Items are gone after the event's handler.)
    const entry = data.items[0]?.webkitGetAsEntry?.();
    if (entry?.isDirectory) {
        const files = new Map<string, File>();
        await addFiles(entry as FileSystemDirectoryEntry, "", files);
        return { source: files, name: entry.name };
    }
    return file && { source: file, name: file.name };
}

async function addFiles(
    folder: FileSystemDirectoryEntry,
    path: string,
    files: Map<string, File>,
): Promise<void> {
    const reader = folder.createReader();
    for (;;) {
        // (A call returns some of the entries, the last one none.)
        const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
            reader.readEntries(resolve, reject),
        );
        if (entries.length === 0) return;
        for (const entry of entries) {
            const own = path + entry.name;
            if (entry.isDirectory) await addFiles(entry as FileSystemDirectoryEntry, `${own}/`, files);
            else {
                const file = await new Promise<File>((resolve, reject) =>
                    (entry as FileSystemFileEntry).file(resolve, reject),
                );
                files.set(own, file);
            }
        }
    }
}
