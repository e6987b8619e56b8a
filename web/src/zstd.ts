// Zstandard, RFC 8878: the decoder. Dictionaries are not supported, and checksums are not compared.

/** Bytes, or bits, in reading order. */
type Bytes = Uint8Array;

/**
 * Table of a finite-state entropy code. A state has the symbol in bits 0 to 7; the next state is the number
 * in bits 16 to 31 plus as many bits as bits 8 to 15 say.
 */
interface FseTable {
    readonly log: number;
    readonly states: Uint32Array;
}

/** Table of a Huffman code: symbol in bits 0 to 7, and length of the code above, by the next `log` bits. */
interface HuffmanTable {
    readonly log: number;
    readonly entries: Uint16Array;
}

/** A value of a sequence: the value of a code is its base plus this number of bits. */
interface Values {
    readonly maxLog: number;
    readonly table: FseTable;
    readonly bases: Float64Array;
    readonly bits: Uint8Array;
}

const MAGIC = 0xfd2fb528;
const MOST_BLOCK_BYTES = 1 << 17;
/** Longest code, and largest weight. */
const MOST_HUFFMAN_BITS = 11;

const LITERAL_BITS = [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, ...from(6, 11)];
const MATCH_BITS = [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, ...from(7, 10)];
const OFFSET_BITS = from(0, 32);

const LITERAL_LENGTHS: Values = {
    maxLog: 9,
    table: fseTable(6, [
        4,
        3,
        ...Array<number>(11).fill(2),
        1,
        1,
        1,
        ...Array<number>(9).fill(2),
        3,
        2,
        1,
        1,
        1,
        1,
        1,
        -1,
        -1,
        -1,
        -1,
    ]),
    bases: sums(0, LITERAL_BITS),
    bits: Uint8Array.from(LITERAL_BITS),
};
const MATCH_LENGTHS: Values = {
    maxLog: 9,
    table: fseTable(6, [
        1,
        4,
        3,
        2,
        2,
        2,
        2,
        2,
        2,
        ...Array<number>(37).fill(1),
        ...Array<number>(7).fill(-1),
    ]),
    bases: sums(3, MATCH_BITS),
    bits: Uint8Array.from(MATCH_BITS),
};
const OFFSETS: Values = {
    maxLog: 8,
    table: fseTable(5, [1, 1, 1, 1, 1, 1, 2, 2, 2, ...Array<number>(15).fill(1), -1, -1, -1, -1, -1]),
    bases: Float64Array.from(OFFSET_BITS, (bits) => 2 ** bits),
    bits: Uint8Array.from(OFFSET_BITS),
};

function zeros(count: number): number[] {
    return Array<number>(count).fill(0);
}

function from(first: number, count: number): number[] {
    return Array.from({ length: count }, (_, i) => first + i);
}

/** Returns the smallest value of each code. */
function sums(first: number, bits: readonly number[]): Float64Array {
    let next = first;
    return Float64Array.from(bits, (count) => {
        const base = next;
        next += 2 ** count;
        return base;
    });
}

/** Reads numbers of several bits, from the end of a section to its start. After it come at least 4 bytes. */
class BackwardBits {
    readonly #bytes: Bytes;
    readonly #start: number;
    /** Number of bits that are left; negative after the start, where zeros are read. */
    left: number;

    constructor(bytes: Bytes, start: number, end: number) {
        this.#bytes = bytes;
        this.#start = start;
        const last = start < end ? bytes[end - 1] : 0;
        if (!last) throw damaged();
        this.left = 8 * (end - start) - 1 - Math.clz32(last) + 24;
    }

    /** Returns the next bits, at most 25, and keeps them. */
    peek(count: number): number {
        const first = this.left - count;
        if (first < 0) return count + first > 0 ? this.#at(0, count + first) << -first : 0;
        return this.#at(first, count);
    }

    /** Returns the next bits, at most 32, as a number. */
    take(count: number): number {
        if (count > 25) return this.take(16) * 2 ** (count - 16) + this.take(count - 16);
        const bits = this.peek(count);
        this.left -= count;
        return bits;
    }

    #at(first: number, count: number): number {
        const bytes = this.#bytes;
        const at = this.#start + (first >> 3);
        const word =
            (bytes[at] ?? 0) |
            ((bytes[at + 1] ?? 0) << 8) |
            ((bytes[at + 2] ?? 0) << 16) |
            ((bytes[at + 3] ?? 0) << 24);
        return (word >>> (first & 7)) & ((1 << count) - 1);
    }
}

