// Words of parameters and tables.

import type { Table, TablePart, Template } from "./data.js";

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
    return Uint32Array.from(table.flatMap(wordsOfPart));
}

function wordsOfPart(part: TablePart): readonly number[] {
    if ("words" in part) return part.words;
    if ("differences" in part) {
        let word = 0;
        return part.differences.map((difference) => (word = (word + difference) >>> 0));
    }
    const [dividend, divisor, count] = part.quotients;
    // The quotient of doubles, rounded to a single float, is that of single floats.
    const floats = Float32Array.from({ length: count }, (_, n) => (n ? dividend / (divisor * n) : 0));
    return [...new Uint32Array(floats.buffer)];
}

/** Returns the bytes of a text in Base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}
