// Weights of the filters of mip levels: crates/texture/src/mips/resample. Only basic operations on doubles, in
// the same order, so the weights are those of the native encoder.

import type { MipFilter } from "./options.js";

/** Source texels of each texel of a level, along one side. */
export interface Axis {
    /** Number of weights of a texel. */
    readonly taps: number;
    /** Source texels after which the weights repeat. */
    readonly step: number;
    /** First source texel of each phase. It may be before the image. */
    readonly firsts: readonly number[];
    /** Weights of each phase, `taps` of them. */
    readonly weights: readonly Float32Array<ArrayBuffer>[];
}

/** Distance from the centre from which the weights are 0. */
const RADIUS: Readonly<Record<MipFilter, number>> = {
    box: 0.5,
    triangle: 1,
    kaiser: 3,
    mitchell: 2,
    "catmull-rom": 2,
    lanczos3: 3,
};

/** Shares of a texel that are rounding errors of 0. */
const NEGLIGIBLE = 1e-8;

/** Returns the source texels along a side of `side` texels that becomes `target` texels, at most as many. */
export function axisOf(side: number, target: number, filter: MipFilter): Axis {
    let [divisor, rest] = [side, target];
    while (rest > 0) [divisor, rest] = [rest, divisor % rest];
    const phases = Array.from({ length: target / divisor }, (_, phase) =>
        phaseOf(phase, side, target, filter),
    );
    const taps = phases.reduce((most, { weights }) => Math.max(most, weights.length), 0);
    const padded = ({ weights }: Phase) => Float32Array.from({ length: taps }, (_, k) => weights[k] ?? 0);
    return {
        taps,
        step: side / divisor,
        firsts: phases.map(({ first }) => first),
        weights: phases.map(padded),
    };
}

/** Returns the first source texel of a texel of the level. */
export function firstOf({ firsts, step }: Axis, index: number): number {
    return (firsts[index % firsts.length] ?? 0) + Math.floor(index / firsts.length) * step;
}

interface Phase {
    readonly first: number;
    readonly weights: readonly number[];
}

function phaseOf(index: number, side: number, target: number, filter: MipFilter): Phase {
    if (side === target) return { first: index, weights: [1] };
    // The texel's centre, `base + part`, in texels of the source from its edge.
    const [centre, unit] = [(2 * index + 1) * side, 2 * target];
    const [base, part] = [Math.floor(centre / unit), (centre % unit) / unit];
    const stretch = side / target;
    const reach = RADIUS[filter] * stretch;
    const weightOf = (texel: number): number | undefined => {
        if (filter === "box") {
            // The part of the texel that the level's texel covers.
            const covered = Math.min(part + reach, texel + 1) - Math.max(part - reach, texel);
            return covered > NEGLIGIBLE ? covered : undefined;
        }
        const distance = Math.abs((texel + 0.5 - part) / stretch);
        return distance < RADIUS[filter] ? SHAPES[filter](distance) : undefined;
    };
    const high = Math.ceil(part + reach);
    let first = Math.floor(part - reach);
    while (weightOf(first) === undefined) first += 1;
    const weights: number[] = [];
    for (let texel = first; texel < high; texel++) {
        const weight = weightOf(texel);
        if (weight === undefined) break;
        weights.push(weight);
    }
    const sum = weights.reduce((sum, weight) => sum + weight, 0);
    return { first: base + first, weights: weights.map((weight) => weight / sum) };
}

/** Weights by the distance, not normalised. */
const SHAPES: Readonly<Record<Exclude<MipFilter, "box">, (x: number) => number>> = {
    triangle: (x) => 1 - x,
    mitchell: (x) => cubic(x, 1 / 3, 1 / 3),
    "catmull-rom": (x) => cubic(x, 0, 0.5),
    lanczos3: (x) => sinc(x) * sinc(x / 3),
    kaiser: (x) => (sinc(x) * besselI0(4 * Math.sqrt(Math.max(1 - (x / 3) * (x / 3), 0)))) / besselI0(4),
};

/** Returns the cubic spline of Mitchell and Netravali (1988). */
function cubic(x: number, b: number, c: number): number {
    const sum =
        x < 1
            ? ((12 - 9 * b - 6 * c) * x + (-18 + 12 * b + 6 * c)) * x * x + (6 - 2 * b)
            : (((-b - 6 * c) * x + (6 * b + 30 * c)) * x + (-12 * b - 48 * c)) * x + (8 * b + 24 * c);
    return sum / 6;
}

/** Returns sin(πx) / (πx) for 0 ≤ x ≤ 3. */
function sinc(x: number): number {
    return x === 0 ? 1 : sinPi(x) / (Math.PI * x);
}

/** Returns sin(πx) by its series, after a reduction to |x| ≤ ½. */
function sinPi(x: number): number {
    const below = Math.floor(x);
    const whole = x - below < 0.5 ? below : below + 1;
    const angle = Math.PI * (x - whole);
    const square = angle * angle;
    let [term, sum] = [angle, 0];
    for (let k = 1; k < 13; k++) {
        sum += term;
        term = (-term * square) / (2 * k * (2 * k + 1));
    }
    return whole % 2 === 0 ? sum : -sum;
}

/** Returns the modified Bessel function of order 0 by its series, for 0 ≤ x ≤ 4. */
function besselI0(x: number): number {
    const quarter = (x * x) / 4;
    let [term, sum] = [1, 0];
    for (let k = 1; k < 30; k++) {
        sum += term;
        term = (term * quarter) / (k * k);
    }
    return sum;
}
