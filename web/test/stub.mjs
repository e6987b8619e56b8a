// A WebAssembly module with the functions of the real one. The number of the format decides what an encoding
// does: 1 fails, 2 traps, 9 never ends, others return the first 16 bytes of the input.

const [I32, FUNCTION, VOID] = [0x7f, 0x60, 0x40];
const ADDRESS = [0x41, 0x80, 0x08]; // i32.const 1024

/** Returns a list with its length. All lengths are below 128. */
const list = (items) => [items.length, ...items.flat()];
const section = (id, items) => {
    const content = list(items);
    return [id, content.length, ...content];
};
const body = (...code) => {
    const content = [0, ...code, 0x0b];
    return [content.length, ...content];
};
const name = (text) => list([...new TextEncoder().encode(text)]);
const type = (parameters, results) => [
    FUNCTION,
    ...list(Array(parameters).fill(I32)),
    ...list(Array(results).fill(I32)),
];
const formatIs = (number) => [0x20, 0, 0x41, number, 0x46];

const NAMES = ["input", "encode", "decode", "output", "output_length", "free"];

/** Returns the bytes of the module. */
export function stubModule() {
    const types = [type(1, 1), type(6, 1), type(4, 1), type(0, 1), type(0, 0)];
    const exports = NAMES.map((text, index) => [...name(`brickwork_${text}`), 0, index]);
    const trap = [...formatIs(2), 0x04, VOID, 0x00, 0x0b];
    const forever = [...formatIs(9), 0x04, VOID, 0x03, VOID, 0x0c, 0, 0x0b, 0x0b];
    const code = [
        body(...ADDRESS),
        body(...trap, ...forever, ...formatIs(1)),
        body(0x41, 0),
        body(...ADDRESS),
        body(0x41, 16),
        body(),
    ];
    return Uint8Array.from([
        ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        ...section(1, types),
        ...section(3, [0, 1, 2, 3, 3, 4]),
        ...section(5, [[0, 1]]),
        ...longSection(7, [...exports, [...name("memory"), 2, 0]]),
        ...section(10, code),
    ]);
}

/** Returns a section of 128 bytes or more. */
function longSection(id, items) {
    const content = list(items);
    return [id, (content.length & 127) | 128, content.length >> 7, ...content];
}