/**
 * Returns the contents of Zstandard frames: `length` bytes, or with `isLimit` at most as many.
 *
 * @throws {RangeError} if they are damaged, or have another length.
 */
export function zstdDecoded(bytes: Bytes, length: number, isLimit = false): Uint8Array<ArrayBuffer> {
    // (Words are read to the end.)
    const padded = new Uint8Array(bytes.length + 4);
    padded.set(bytes);
    const most = mostBytes(padded, bytes.length);
    if (length > most && !isLimit) throw damaged();
    const output = new Output(Math.min(length, most));
    for (let at = 0; at < bytes.length;) at = readFrame(padded, at, bytes.length, output);
    if (isLimit) return output.bytes.slice(0, output.length);
    if (output.length !== length) throw damaged();
    return output.bytes;
}

class Output {
    readonly bytes: Uint8Array<ArrayBuffer>;
    length = 0;

    constructor(length: number) {
        this.bytes = new Uint8Array(length);
    }

    push(bytes: Bytes): void {
        if (this.length + bytes.length > this.bytes.length) throw this.#full();
        this.bytes.set(bytes, this.length);
        this.length += bytes.length;
    }

    /** Appends bytes from `start` to `end`. */
    pushPart(from: Bytes, start: number, end: number): void {
        const { bytes, length } = this;
        const count = end - start;
        if (length + count > bytes.length) throw this.#full();
        if (count > 32) bytes.set(from.subarray(start, end), length);
        else for (let i = 0; i < count; i++) bytes[length + i] = from[start + i] ?? 0;
        this.length += count;
    }

    /** Repeats bytes that are `offset` before the end. */
    repeat(offset: number, count: number): void {
        const { bytes, length } = this;
        const start = length - offset;
        if (start < 0 || offset < 1) throw damaged();
        if (length + count > bytes.length) throw this.#full();
        if (offset >= count && count > 32) bytes.copyWithin(length, start, start + count);
        else for (let i = 0; i < count; i++) bytes[length + i] = bytes[start + i] ?? 0;
        this.length += count;
    }

    #full(): RangeError {
        return new RangeError(`it has more than ${this.bytes.length} bytes`);
    }
}

/** What blocks of a frame share. */
interface Frame {
    huffman?: HuffmanTable;
    readonly tables: [literals: FseTable, offsets: FseTable, matches: FseTable];
    readonly offsets: [number, number, number];
}

/** Header of a frame. */
interface FrameHeader {
    /** First byte of the blocks; of a frame without contents, its end. */
    readonly start: number;
    /** True if the frame has contents. */
    readonly hasBlocks: boolean;
    /** Number of bytes of the contents, if it is stated. */
    readonly size: number | undefined;
    /** Bytes of the checksum after the blocks. */
    readonly sumBytes: number;
}

function readHeader(view: DataView, start: number): FrameHeader {
    const magic = view.getUint32(start, true);
    if (magic >>> 4 === 0x184d2a5) {
        const end = start + 8 + view.getUint32(start + 4, true);
        return { start: end, hasBlocks: false, size: 0, sumBytes: 0 };
    }
    const descriptor = view.getUint8(start + 4);
    const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
    if (magic !== MAGIC || dictionaryBytes > 0) throw damaged();
    const isSingle = (descriptor & 32) !== 0;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const at = start + 5 + (isSingle ? 0 : 1);
    let size = sizeBytes === 2 ? 256 : 0;
    for (let i = 0; i < sizeBytes; i++) size += view.getUint8(at + i) * 2 ** (8 * i);
    const stated = sizeBytes > 0 ? size : undefined;
    return { start: at + sizeBytes, hasBlocks: true, size: stated, sumBytes: descriptor & 4 };
}

/** Header of a block. */
interface BlockHeader {
    readonly isLast: boolean;
    /** 0: stored, 1: one byte again and again, 2: compressed. */
    readonly type: number;
    readonly size: number;
    readonly start: number;
    readonly end: number;
}

