// Files of a server: ranges, retries, limits.

import { isEncoded } from "../encoded.js";
import { BrickworkError } from "../errors.js";
import type { Bytes } from "./boxes.js";
import { fault, overLimit, reasonOf } from "./fault.js";
import { type End, KeptFiles, type Store, type StoreFacts } from "./store.js";

/** Attempts after the first one. */
const RETRIES = 3;

/** Milliseconds before the first retry; twice as many before each further one. */
const PAUSE = 300;

/** Maximum of `Retry-After` in milliseconds. */
const MAX_PAUSE = 10_000;

/** States that pass: timeouts, too many requests, faults of servers. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Maximum size of a file that is read as a whole because the server ignores ranges. */
const MAX_WHOLE = 64 << 20;

/** Bytes of such files that are kept. */
const MAX_KEPT = 128 << 20;

/** Reasons why a file is read as a whole. */
const IGNORED = "the server ignores ranges (or CORS keeps them from it)";
const COMPRESSED = "the server compresses the file on its way (Content-Encoding), which prevents ranges";

/** Files whose ETag is kept. */
const MAX_TAGS = 1 << 14;

export interface HttpOptions {
    /** Milliseconds without a byte after which a request fails. Default: 30 s. */
    readonly stall?: number;
    /** Milliseconds before the first retry. Default: 300. */
    readonly pause?: number;
}

/** A response with its body. */
interface Answer {
    readonly status: number;
    readonly bytes: Bytes;
    readonly headers: Headers;
}

/** What a request needs. */
interface Query {
    readonly key: string;
    /** Value of the header `Range`. */
    readonly range?: string;
    /** Maximum number of bytes. */
    readonly most: number;
    readonly method?: "HEAD";
    /** True if only the server's status is wanted. */
    readonly isProbe?: boolean;
    /** Reason why the whole file is requested instead of a range. */
    readonly whole?: string;
}

/** A failure that may pass. */
class Passing extends Error {
    readonly pause: number | undefined;

    constructor(message: string, pause?: number, options?: ErrorOptions) {
        super(message, options);
        this.pause = pause;
    }
}

/** Files of a server, by their paths below a URL. */
export class HttpStore implements Store {
    readonly facts: StoreFacts = { requests: 0, bytes: 0, missing: 0, refused: 0 };
    readonly #base: URL;
    readonly #options: HttpOptions;
    readonly #kept = new KeptFiles(MAX_KEPT);
    readonly #tags = new Map<string, string>();

    /** @param base URL of the folder, or of the file with the key "". A query is sent with each request. */
    constructor(base: string, options: HttpOptions = {}) {
        this.#base = new URL(base);
        this.#options = options;
    }

    /** Returns the URL of a file. */
    url(key: string): string {
        if (key === "") return this.#base.href;
        const { origin, pathname, search } = this.#base;
        const path = key.split("/").map(encodeURIComponent).join("/");
        return `${origin}${pathname.replace(/\/?$/, "/")}${path}${search}`;
    }

    async get(key: string, most: number, signal: AbortSignal): Promise<Bytes | undefined> {
        const kept = this.#kept.get(key);
        if (kept) return kept;
        const answer = await this.#request({ key, most }, signal);
        return answer?.bytes;
    }

