// A camera that mouse, fingers and keys turn.

import type { CameraOptions } from "./facts.js";

export interface OrbitOptions {
    /** Called after each change; `isMoving` is false once the gesture has ended. */
    readonly onChange: (camera: CameraOptions, isMoving: boolean) => void;
    /** First camera. */
    readonly camera: { readonly azimuth: number; readonly elevation: number };
}

/** Degrees per pixel, and per press of an arrow key. */
const PER_PIXEL = 0.4;
const PER_KEY = 5;

/** Zoom by a press of a key, and by a pixel of the wheel. */
const ZOOM_PER_KEY = 1.15;
const ZOOM_PER_WHEEL = 0.0015;

const MOST_ZOOM = 40;

/** Milliseconds after the last turn of the wheel or press of a key when the camera has stopped. */
const REST = 200;

/** Turns and zooms a camera around a volume. */
export class Orbit {
    readonly #element: HTMLElement;
    readonly #options: OrbitOptions;
    readonly #listeners = new AbortController();
    readonly #pointers = new Map<number, readonly [number, number]>();
    #start: OrbitOptions["camera"];
    #azimuth: number;
    #elevation: number;
    #zoom = 1;
    #timer: ReturnType<typeof setTimeout> | undefined;

    /** Listens to the gestures on an element, which should have a `tabindex` for keys. */
    constructor(element: HTMLElement, options: OrbitOptions) {
        this.#element = element;
        this.#options = options;
        this.#start = options.camera;
        this.#azimuth = options.camera.azimuth;
        this.#elevation = options.camera.elevation;
        element.style.touchAction = "none";
        const { signal } = this.#listeners;
        element.addEventListener("pointerdown", (event) => this.#down(event), { signal });
        element.addEventListener("pointermove", (event) => this.#move(event), { signal });
        for (const name of ["pointerup", "pointercancel"] as const) {
            element.addEventListener(name, (event) => this.#up(event), { signal });
        }
        element.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
        element.addEventListener("keydown", (event) => this.#key(event), { signal });
        element.addEventListener("dblclick", () => this.reset(), { signal });
    }

    get camera(): CameraOptions {
        return { azimuth: this.#azimuth, elevation: this.#elevation, zoom: this.#zoom, orbiting: true };
    }

    /** Returns to the first camera, or to another one. */
    reset(camera: OrbitOptions["camera"] = this.#start): void {
        this.#start = camera;
        ({ azimuth: this.#azimuth, elevation: this.#elevation } = camera);
        this.#zoom = 1;
        this.#changed(false);
    }

    /** Turns by degrees. */
    turn(right: number, up: number, isMoving = false): void {
        this.#azimuth = (((this.#azimuth + right) % 360) + 360) % 360;
        this.#elevation = Math.max(-90, Math.min(90, this.#elevation + up));
        this.#changed(isMoving);
    }

    /** Multiplies the zoom. */
    zoomBy(factor: number, isMoving = false): void {
        this.#zoom = Math.max(1 / 8, Math.min(MOST_ZOOM, this.#zoom * factor));
        this.#changed(isMoving);
    }

    /** Stops listening. */
    dispose(): void {
        clearTimeout(this.#timer);
        this.#listeners.abort();
    }

    #changed(isMoving: boolean): void {
        this.#options.onChange(this.camera, isMoving);
    }

    #down(event: PointerEvent): void {
        if (event.pointerType === "mouse" && event.button !== 0) return;
        this.#element.setPointerCapture(event.pointerId);
        this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    }

    #move(event: PointerEvent): void {
        const before = this.#pointers.get(event.pointerId);
        if (!before) return;
        const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
        const now = [event.clientX, event.clientY] as const;
        this.#pointers.set(event.pointerId, now);
        const other = others[0]?.[1];
        if (other) {
            const distance = (at: readonly [number, number]) =>
                Math.hypot(at[0] - other[0], at[1] - other[1]);
            this.zoomBy(Math.max(1, distance(now)) / Math.max(1, distance(before)), true);
        } else {
            this.turn((before[0] - now[0]) * PER_PIXEL, (now[1] - before[1]) * PER_PIXEL, true);
        }
    }

    #up(event: PointerEvent): void {
        if (this.#pointers.delete(event.pointerId) && this.#pointers.size === 0) this.#changed(false);
    }

    #wheel(event: WheelEvent): void {
        event.preventDefault();
        const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : 30 * event.deltaY;
        this.zoomBy(Math.exp(-pixels * ZOOM_PER_WHEEL), true);
        this.#rest();
    }

    #key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        switch (event.key) {
            case "ArrowLeft":
                this.turn(-PER_KEY, 0, true);
                break;
            case "ArrowRight":
                this.turn(PER_KEY, 0, true);
                break;
            case "ArrowUp":
                this.turn(0, PER_KEY, true);
                break;
            case "ArrowDown":
                this.turn(0, -PER_KEY, true);
                break;
            case "+":
            case "=":
                this.zoomBy(ZOOM_PER_KEY, true);
                break;
            case "-":
                this.zoomBy(1 / ZOOM_PER_KEY, true);
                break;
            case "0":
            case "Home":
                this.reset();
                break;
            default:
                return;
        }
        event.preventDefault();
        this.#rest();
    }

    /** Ends the gesture soon, unless it continues. */
    #rest(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#changed(false), REST);
    }
}
