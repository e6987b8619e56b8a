// Byte ranges of a file: a Blob, or a URL whose server may or may not support ranges.

import { isEncoded } from "../encoded.js";
import { BrickworkError } from "../errors.js";
import type { ReadFacts } from "./facts.js";
import type { Bytes } from "./jobs.js";
import type { Range } from "./module.js";

/** Bytes of the first and of the second request. Most headers and indices fit. */
const ENDS = 1 << 16;

/** A gap of fewer bytes is fetched, too: a request costs more. */
const SMALL_GAP = 1 << 15;

/** Requests at the same time. */
const CONCURRENT = 4;

/** A piece of a file. */
export interface Piece {
    readonly offset: number;
    readonly bytes: Bytes;
}

/** A file whose ranges can be read. */
export class ByteSource {
    readonly byteCount: number;
    /** First bytes, or all if the server ignored the range. */
    readonly start: Bytes;
    readonly #fetchRange: (range: Range, signal: AbortSignal) => Promise<Bytes>;
    #requests: number;
    #bytes: number;

    private constructor(
        byteCount: number,
        start: Bytes,
        requests: number,
        fetchRange: (range: Range, signal: AbortSignal) => Promise<Bytes>,
    ) {
        this.byteCount = byteCount;
        this.start = start;
        this.#requests = requests;
        this.#bytes = start.length;
        this.#fetchRange = fetchRange;
    }

    /**
     * Opens a file and reads its first bytes. A file that is compressed on its way is read as a whole: servers that
     * send `.nii.gz` as compressed `.nii` give the latter, so that only the bytes tell what it is.
     *
     * @param maxWholeBytes Maximum size of a file that is read as a whole.
     * @throws {BrickworkError} `source` or `limit`.
     */
    static async open(
        source: string | Blob,
        maxWholeBytes: number,
        signal: AbortSignal,
    ): Promise<ByteSource> {
        if (typeof source !== "string") {
            const slice = async ([start, end]: Range) => {
                try {
                    return new Uint8Array(await source.slice(start, end).arrayBuffer());
                } catch (cause) {
                    const reason = cause instanceof Error ? cause.message : String(cause);
                    throw new BrickworkError("source", `the file cannot be read: ${reason}`, { cause });
                }
            };
            return new ByteSource(source.size, await slice([0, ENDS]), 1, slice);
        }
        let response = await request(source, [0, ENDS], signal);
        let requests = 1;
        if (response.status === 206 && !isEncoded(response.headers)) {
            const start = await bodyOf(response, ENDS, signal);
            const size = await sizeOf(source, response, signal);
            requests += size.requests;
            const tag = response.headers.get("etag");
            const { byteCount } = size;
            if (byteCount !== undefined) {
                return new ByteSource(byteCount, start, requests, (range, signal) =>
                    rangeOf(source, range, tag, signal),
                );
            }
        }
        if (response.status === 206) {
            if (!response.bodyUsed) await response.body?.cancel();
            response = await request(source, "all", signal);
            requests += 1;
        }
        const whole = await bodyOf(response, maxWholeBytes, signal);
        return new ByteSource(whole.length, whole, requests, async ([start, end]) => whole.slice(start, end));
    }

