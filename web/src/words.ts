// Words of parameters and tables.

import type { Table, Template } from "./data.js";

/** Returns the words of a template with the values of its fields. */
export function filled(
    template: Template,
    fields: Readonly<Record<string, number>>,
): Uint32Array<ArrayBuffer> {
    return Uint32Array.from(template, (word) => (typeof word === "number" ? word : (fields[word] ?? 0)));
}

/** Returns the words of a table. */
export function wordsOf(table: Table): Uint32Array<ArrayBuffer> {
    if ("words" in table) return Uint32Array.from(table.words);
    let word = 0;
    return Uint32Array.from(table.differences, (difference) => (word = (word + difference) >>> 0));
}

/** Returns the bytes of a text in Base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}
