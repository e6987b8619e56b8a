// ZIP archives (`.ozx`, RFC 9 of OME-NGFF) by ranges: ZIP64, stored and deflated entries, comments. Source: PKWARE's
// APPNOTE.TXT 6.3.10.

import type { Bytes } from "./boxes.js";
import { crc32 } from "./checksums.js";
import { inflated } from "./codecs.js";
import { fault, overLimit } from "./fault.js";
import { type End, KeptFiles, type Store, type StoreFacts } from "./store.js";

/** Bytes at the end that have the end record and usually the directory. */
const END_BYTES = 1 << 16;

/** Longest end record with its comment, and the records of ZIP64 before it. */
const MAX_END = 22 + 0xffff + 20 + 56;

const MAX_DIRECTORY = 64 << 20;

/** Allowance for the fields of a local header that the directory does not state. */
const EXTRA_BYTES = 1 << 10;

/** Bytes that compressed data may take beyond twice those of the contents. */
const EXCESS_BYTES = 1 << 16;

/** Bytes of inflated entries that are kept. */
const MAX_KEPT = 128 << 20;

const LOCAL_BYTES = 30;

interface Entry {
    readonly name: string;
    readonly isDeflated: boolean;
    /** Reason why the entry cannot be read. */
    readonly fault: string | undefined;
    readonly sum: number;
    readonly packed: number;
    readonly unpacked: number;
    readonly header: number;
    readonly nameBytes: number;
    /** First byte of the data. */
    data: number | undefined;
}

/** Files of an archive. */
export class ZipStore implements Store {
    readonly #store: Store;
    readonly #name: string;
    readonly #entries: ReadonlyMap<string, Entry>;
    /** End of all entries. */
    readonly #end: number;
    readonly #kept = new KeptFiles(MAX_KEPT);

    private constructor(store: Store, name: string, entries: Map<string, Entry>, end: number) {
        this.#store = store;
        this.#name = name;
        this.#entries = entries;
        this.#end = end;
    }

    /** Opens the archive that is the file with the key "" of a store. */
    static async open(store: Store, name: string, signal: AbortSignal): Promise<ZipStore> {
        let tail = await store.getEnd("", END_BYTES, signal);
        if (!tail) throw fault(name, "it does not exist, or its server refuses it");
        let at = endRecord(tail);
        if (at === undefined && tail.byteCount > END_BYTES) {
            tail = (await store.getEnd("", MAX_END, signal)) ?? tail;
            at = endRecord(tail);
        }
        if (at === undefined)
            throw fault(name, "it is no ZIP archive, or was cut short: it has no end record");
        const view = viewOf(tail.bytes);
        const origin = tail.byteCount - tail.bytes.length;
        let [count, size, start] = [
            view.getUint16(at + 10, true),
            view.getUint32(at + 12, true),
            view.getUint32(at + 16, true),
        ];
        let disk = view.getUint16(at + 4, true);
        // The locator of ZIP64 is right before the end record.
        if (at >= 20 && view.getUint32(at - 20, true) === 0x07064b50) {
            const place = wide(view, at - 12);
            const record = await bytesAt(store, name, tail, place, place + 56, signal);
            const fields = viewOf(record);
            if (fields.getUint32(0, true) !== 0x06064b50)
                throw fault(name, "its ZIP64 end record is damaged");
            disk = fields.getUint32(16, true);
            [count, size, start] = [wide(fields, 32), wide(fields, 40), wide(fields, 48)];
        }
        if (disk !== 0) throw fault(name, "it has several parts, which is not supported");
        if (size > MAX_DIRECTORY)
            throw overLimit(name, `its directory takes ${size} bytes; the limit is ${MAX_DIRECTORY}`);
        if (!(start + size <= origin + at && 46 * count <= size))
            throw fault(name, "its directory is damaged");
        const directory = await bytesAt(store, name, tail, start, start + size, signal);
        return new ZipStore(store, name, readDirectory(name, directory, count, start), start);
    }

    get facts(): StoreFacts {
        return this.#store.facts;
    }

    keys(): Iterable<string> {
        return this.#entries.keys();
    }