    /** How the file was read so far. */
    get facts(): ReadFacts {
        const isWhole = this.start.length === this.byteCount && this.byteCount > ENDS;
        return { requests: this.#requests, bytes: this.#bytes, isWhole };
    }

    /** Range at the end of the file that probably has the index; empty if it is read already. */
    get end(): Range {
        return [Math.max(this.start.length, this.byteCount - ENDS), this.byteCount];
    }

    /** Reads ranges. Calls `take` with pieces in any order; not after one of them has failed. */
    async read(
        ranges: readonly Range[],
        signal: AbortSignal,
        take: (piece: Piece, done: number, total: number) => void,
    ): Promise<void> {
        const joined = join(ranges);
        const total = byteCountOf(joined);
        let next = 0;
        let done = 0;
        let isOver = false;
        const worker = async () => {
            for (let range = joined[next++]; range && !isOver; range = joined[next++]) {
                signal.throwIfAborted();
                const bytes = await this.#fetchRange(range, signal);
                if (isOver) return;
                this.#requests += 1;
                this.#bytes += bytes.length;
                done += bytes.length;
                take({ offset: range[0], bytes }, done, total);
            }
        };
        try {
            await Promise.all(Array.from({ length: CONCURRENT }, worker));
        } finally {
            isOver = true;
        }
    }
}

/** Returns the number of bytes that {@link ByteSource.read} requests for ascending ranges. */
export function requestedBytes(ranges: readonly Range[]): number {
    return byteCountOf(join(ranges));
}

function byteCountOf(ranges: readonly Range[]): number {
    return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}

/** Joins ascending ranges with small gaps. */
function join(ranges: readonly Range[]): Range[] {
    const joined: [number, number][] = [];
    for (const [start, end] of ranges) {
        if (start === end) continue;
        const last = joined.at(-1);
        if (last && start - last[1] <= SMALL_GAP) last[1] = Math.max(last[1], end);
        else joined.push([start, end]);
    }
    return joined;
}

async function request(url: string, what: Range | "all" | "headers", signal: AbortSignal): Promise<Response> {
    let response: Response;
    try {
        const headers: HeadersInit = Array.isArray(what) ? { range: `bytes=${what[0]}-${what[1] - 1}` } : {};
        // (`Range` is safelisted: there is no preflight request.)
        response = await fetch(url, { signal, headers, ...(what === "headers" ? { method: "HEAD" } : {}) });
    } catch (cause) {
        signal.throwIfAborted();
        const hint = "it does not exist, or its server does not allow this page to read it (CORS)";
        throw new BrickworkError("source", `${url} cannot be fetched: ${hint}`, { cause });
    }
    if (!response.ok) {
        throw new BrickworkError("source", `${url} cannot be fetched: status ${response.status}`);
    }
    return response;
}

/**
 * Returns the size of a file from the response to a range, or by another request; undefined if that states the size
 * of compressed data.
 */
async function sizeOf(
    url: string,
    response: Response,
    signal: AbortSignal,
): Promise<{ byteCount: number | undefined; requests: number }> {
    // Servers of other origins must expose this header. They need not expose the length.
    const stated = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? NaN);
    if (Number.isSafeInteger(stated)) return { byteCount: stated, requests: 0 };
    const head = await request(url, "headers", signal);
    if (isEncoded(head.headers)) return { byteCount: undefined, requests: 1 };
    const length = Number(head.headers.get("content-length") ?? NaN);
    if (Number.isSafeInteger(length)) return { byteCount: length, requests: 1 };
    throw new BrickworkError("source", `${url}: the server states no size`);
}

/** Returns the bytes of a range. */
async function rangeOf(url: string, range: Range, tag: string | null, signal: AbortSignal): Promise<Bytes> {
    const response = await request(url, range, signal);
    const length = range[1] - range[0];
    if (response.status !== 206 || (tag !== null && response.headers.get("etag") !== tag)) {
        await response.body?.cancel();
        throw new BrickworkError("source", `${url} has changed while it was read`);
    }
    const bytes = await bodyOf(response, length, signal);
    if (bytes.length === length) return bytes;
    throw new BrickworkError("source", `${url}: the server sent ${bytes.length} bytes, not ${length}`);
}

/** Returns a body of at most `most` bytes. */
async function bodyOf(response: Response, most: number, signal: AbortSignal): Promise<Bytes> {
    const tooLarge = (size: string) => {
        const text = `${response.url} takes ${size} bytes, and its server sends no ranges; the limit is ${most}`;
        return new BrickworkError("limit", text);
    };
    const stated = Number(response.headers.get("content-length") ?? 0);
    // (A compressed body is longer than its stated length.)
    if (stated > most) {
        await response.body?.cancel();
        throw tooLarge(String(stated));
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
        const reader = response.body?.getReader();
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
            length += part.value.length;
            if (length > most) {
                await reader?.cancel();
                throw tooLarge(`more than ${most}`);
            }
            chunks.push(part.value);
        }
    } catch (cause) {
        signal.throwIfAborted();
        if (cause instanceof BrickworkError) throw cause;
        throw new BrickworkError("source", `${response.url} ended early`, { cause });
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
    }
    return bytes;
}
