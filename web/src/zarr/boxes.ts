// Boxes of numbers in arrays of any strides, which count numbers.

export type Bytes = Uint8Array<ArrayBuffer>;

/** Size of a number in bytes. */
export type NumberBytes = 1 | 2 | 4 | 8;

/** An array of numbers, and the box's place in it. */
export interface Place {
    readonly bytes: Bytes;
    readonly first: number;
    readonly strides: readonly number[];
}

type Words = Uint8Array | Uint16Array | Uint32Array;

/** Returns the product of numbers. */
export function product(numbers: readonly number[]): number {
    return numbers.reduce((all, number) => all * number, 1);
}

/** Returns the strides of an array whose last axis is the fastest. */
export function stridesOf(shape: readonly number[]): number[] {
    const strides = Array<number>(shape.length).fill(1);
    for (let axis = shape.length - 2; axis >= 0; axis--) {
        strides[axis] = (strides[axis + 1] ?? 1) * (shape[axis + 1] ?? 1);
    }
    return strides;
}

/** Copies a box of `counts` numbers along each axis. */
export function copyBox(from: Place, to: Place, counts: readonly number[], size: NumberBytes): void {
    // (Numbers of 64 bits are pairs: floats would lose bits of NaN.)
    const pair = size === 8 ? 2 : 1;
    const source = wordsOf(from.bytes, size);
    const target = wordsOf(to.bytes, size);
    const axes = counts
        .map((count, axis) => ({
            count,
            from: pair * (from.strides[axis] ?? 0),
            to: pair * (to.strides[axis] ?? 0),
        }))
        .filter(({ count }) => count !== 1);
    if (pair === 2) axes.push({ count: 2, from: 1, to: 1 });
    // Rows that follow each other are one row.
    for (let axis = axes.length - 2; axis >= 0; axis--) {
        const [outer, inner] = [axes[axis], axes[axis + 1]];
        if (!outer || !inner || inner.from !== 1 || inner.to !== 1) continue;
        if (outer.from === inner.count && outer.to === inner.count) {
            axes.splice(axis, 2, { count: outer.count * inner.count, from: 1, to: 1 });
        }
    }
    if (counts.includes(0)) return;
    const row = axes.at(-1) ?? { count: 1, from: 1, to: 1 };
    const copy = (axis: number, start: number, end: number): void => {
        const outer = axes[axis];
        if (outer && axis < axes.length - 1) {
            for (let i = 0; i < outer.count; i++) copy(axis + 1, start + i * outer.from, end + i * outer.to);
        } else if (row.from === 1 && row.to === 1) {
            target.set(source.subarray(start, start + row.count), end);
        } else {
            for (let i = 0; i < row.count; i++) target[end + i * row.to] = source[start + i * row.from] ?? 0;
        }
    };
    copy(0, pair * from.first, pair * to.first);
}

/** Returns an array of one number again and again. */
export function filled(count: number, number: Bytes): Bytes {
    const bytes = new Uint8Array(count * number.length);
    if (number.every((byte) => byte === 0)) return bytes;
    bytes.set(number.subarray(0, bytes.length));
    for (let length = number.length; length < bytes.length; length *= 2) {
        bytes.copyWithin(length, 0, Math.min(length, bytes.length - length));
    }
    return bytes;
}

/** Reverses the bytes of each number. */
export function swapBytes(bytes: Bytes, size: NumberBytes): void {
    for (let start = 0; start + size <= bytes.length; start += size) {
        for (let i = 0, j = size - 1; i < j; i++, j--) {
            const byte = bytes[start + i] ?? 0;
            bytes[start + i] = bytes[start + j] ?? 0;
            bytes[start + j] = byte;
        }
    }
}

/** Returns half floats as floats, exactly. */
export function floatsOf(halves: Bytes): Bytes {
    const source = wordsOf(halves, 2);
    const target = new Uint32Array(source.length);
    for (let i = 0; i < source.length; i++) {
        const half = source[i] ?? 0;
        const [sign, exponent, mantissa] = [(half & 0x8000) << 16, (half >> 10) & 31, half & 1023];
        let bits = 0;
        if (exponent === 31) bits = 0x7f800000 | (mantissa << 13);
        else if (exponent > 0) bits = ((exponent + 112) << 23) | (mantissa << 13);
        else if (mantissa > 0) {
            // Subnormal: the leading bit becomes the implicit one.
            const shift = Math.clz32(mantissa) - 21;
            bits = ((113 - shift) << 23) | (((mantissa << shift) & 1023) << 13);
        }
        target[i] = sign | bits;
    }
    return new Uint8Array(target.buffer);
}

function wordsOf(bytes: Bytes, size: NumberBytes): Words {
    if (size === 1) return bytes;
    const word = size === 2 ? 2 : 4;
    const aligned = bytes.byteOffset % word === 0 ? bytes : bytes.slice();
    const count = Math.floor(aligned.length / word);
    return size === 2
        ? new Uint16Array(aligned.buffer, aligned.byteOffset, count)
        : new Uint32Array(aligned.buffer, aligned.byteOffset, count);
}