function readBlockHeader(view: DataView, start: number, end: number): BlockHeader {
    const header = view.getUint16(start, true) | (view.getUint8(start + 2) << 16);
    const [type, size] = [(header >> 1) & 3, header >> 3];
    const stop = start + 3 + (type === 1 ? 1 : size);
    if (type === 3 || size > MOST_BLOCK_BYTES || stop > end) throw damaged();
    return { isLast: (header & 1) === 1, type, size, start: start + 3, end: stop };
}

/** Returns the number of bytes that frames state, or of those that do not, the most that they can have. */
function mostBytes(bytes: Bytes, end: number): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let most = 0;
    for (let at = 0; at < end;) {
        const frame = readHeader(view, at);
        at = frame.start;
        let blocks = 0;
        for (let isLast = !frame.hasBlocks; !isLast;) {
            const block = readBlockHeader(view, at, end);
            blocks += block.type === 2 ? MOST_BLOCK_BYTES : block.size;
            [isLast, at] = [block.isLast, block.end];
        }
        at += frame.sumBytes;
        if ((frame.size ?? 0) > blocks) throw damaged();
        most += frame.size ?? blocks;
    }
    return most;
}

/** Reads a frame, and returns its end. */
function readFrame(bytes: Bytes, start: number, end: number, output: Output): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { start: first, hasBlocks, size, sumBytes } = readHeader(view, start);
    const tables: Frame["tables"] = [LITERAL_LENGTHS.table, OFFSETS.table, MATCH_LENGTHS.table];
    const frame: Frame = { tables, offsets: [1, 4, 8] };
    const before = output.length;
    let at = first;
    for (let isLast = !hasBlocks; !isLast;) {
        const block = readBlockHeader(view, at, end);
        if (block.type === 0) output.push(bytes.subarray(block.start, block.end));
        else if (block.type === 1) output.push(new Uint8Array(block.size).fill(bytes[block.start] ?? 0));
        else readBlock(bytes, block.start, block.end, frame, output);
        [isLast, at] = [block.isLast, block.end];
    }
    if (size !== undefined && output.length - before !== size) throw damaged();
    return at + sumBytes;
}

/** Reads a block. After it come at least 4 bytes. */
function readBlock(bytes: Bytes, start: number, end: number, frame: Frame, output: Output): void {
    const block = bytes.subarray(start, end);
    const [literals, literalEnd] = readLiterals(bytes, start, end, frame);
    let at = literalEnd;
    const byte = () => block[at++] ?? 0;
    let count = byte();
    if (count > 127) count = count < 255 ? ((count - 128) << 8) + byte() : byte() + (byte() << 8) + 0x7f00;
    if (count === 0) {
        output.push(literals);
        return;
    }
    const modes = byte();
    const { tables, offsets } = frame;
    [LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS].forEach(({ maxLog, table }, i) => {
        switch ((modes >> (6 - 2 * i)) & 3) {
            case 0:
                tables[i] = table;
                break;
            case 1:
                tables[i] = { log: 0, states: Uint32Array.of(byte()) };
                break;
            case 2:
                [tables[i], at] = readFseTable(block, at, maxLog);
        }
    });
    const bits = new BackwardBits(bytes, start + at, end);
    const [literalStates, offsetStates, matchStates] = [tables[0].states, tables[1].states, tables[2].states];
    let literal = bits.take(tables[0].log);
    let offset = bits.take(tables[1].log);
    let match = bits.take(tables[2].log);
    let used = 0;
    for (let i = 0; i < count; i++) {
        const literalState = literalStates[literal];
        const offsetState = offsetStates[offset];
        const matchState = matchStates[match];
        if (literalState === undefined || offsetState === undefined || matchState === undefined) {
            throw damaged();
        }
        const offsetValue = value(OFFSETS, offsetState, bits);
        const matchLength = value(MATCH_LENGTHS, matchState, bits);
        const literalLength = value(LITERAL_LENGTHS, literalState, bits);
        if (used + literalLength > literals.length) throw damaged();
        output.pushPart(literals, used, used + literalLength);
        used += literalLength;
        output.repeat(nextOffset(offsets, offsetValue, literalLength), matchLength);
        if (i + 1 === count) break;
        literal = nextState(literalState, bits);
        match = nextState(matchState, bits);
        offset = nextState(offsetState, bits);
    }
    if (bits.left !== 0) throw damaged();
    output.push(literals.subarray(used));
}

function nextState(state: number, bits: BackwardBits): number {
    return (state >> 16) + bits.take((state >> 8) & 255);
}