    async getRange(key: string, start: number, end: number, signal: AbortSignal): Promise<Bytes | undefined> {
        const kept = this.#kept.get(key);
        if (kept) return this.#slice(key, kept, start, end);
        const length = end - start;
        const answer = await this.#request({ key, range: `bytes=${start}-${end - 1}`, most: length }, signal);
        if (!answer) return undefined;
        if (answer.status !== 206) return this.#slice(key, answer.bytes, start, end);
        const stated = contentRange(answer);
        if (stated && (stated.start !== start || stated.end !== end)) {
            const got = `bytes ${stated.start} to ${stated.end}`;
            throw this.#fault(key, `the server sent ${got} for ${start} to ${end}`);
        }
        if (answer.bytes.length === length) return answer.bytes;
        throw this.#fault(
            key,
            `the server sent ${answer.bytes.length} bytes, not ${length}: the file is cut short`,
        );
    }

    async getEnd(key: string, count: number, signal: AbortSignal): Promise<End | undefined> {
        const kept = this.#kept.get(key);
        if (kept) return { bytes: kept.slice(-count), byteCount: kept.length };
        // Of other origins, a range from the end needs a preflight request, which costs as much as HEAD.
        const origin = (globalThis as { location?: { origin?: string } }).location?.origin;
        if (!origin || origin === "null" || origin === this.#base.origin) {
            const answer = await this.#request({ key, range: `bytes=-${count}`, most: count }, signal);
            if (!answer) return undefined;
            const stated = contentRange(answer);
            if (answer.status !== 206) {
                return { bytes: answer.bytes.slice(-count), byteCount: answer.bytes.length };
            }
            if (stated && stated.end === stated.total && stated.end - stated.start === answer.bytes.length) {
                return { bytes: answer.bytes, byteCount: stated.total };
            }
        }
        const head = await this.#request({ key, most: 0, method: "HEAD" }, signal);
        if (!head) return undefined;
        if (isEncoded(head.headers)) {
            // Its length and its ranges are those of compressed data.
            const answer = await this.#request({ key, most: MAX_WHOLE, whole: COMPRESSED }, signal);
            return answer && { bytes: answer.bytes.slice(-count), byteCount: answer.bytes.length };
        }
        const length = head.headers.get("content-length");
        const byteCount = length === null ? NaN : Number(length);
        if (!Number.isSafeInteger(byteCount)) throw this.#fault(key, "the server states no size");
        const bytes = await this.getRange(key, Math.max(0, byteCount - count), byteCount, signal);
        return bytes && { bytes, byteCount };
    }

    async refuses(key: string, signal: AbortSignal): Promise<boolean> {
        // (Signed URLs allow GET alone.)
        const answer = await this.#request({ key, range: "bytes=0-0", most: 1, isProbe: true }, signal);
        return !answer;
    }

    #slice(key: string, whole: Bytes, start: number, end: number): Bytes {
        if (end <= whole.length) return whole.slice(start, end);
        throw this.#fault(key, `it has ${whole.length} bytes, not ${end}: it was cut short`);
    }

    #fault(key: string, reason: string, cause?: unknown): BrickworkError {
        return fault(this.url(key), reason, cause);
    }

    /** Sends a request, again if it may succeed then. Returns undefined if the file is missing. */
    async #request(query: Query, signal: AbortSignal): Promise<Answer | undefined> {
        for (let attempt = 0; ; attempt++) {
            signal.throwIfAborted();
            try {
                return await this.#attempt(query, signal);
            } catch (error) {
                signal.throwIfAborted();
                if (!(error instanceof Passing)) throw error;
                if (attempt === RETRIES) {
                    throw this.#fault(query.key, `${error.message} (${RETRIES + 1} attempts)`, error.cause);
                }
                // Readers that failed together must not come back together.
                const own = (this.#options.pause ?? PAUSE) * 2 ** attempt * (0.5 + Math.random());
                await pause(Math.min(MAX_PAUSE, Math.max(own, error.pause ?? 0)), signal);
            }
        }
    }

    async #attempt(query: Query, signal: AbortSignal): Promise<Answer | undefined> {
        const { key, range, most, method, isProbe = false } = query;
        const attempt = new AbortController();
        const abort = () => attempt.abort(signal.reason);
        signal.addEventListener("abort", abort);
        let isStalled = false;
        const stall = this.#options.stall ?? 30_000;
        let timer: ReturnType<typeof setTimeout> | undefined;
        const wake = () => {
            clearTimeout(timer);
            timer = setTimeout(() => {
                isStalled = true;
                attempt.abort();
            }, stall);
        };
        const failed = (hint: string, cause: unknown) => {
            if (cause instanceof BrickworkError || cause instanceof Passing) return cause;
            const reason = isStalled ? `the server sent nothing for ${stall / 1000} s` : hint;
            return new Passing(reason, undefined, { cause });
        };
        try {
            wake();
            this.facts.requests += 1;
            const response = await fetch(this.url(key), {
                signal: attempt.signal,
                headers: range ? { range } : {},
                ...(method ? { method } : {}),
                ...(isProbe ? { cache: "no-store" } : {}),
            }).catch((cause: unknown) => {
                const hint =
                    "it cannot be fetched: the server does not answer, or does not allow this page to read it (CORS)";
                throw failed(hint, cause);
            });
            wake();
            const { status, headers } = response;
            if (status === 404 || status === 410 || status === 403) {
                void response.body?.cancel();
                this.facts[status === 403 ? "refused" : "missing"] += 1;
                return undefined;
            }
            if (PASSING.has(status)) {
                void response.body?.cancel();
                throw new Passing(`the server answers with status ${status}`, retryAfter(headers));
            }
            if (status !== 200 && status !== 206) {
                void response.body?.cancel();
                throw this.#fault(key, `the server answers with status ${status}`);
            }
            this.#checkTag(key, headers);
            if (method === "HEAD" || isProbe) {
                void response.body?.cancel();
                return { status, headers, bytes: new Uint8Array(0) };
            }
            if (status === 206 && isEncoded(headers)) {
                void response.body?.cancel();
                return await this.#attempt({ key, most: MAX_WHOLE, whole: COMPRESSED }, signal);
            }
            const whole = query.whole ?? (status === 200 && range !== undefined ? IGNORED : undefined);
            const limit = whole === undefined ? most : MAX_WHOLE;
            const bytes = await this.#body(key, response, limit, whole, wake).catch((cause: unknown) => {
                throw failed(`the server's answer ended early: ${reasonOf(cause)}`, cause);
            });
            if (whole !== undefined) this.#kept.set(key, bytes);
            return { status, headers, bytes };
        } finally {
            clearTimeout(timer);
            signal.removeEventListener("abort", abort);
        }
    }

    /** Returns a body of at most `most` bytes. */
    async #body(
        key: string,
        response: Response,
        most: number,
        whole: string | undefined,
        wake: () => void,
    ): Promise<Bytes> {
        const tooLarge = (size: string) => {
            const what = whole ? `${whole}, and the file takes` : "the server sends";
            return overLimit(this.url(key), `${what} ${size} bytes; the limit is ${most}`);
        };
        const stated = Number(response.headers.get("content-length") ?? NaN);
        if (stated > most) {
            void response.body?.cancel();
            throw tooLarge(String(stated));
        }
        const parts: Uint8Array[] = [];
        let length = 0;
        const reader = response.body?.getReader();
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
            wake();
            length += part.value.length;
            if (length > most) {
                void reader?.cancel();
                throw tooLarge(`more than ${most}`);
            }
            parts.push(part.value);
        }
        // (A compressed body is longer than its stated length.)
        if (length < stated && !isEncoded(response.headers)) {
            throw new Passing(`the server sent ${length} bytes of ${stated}`);
        }
        this.facts.bytes += length;
        const [only] = parts;
        if (only && parts.length === 1 && only.byteOffset === 0 && only.buffer instanceof ArrayBuffer) {
            return only as Bytes;
        }
        const bytes = new Uint8Array(length);
        let at = 0;
        for (const part of parts) {
            bytes.set(part, at);
            at += part.length;
        }
        return bytes;
    }

    /** Refuses a file that is another one than before. */
    #checkTag(key: string, headers: Headers): void {
        // Servers weaken the tags of files that they can compress, and mark those of compressed data.
        const tag = isEncoded(headers) ? undefined : headers.get("etag")?.replace(/^W\//, "");
        if (tag === undefined) return;
        const known = this.#tags.get(key);
        if (known !== undefined && known !== tag) throw this.#fault(key, "it has changed while it was read");
        this.#tags.set(key, tag);
        const [oldest] = this.#tags.keys();
        if (this.#tags.size > MAX_TAGS && oldest !== undefined) this.#tags.delete(oldest);
    }
}

/** Returns what `Content-Range` states, if it can be seen. */
function contentRange({ headers }: Answer): { start: number; end: number; total: number } | undefined {
    const [, first, last, total] =
        /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get("content-range") ?? "") ?? [];
    if (first === undefined) return undefined;
    return { start: Number(first), end: Number(last) + 1, total: Number(total) };
}

/** Returns the milliseconds that the server wants to be left alone. */
function retryAfter(headers: Headers): number | undefined {
    const value = headers.get("retry-after");
    if (value === null) return undefined;
    const seconds = Number(value);
    const wanted = Number.isFinite(seconds) ? 1000 * seconds : Date.parse(value) - Date.now();
    return Number.isFinite(wanted) ? Math.min(MAX_PAUSE, Math.max(0, wanted)) : undefined;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
        const abort = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal.removeEventListener("abort", abort);
            resolve();
        }, milliseconds);
        signal.addEventListener("abort", abort, { once: true });
    });
}
