// Elements of the page.

/** Returns the element with an ID. */
export function element<T extends HTMLElement>(id: string): T {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no element "${id}"`);
    return found as T;
}

/** Lets the page respond between parts of a long task. */
export function pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve));
}

/** Returns a number of bytes in a unit that people read. */
export function bytes(count: number): string {
    if (count < 1024) return `${count} B`;
    if (count < 1024 * 1024) return `${(count / 1024).toPrecision(3)} KiB`;
    return `${(count / (1024 * 1024)).toPrecision(3)} MiB`;
}

/** Returns a duration in a unit that people read. */
export function duration(milliseconds: number): string {
    if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
    if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
    return `${(milliseconds / 1000).toPrecision(3)} s`;
}