function value({ bases, bits: counts }: Values, state: number, bits: BackwardBits): number {
    const code = state & 255;
    const base = bases[code];
    const count = counts[code];
    if (base === undefined || count === undefined) throw damaged();
    return base + bits.take(count);
}

/** Returns the offset of a match, and keeps it as the last one. Values up to 3 name one of the last offsets. */
function nextOffset(last: [number, number, number], value: number, literalLength: number): number {
    const index = value > 3 ? 3 : value - (literalLength > 0 ? 1 : 0);
    const first = last[0];
    const second = last[1];
    const offset = value > 3 ? value - 3 : index === 3 ? first - 1 : (last[index] ?? 0);
    if (index > 0) {
        if (index > 1) last[2] = second;
        last[1] = first;
        last[0] = offset;
    }
    return offset;
}

/** Returns the literals of a block, and their end in it. */
function readLiterals(
    bytes: Bytes,
    blockStart: number,
    blockEnd: number,
    frame: Frame,
): [literals: Bytes, end: number] {
    const block = bytes.subarray(blockStart, blockEnd);
    const word = (at: number) =>
        (block[at] ?? 0) +
        ((block[at + 1] ?? 0) << 8) +
        ((block[at + 2] ?? 0) << 16) +
        (block[at + 3] ?? 0) * 2 ** 24;
    const header = word(0);
    const [type, form] = [header & 3, (header >> 2) & 3];
    if (type < 2) {
        const headerBytes = form === 1 ? 2 : form === 3 ? 3 : 1;
        const length = (header & (2 ** (8 * headerBytes) - 1)) >>> (headerBytes === 1 ? 3 : 4);
        if (length > MOST_BLOCK_BYTES) throw damaged();
        const end = headerBytes + (type === 1 ? 1 : length);
        if (end > block.length) throw damaged();
        if (type === 1) return [new Uint8Array(length).fill(block[headerBytes] ?? 0), end];
        return [block.subarray(headerBytes, end), end];
    }
    const bits = [10, 10, 14, 18][form] ?? 0;
    const headerBytes = [3, 3, 4, 5][form] ?? 0;
    const numbers = header + (block[4] ?? 0) * 2 ** 32;
    const length = Math.floor(numbers / 16) % 2 ** bits;
    const end = headerBytes + (Math.floor(numbers / 2 ** (4 + bits)) % 2 ** bits);
    if (length > MOST_BLOCK_BYTES || end > block.length) throw damaged();
    let at = headerBytes;
    if (type === 2) [frame.huffman, at] = readHuffmanTable(block.subarray(0, end), at);
    if (!frame.huffman) throw damaged();
    const literals = new Uint8Array(length);
    if (form === 0) {
        readHuffman(frame.huffman, bytes, blockStart + at, blockStart + end, literals);
        return [literals, end];
    }
    const share = Math.ceil(length / 4);
    const sizes = [word(at) & 0xffff, word(at + 2) & 0xffff, word(at + 4) & 0xffff, end];
    at += 6;
    for (let i = 0; i < 4; i++) {
        const next = Math.min(end, at + (sizes[i] ?? 0));
        const part = literals.subarray(i * share, (i + 1) * share);
        readHuffman(frame.huffman, bytes, blockStart + at, blockStart + next, part);
        at = next;
    }
    return [literals, end];
}

/** Decodes a stream of a Huffman code. After it come at least 4 bytes. */
function readHuffman(
    { log, entries }: HuffmanTable,
    bytes: Bytes,
    start: number,
    end: number,
    literals: Uint8Array,
): void {
    const bits = new BackwardBits(bytes, start, end);
    const mask = (1 << log) - 1;
    let left = bits.left;
    let i = 0;
    // A code and the bits before it in its first byte take 18 bits.
    for (; i < literals.length && left >= log; i++) {
        const first = left - log;
        const at = start + (first >> 3);
        const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
        const entry = entries[(word >>> (first & 7)) & mask] ?? 0;
        literals[i] = entry;
        left -= entry >> 8;
    }
    bits.left = left;
    for (; i < literals.length; i++) {
        const entry = entries[bits.peek(log)] ?? 0;
        literals[i] = entry;
        bits.left -= entry >> 8;
    }
    if (bits.left !== 0) throw damaged();
}

