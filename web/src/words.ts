// Words of parameters and tables.

import type { Table, Template } from "./data.js";

/** Returns the words of a template with the values of its fields. Throws if one is missing. */
export function filled(
    template: Template,
    fields: Readonly<Record<string, number>>,
): Uint32Array<ArrayBuffer> {
    return Uint32Array.from(template, (word) => {
        const value = typeof word === "number" ? word : fields[word];
        if (value === undefined) throw new Error(`the field "${word}" has no value`);
        return value;
    });
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
