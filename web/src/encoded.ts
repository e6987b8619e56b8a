// Bodies of HTTP that are compressed on their way.

/**
 * True if a body is compressed on its way (`Content-Encoding`), where this can be seen. Its stated length and its
 * ranges are then those of the compressed data.
 */
export function isEncoded(headers: Headers): boolean {
    return !/^(?:identity)?$/i.test(headers.get("content-encoding") ?? "");
}