function readHuffmanTable(bytes: Bytes, start: number): [table: HuffmanTable, end: number] {
    const header = bytes[start] ?? 0;
    let at = start + 1;
    const weights: number[] = [];
    if (header > 127) {
        for (let i = 0; i < header - 127; i++)
            weights.push(((bytes[at + (i >> 1)] ?? 0) >> (i % 2 ? 0 : 4)) & 15);
        at += (header - 126) >> 1;
    } else {
        const end = at + header;
        const [{ log, states }, first] = readFseTable(bytes, at, 6);
        const push = (state: number) => {
            const weight = state & 255;
            if (weight > MOST_HUFFMAN_BITS) throw damaged();
            weights.push(weight);
        };
        // (A copy has bytes after its end.)
        const own = new Uint8Array(Math.max(0, end - first) + 4);
        own.set(bytes.subarray(first, end));
        const bits = new BackwardBits(own, 0, own.length - 4);
        let [state, other] = [bits.take(log), bits.take(log)];
        for (;;) {
            const found = states[state];
            if (found === undefined || weights.length > 253) throw damaged();
            push(found);
            if (bits.left < ((found >> 8) & 255)) {
                push(states[other] ?? 0);
                break;
            }
            // The two states take turns.
            [state, other] = [other, nextState(found, bits)];
        }
        at = end;
    }
    const sum = weights.reduce((sum, weight) => sum + (weight > 0 ? 2 ** (weight - 1) : 0), 0);
    const log = 32 - Math.clz32(sum);
    const rest = 2 ** log - sum;
    if (sum === 0 || log > MOST_HUFFMAN_BITS || at > bytes.length || (rest & (rest - 1)) !== 0)
        throw damaged();
    weights.push(32 - Math.clz32(rest));
    const entries = new Uint16Array(2 ** log);
    let position = 0;
    for (let weight = 1; weight <= log; weight++) {
        weights.forEach((own, symbol) => {
            if (own !== weight) return;
            const next = position + 2 ** (weight - 1);
            entries.fill(symbol | ((log + 1 - weight) << 8), position, next);
            position = next;
        });
    }
    return [{ log, entries }, at];
}

/** Reads the probabilities of a code: section 4.1.1. */
function readFseTable(bytes: Bytes, start: number, maxLog: number): [table: FseTable, end: number] {
    let bit = 8 * start;
    const take = (count: number) => {
        const at = bit >> 3;
        const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
        const bits = (word >>> (bit & 7)) & (2 ** count - 1);
        bit += count;
        return bits;
    };
    const log = take(4) + 5;
    if (log > maxLog) throw damaged();
    const shares: number[] = [];
    for (let left = 2 ** log; left > 0;) {
        const count = 32 - Math.clz32(left + 1);
        const low = 2 ** (count - 1) - 1;
        const short = 2 ** count - 2 - left;
        let number = take(count);
        if ((number & low) < short) {
            bit -= 1;
            number &= low;
        } else if (number > low) {
            number -= short;
        }
        const share = number - 1;
        shares.push(share);
        left -= Math.abs(share);
        if (left < 0 || shares.length > 255) throw damaged();
        if (share !== 0) continue;
        for (let more = 3; more === 3;) {
            more = take(2);
            shares.push(...zeros(more));
        }
    }
    return [fseTable(log, shares), Math.ceil(bit / 8)];
}

/** Returns the table of a code by the shares of its symbols; −1 means less than 1. */
function fseTable(log: number, shares: readonly number[]): FseTable {
    const size = 2 ** log;
    const states = new Uint32Array(size);
    let end = size;
    shares.forEach((share, symbol) => {
        if (share < 0) states[--end] = symbol;
    });
    const step = (size >> 1) + (size >> 3) + 3;
    let position = 0;
    shares.forEach((share, symbol) => {
        for (let i = 0; i < share; i++) {
            states[position] = symbol;
            do position = (position + step) & (size - 1);
            while (position >= end);
        }
    });
    const next = shares.map(Math.abs);
    for (let i = 0; i < size; i++) {
        const symbol = states[i] ?? 0;
        const number = next[symbol] ?? 0;
        next[symbol] = number + 1;
        const bits = log - (31 - Math.clz32(number));
        states[i] = symbol | (bits << 8) | (((number << bits) - size) << 16);
    }
    return { log, states };
}

function damaged(): RangeError {
    return new RangeError("its Zstandard frames are damaged");
}
