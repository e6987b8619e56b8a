// Units of UDUNITS-2, which OME-NGFF names.

/** Factor of a unit: numbers are multiplied, or divided, which rounds to the decimal that was meant. */
type Factor = readonly [by: number, isDivided?: true];

const PREFIXES: Readonly<Record<string, Factor>> = {
    yotta: [1e24],
    zetta: [1e21],
    exa: [1e18],
    peta: [1e15],
    tera: [1e12],
    giga: [1e9],
    mega: [1e6],
    kilo: [1e3],
    hecto: [1e2],
    "": [1],
    deci: [10, true],
    centi: [1e2, true],
    milli: [1e3, true],
    micro: [1e6, true],
    nano: [1e9, true],
    pico: [1e12, true],
    femto: [1e15, true],
    atto: [1e18, true],
    zepto: [1e21, true],
    yocto: [1e24, true],
};

const SHORT: Readonly<Record<string, string>> = {
    nm: "nanometer",
    um: "micrometer",
    "\u{b5}m": "micrometer",
    "\u{3bc}m": "micrometer",
    micron: "micrometer",
    mm: "millimeter",
    cm: "centimeter",
    m: "meter",
    ns: "nanosecond",
    us: "microsecond",
    ms: "millisecond",
    s: "second",
};

const LENGTHS: Readonly<Record<string, Factor>> = {
    angstrom: [1e7, true],
    inch: [25.4],
    foot: [304.8],
    yard: [914.4],
    mile: [1609344],
    parsec: [3.0856775814913673e19],
};

const TIMES: Readonly<Record<string, Factor>> = { minute: [60], hour: [3600], day: [86400] };

/** Returns a length in millimetres; undefined for an unknown unit. Without a unit, the number stays. */
export function millimetres(length: number, unit: string): number | undefined {
    return converted(length, unit, /^(.*?)met(?:er|re)s?$/, LENGTHS, 3);
}

/** Returns a time in seconds; undefined for an unknown unit. Without a unit, the number stays. */
export function seconds(time: number, unit: string): number | undefined {
    return converted(time, unit, /^(.*?)seconds?$/, TIMES, 0);
}

function converted(
    number: number,
    unit: string,
    base: RegExp,
    others: Readonly<Record<string, Factor>>,
    digits: number,
): number | undefined {
    const name = SHORT[unit] ?? unit.toLowerCase();
    if (name === "" || name === "none" || name === "pixel" || name === "voxel") return number;
    const other = others[name] ?? others[name.replace(/s$/, "")];
    if (other) return other[1] ? number / other[0] : number * other[0];
    const prefix = PREFIXES[base.exec(name)?.[1] ?? "?"];
    if (!prefix) return undefined;
    const power = Math.round(Math.log10(prefix[0])) * (prefix[1] ? -1 : 1) + digits;
    return power < 0 ? number / 10 ** -power : number * 10 ** power;
}