    async get(key: string, most: number, signal: AbortSignal): Promise<Bytes | undefined> {
        const entry = this.#entry(key);
        if (!entry) return undefined;
        if (entry.unpacked > most) {
            throw overLimit(`${this.#name}/${key}`, `it takes ${entry.unpacked} bytes; the limit is ${most}`);
        }
        return this.#whole(key, entry, signal);
    }

    async getRange(key: string, start: number, end: number, signal: AbortSignal): Promise<Bytes | undefined> {
        const entry = this.#entry(key);
        if (!entry) return undefined;
        if (end > entry.unpacked) {
            throw fault(
                `${this.#name}/${key}`,
                `it has ${entry.unpacked} bytes, not ${end}: it was cut short`,
            );
        }
        if (start === end) return new Uint8Array(0);
        if (entry.isDeflated) {
            if (entry.unpacked > MAX_KEPT) {
                throw overLimit(
                    `${this.#name}/${key}`,
                    `it is compressed and takes ${entry.unpacked} bytes; the limit is ${MAX_KEPT}`,
                );
            }
            return (await this.#whole(key, entry, signal)).slice(start, end);
        }
        entry.data ??= await this.#dataOf(entry, signal);
        return this.#read(entry.data + start, entry.data + end, signal);
    }

    async getEnd(key: string, count: number, signal: AbortSignal): Promise<End | undefined> {
        const entry = this.#entry(key);
        if (!entry) return undefined;
        const byteCount = entry.unpacked;
        const bytes = await this.getRange(key, Math.max(0, byteCount - count), byteCount, signal);
        return bytes && { bytes, byteCount };
    }

    #entry(key: string): Entry | undefined {
        const entry = this.#entries.get(key);
        if (entry?.fault) throw fault(`${this.#name}/${key}`, entry.fault);
        return entry;
    }

    /** Returns the contents of an entry: header and data come with one request. */
    async #whole(key: string, entry: Entry, signal: AbortSignal): Promise<Bytes> {
        const kept = this.#kept.get(key);
        // The caller may transfer the bytes to a worker.
        if (kept) return kept.slice();
        const path = `${this.#name}/${key}`;
        const limit = 2 * entry.unpacked + EXCESS_BYTES;
        if (entry.packed > limit) {
            const sizes = `${entry.packed} bytes of compressed data for ${entry.unpacked}`;
            throw overLimit(path, `it is stated to have ${sizes}; the limit is ${limit}`);
        }
        let packed: Bytes;
        if (entry.data === undefined) {
            const most = entry.header + LOCAL_BYTES + entry.nameBytes + EXTRA_BYTES + entry.packed;
            const bytes = await this.#read(entry.header, Math.min(most, this.#end), signal);
            const start = this.#localBytes(entry, bytes);
            entry.data = entry.header + start;
            packed =
                start + entry.packed <= bytes.length
                    ? bytes.slice(start, start + entry.packed)
                    : await this.#read(entry.data, entry.data + entry.packed, signal);
        } else {
            packed = await this.#read(entry.data, entry.data + entry.packed, signal);
        }
        const contents = entry.isDeflated
            ? await inflated(packed, "deflate-raw", entry.unpacked, path)
            : packed;
        if (contents.length !== entry.unpacked || crc32(contents) !== entry.sum) {
            throw fault(path, "it is damaged: size or checksum differ");
        }
        if (entry.isDeflated) this.#kept.set(key, contents.slice());
        return contents;
    }

    /** Returns the first byte of an entry's data. */
    async #dataOf(entry: Entry, signal: AbortSignal): Promise<number> {
        const end = Math.min(entry.header + LOCAL_BYTES, this.#end);
        return entry.header + this.#localBytes(entry, await this.#read(entry.header, end, signal));
    }

    /** Returns the number of bytes of a local header. */
    #localBytes(entry: Entry, bytes: Bytes): number {
        const view = viewOf(bytes);
        const isHeader = bytes.length >= LOCAL_BYTES && view.getUint32(0, true) === 0x04034b50;
        const start = isHeader ? LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true) : NaN;
        if (entry.header + start + entry.packed <= this.#end) return start;
        throw fault(`${this.#name}/${entry.name}`, "its header in the archive is damaged");
    }

    async #read(start: number, end: number, signal: AbortSignal): Promise<Bytes> {
        const bytes = await this.#store.getRange("", start, end, signal);
        if (!bytes) throw fault(this.#name, "it is no longer there");
        return bytes;
    }
}

