// CRC-32 of ZIP archives and CRC-32C of Zarr.

const CRC32 = table(0xedb88320);
const CRC32C = table(0x82f63b78);

/** Returns the CRC-32 (IEEE 802.3). */
export function crc32(bytes: Uint8Array): number {
    return sum(CRC32, bytes);
}

/** Returns the CRC-32C (Castagnoli, RFC 3720). */
export function crc32c(bytes: Uint8Array): number {
    return sum(CRC32C, bytes);
}

function table(polynomial: number): Uint32Array {
    const entries = new Uint32Array(256);
    for (let byte = 0; byte < 256; byte++) {
        let rest = byte;
        for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
        entries[byte] = rest;
    }
    return entries;
}

function sum(entries: Uint32Array, bytes: Uint8Array): number {
    let rest = -1;
    for (const byte of bytes) rest = (rest >>> 8) ^ (entries[(rest ^ byte) & 255] ?? 0);
    return ~rest >>> 0;
}
