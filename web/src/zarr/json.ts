// Files of JSON, and their values of unknown types.

import type { Bytes } from "./boxes.js";
import { fault, reasonOf } from "./fault.js";

export type Json = Readonly<Record<string, unknown>>;

const TOKENS = /"(?:\\.|[^"\\])*"|[[\]{}:,]|[^\s[\]{}:,"]+/gs;

/** Returns a JSON object's members; none of other values. */
export function members(value: unknown): Json {
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Returns the elements of a list; none of other values. */
export function elements(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}

/** Parses a file of metadata. */
export function parseJson(key: string, bytes: Bytes): { json: Json; text: string } {
    const text = new TextDecoder().decode(bytes);
    let json: unknown;
    try {
        json = JSON.parse(text);
    } catch (cause) {
        if (/^\s*</.test(text)) {
            throw fault(key, "it is no JSON but a page: the server answers every path with a page", cause);
        }
        throw fault(key, `it is no JSON: ${reasonOf(cause)}`, cause);
    }
    if (typeof json !== "object" || json === null || Array.isArray(json))
        throw fault(key, "it is no JSON object");
    return { json: json as Json, text };
}

/**
 * Returns the text of a value inside valid JSON: the member of these names, each inside the former one. JSON.parse
 * rounds numbers of more than 53 bits; this text has all digits.
 */
export function memberText(text: string, [name, ...rest]: readonly string[]): string | undefined {
    if (name === undefined) return text;
    let found: string | undefined;
    let [depth, key, start]: [number, string | undefined, number] = [0, undefined, 0];
    for (const { 0: token, index } of text.matchAll(TOKENS)) {
        if (depth === 0 && token !== "{") return undefined;
        if (depth === 1) {
            if (token === "," || token === "}") {
                // (Of members with the same name, JSON.parse returns the last one.)
                if (key === name) found = text.slice(start, index).trim();
                key = undefined;
            } else if (token === ":") start = index + 1;
            else if (key === undefined) key = JSON.parse(token) as string;
        }
        if (token === "{" || token === "[") depth += 1;
        else if (token === "}" || token === "]") depth -= 1;
        if (depth === 0) break;
    }
    return found && memberText(found, rest);
}