/** Returns the place of the end record, whose comment reaches to the end of the file. */
function endRecord({ bytes }: End): number | undefined {
    const view = viewOf(bytes);
    for (let at = bytes.length - 22; at >= 0; at--) {
        if (view.getUint32(at, true) !== 0x06054b50) continue;
        if (at + 22 + view.getUint16(at + 20, true) === bytes.length) return at;
    }
    return undefined;
}

async function bytesAt(
    store: Store,
    name: string,
    tail: End,
    start: number,
    end: number,
    signal: AbortSignal,
): Promise<Bytes> {
    const origin = tail.byteCount - tail.bytes.length;
    if (!(start >= 0 && end <= tail.byteCount)) throw fault(name, "its directory is damaged");
    if (start >= origin) return tail.bytes.slice(start - origin, end - origin);
    const bytes = await store.getRange("", start, end, signal);
    if (!bytes) throw fault(name, "it is no longer there");
    return bytes;
}

function readDirectory(name: string, bytes: Bytes, count: number, end: number): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    const view = viewOf(bytes);
    const damaged = () => fault(name, "its directory is damaged");
    const decoder = new TextDecoder();
    let at = 0;
    for (let index = 0; index < count; index++) {
        if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw damaged();
        const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
            view.getUint16(at + field, true),
        ) as [number, number, number];
        const next = at + 46 + nameBytes + extraBytes + commentBytes;
        if (next > bytes.length) throw damaged();
        const path = decoder.decode(bytes.subarray(at + 46, at + 46 + nameBytes));
        const sizes = { unpacked: view.getUint32(at + 24, true), packed: view.getUint32(at + 20, true) };
        let header = view.getUint32(at + 42, true);
        // Fields of ZIP64 follow each other where the short ones are full.
        let [field, fieldEnd] = [at + 46 + nameBytes, at + 46 + nameBytes + extraBytes];
        while (field + 4 <= fieldEnd) {
            const [id, length] = [view.getUint16(field, true), view.getUint16(field + 2, true)];
            if (field + 4 + length > fieldEnd) throw damaged();
            let value = field + 4;
            const take = (): number => {
                if (value + 8 > field + 4 + length) throw damaged();
                value += 8;
                return wide(view, value - 8);
            };
            if (id === 1) {
                if (sizes.unpacked === 0xffffffff) sizes.unpacked = take();
                if (sizes.packed === 0xffffffff) sizes.packed = take();
                if (header === 0xffffffff) header = take();
            }
            field += 4 + length;
        }
        const method = view.getUint16(at + 10, true);
        let reason: string | undefined;
        if (view.getUint16(at + 8, true) & 1) reason = "it is encrypted";
        else if (method !== 0 && method !== 8) reason = `its compression (method ${method}) is not supported`;
        else if (method === 0 && sizes.packed !== sizes.unpacked) throw damaged();
        // (Too large numbers are NaN.)
        if (!(
            header + LOCAL_BYTES + sizes.packed + sizes.unpacked >= 0 &&
            header + LOCAL_BYTES + sizes.packed <= end
        ))
            throw damaged();
        const isDeflated = method === 8;
        const sum = view.getUint32(at + 16, true);
        // (Folders have entries, too.)
        if (!path.endsWith("/")) {
            entries.set(path, {
                name: path,
                isDeflated,
                fault: reason,
                sum,
                ...sizes,
                header,
                nameBytes,
                data: undefined,
            });
        }
        at = next;
    }
    return entries;
}

/** Returns a number of 64 bits; NaN if it is too large. */
function wide(view: DataView, at: number): number {
    const number = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    return Number.isSafeInteger(number) ? number : NaN;
}

function viewOf(bytes: Bytes): DataView {
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
