// The stage: two images with a divider, zoom and pan.

import { element } from "./dom.js";

/** An image that the stage can draw. */
export type Layer = HTMLCanvasElement;

interface Point {
    readonly x: number;
    readonly y: number;
}

const LARGEST_ZOOM = 64;

/** Distance in pixels at which the divider is grabbed. */
const GRAB = 24;

/** Stage with the original on the left of the divider, and another image on the right. */
export class Viewer {
    readonly #stage = element("stage");
    readonly #canvas = element<HTMLCanvasElement>("canvas");
    readonly #divider = element("divider");
    readonly #handle = element("handle");
    readonly #onTexel: (texel: Point | undefined) => void;
    #layers: readonly [Layer, Layer] | undefined;
    /** Pixels of the page for each texel; undefined fits the image into the stage. */
    #zoom: number | undefined;
    /** Position of the image's upper left corner on the stage. */
    #corner: Point = { x: 0, y: 0 };
    #split = 0.5;
    #frame = 0;
    readonly #pointers = new Map<number, Point>();
    #drag: "image" | "divider" | undefined;

    /** `onTexel` receives the texel below the pointer. */
    constructor(onTexel: (texel: Point | undefined) => void) {
        this.#onTexel = onTexel;
        const stage = this.#stage;
        stage.addEventListener("pointerdown", (event) => this.#down(event));
        stage.addEventListener("pointermove", (event) => this.#move(event));
        for (const name of ["pointerup", "pointercancel"] as const) {
            stage.addEventListener(name, (event) => this.#up(event));
        }
        stage.addEventListener("pointerleave", () => this.#onTexel(undefined));
        stage.addEventListener("dblclick", (event) => {
            const at = this.#at(event);
            if (this.#isZoomed) this.fit();
            else this.zoomTo(Math.max(1, this.#fitting * 4), at);
        });
        stage.addEventListener(
            "wheel",
            (event) => {
                event.preventDefault();
                // A mouse's wheel counts in lines or pixels.
                const steps = event.deltaY * (event.deltaMode === 1 ? 20 : 1);
                this.zoomTo(this.#scale * Math.exp(-steps / 300), this.#at(event));
            },
            { passive: false },
        );
        stage.addEventListener("keydown", (event) => this.#key(event));
        element("zoom-in").addEventListener("click", () => this.zoomBy(2));
        element("zoom-out").addEventListener("click", () => this.zoomBy(0.5));
        element("fit").addEventListener("click", () => this.fit());
        element("actual").addEventListener("click", () => this.zoomTo(1));
        new ResizeObserver(() => this.draw()).observe(stage);
        document.documentElement.addEventListener("theme", () => this.draw());
    }

    /** Shows two images of the same size. */
    show(left: Layer, right: Layer): void {
        const before = this.#layers?.[0];
        this.#layers = [left, right];
        this.#stage.style.setProperty("--ratio", String(left.width / left.height));
        if (before?.width !== left.width || before.height !== left.height) this.#zoom = undefined;
        this.draw();
    }

    /** Fits the image into the stage. */
    fit(): void {
        this.#zoom = undefined;
        this.draw();
    }

    /** Zooms by a factor about the stage's centre. */
    zoomBy(factor: number): void {
        this.zoomTo(this.#scale * factor);
    }

    /** Zooms, and keeps the texel at a point of the stage. Default: its centre. */
    zoomTo(zoom: number, at: Point = { x: this.#width / 2, y: this.#height / 2 }): void {
        const before = this.#scale;
        const fitting = this.#fitting;
        const next = Math.min(LARGEST_ZOOM, Math.max(Math.min(fitting, 1), zoom));
        const grown = next / before;
        this.#corner = {
            x: at.x - (at.x - this.#corner.x) * grown,
            y: at.y - (at.y - this.#corner.y) * grown,
        };
        this.#zoom = Math.abs(next - fitting) < 1e-6 ? undefined : next;
        this.draw();
    }

    /** Draws before the next frame. */
    draw(): void {
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            this.#drawNow();
        });
    }

    get #width(): number {
        return this.#stage.clientWidth;
    }

    get #height(): number {
        return this.#stage.clientHeight;
    }

    get #fitting(): number {
        const [image] = this.#layers ?? [];
        return image ? Math.min(this.#width / image.width, this.#height / image.height) : 1;
    }

    get #scale(): number {
        return this.#zoom ?? this.#fitting;
    }

    get #isZoomed(): boolean {
        return this.#scale > this.#fitting * 1.001;
    }

    #drawNow(): void {
        const canvas = this.#canvas;
        const ratio = window.devicePixelRatio || 1;
        const [width, height] = [this.#width, this.#height].map((side) =>
            Math.max(1, Math.round(side * ratio)),
        );
        if (!width || !height) return;
        if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
        const context = canvas.getContext("2d");
        if (!context) return;
        context.clearRect(0, 0, width, height);
        this.#stage.classList.toggle("empty", !this.#layers);
        if (!this.#layers) return;
        const [image] = this.#layers;
        const scale = this.#scale;
        this.#corner = {
            x: within(this.#corner.x, image.width * scale, this.#width),
            y: within(this.#corner.y, image.height * scale, this.#height),
        };
        const [x, y] = [Math.round(this.#corner.x * ratio), Math.round(this.#corner.y * ratio)];
        const size = [image.width * scale * ratio, image.height * scale * ratio] as const;
        const edge = Math.round(width * this.#split);
        this.#layers.forEach((layer, i) => {
            context.save();
            context.beginPath();
            context.rect(i === 0 ? 0 : edge, 0, i === 0 ? edge : width - edge, height);
            context.clip();
            context.fillStyle = context.createPattern(checks(), "repeat") ?? "grey";
            context.fillRect(x, y, ...size);
            context.imageSmoothingEnabled = scale * ratio < 1;
            context.imageSmoothingQuality = "high";
            context.drawImage(layer, x, y, ...size);
            context.restore();
        });
        this.#divider.style.left = `${this.#split * 100}%`;
        this.#handle.setAttribute("aria-valuenow", String(Math.round(this.#split * 100)));
        element("zoom").textContent = `${scale < 0.1 ? (scale * 100).toFixed(1) : Math.round(scale * 100)} %`;
        this.#stage.classList.toggle("zoomed", this.#isZoomed);
        this.#stage.classList.toggle("dragging", this.#drag === "image");
    }

    #at(event: MouseEvent): Point {
        const box = this.#stage.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    #down(event: PointerEvent): void {
        if (event.button !== 0) return;
        const at = this.#at(event);
        this.#stage.setPointerCapture(event.pointerId);
        this.#pointers.set(event.pointerId, at);
        const isNear = Math.abs(at.x - this.#split * this.#width) < GRAB;
        this.#drag = isNear || !this.#isZoomed ? "divider" : "image";
        if (this.#pointers.size > 1) this.#drag = undefined;
        else if (this.#drag === "divider") this.#splitAt(at.x);
    }

    #move(event: PointerEvent): void {
        const at = this.#at(event);
        const before = this.#pointers.get(event.pointerId);
        this.#onTexel(this.#texel(at));
        if (!before) return;
        if (this.#pointers.size === 2) {
            const [other] = [...this.#pointers]
                .filter(([id]) => id !== event.pointerId)
                .map(([, point]) => point);
            if (other) {
                const distance = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
                const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
                this.#pan((at.x - before.x) / 2, (at.y - before.y) / 2);
                this.zoomTo(this.#scale * (distance(at) / Math.max(1, distance(before))), middle);
            }
        } else if (this.#drag === "divider") {
            this.#splitAt(at.x);
        } else if (this.#drag === "image") {
            this.#pan(at.x - before.x, at.y - before.y);
        }
        this.#pointers.set(event.pointerId, at);
    }

    #up(event: PointerEvent): void {
        this.#pointers.delete(event.pointerId);
        // After a pinch, the remaining finger moves the image.
        this.#drag = this.#pointers.size === 1 && this.#isZoomed ? "image" : undefined;
        this.draw();
    }

    #key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const isDivider = event.shiftKey || event.target === this.#handle || !this.#isZoomed;
        const step = 60;
        const arrows: Readonly<Record<string, readonly [number, number]>> = {
            ArrowLeft: [1, 0],
            ArrowRight: [-1, 0],
            ArrowUp: [0, 1],
            ArrowDown: [0, -1],
        };
        const arrow = arrows[event.key];
        if (arrow) {
            if (isDivider) this.#splitAt((this.#split - 0.02 * (arrow[0] || -arrow[1])) * this.#width);
            else this.#pan(step * arrow[0], step * arrow[1]);
        } else if (event.key === "Home" || event.key === "End") {
            this.#splitAt(event.key === "Home" ? 0 : this.#width);
        } else if (event.key === "+" || event.key === "=") {
            this.zoomBy(1.5);
        } else if (event.key === "-") {
            this.zoomBy(1 / 1.5);
        } else if (event.key === "0") {
            this.fit();
        } else if (event.key === "1") {
            this.zoomTo(1);
        } else {
            return;
        }
        event.preventDefault();
    }

    #pan(x: number, y: number): void {
        this.#corner = { x: this.#corner.x + x, y: this.#corner.y + y };
        this.draw();
    }

    #splitAt(x: number): void {
        this.#split = Math.min(1, Math.max(0, x / this.#width));
        this.draw();
    }

    #texel({ x, y }: Point): Point | undefined {
        const [image] = this.#layers ?? [];
        const scale = this.#scale;
        const texel = {
            x: Math.floor((x - this.#corner.x) / scale),
            y: Math.floor((y - this.#corner.y) / scale),
        };
        const isInside =
            image && texel.x >= 0 && texel.y >= 0 && texel.x < image.width && texel.y < image.height;
        return isInside ? texel : undefined;
    }
}

/** Returns a position that keeps an image of this size on the stage. */
function within(at: number, size: number, room: number): number {
    return size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, at));
}

/** Tile of the checkerboard behind transparent texels. */
function checks(): HTMLCanvasElement {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 16;
    const context = tile.getContext("2d");
    if (context) {
        const style = getComputedStyle(document.documentElement);
        context.fillStyle = style.getPropertyValue("--check-a");
        context.fillRect(0, 0, 16, 16);
        context.fillStyle = style.getPropertyValue("--check-b");
        context.fillRect(0, 0, 8, 8);
        context.fillRect(8, 8, 8, 8);
    }
    return tile;
}

/** Returns a canvas with an image. */
export function layerOf(image: ImageData): Layer {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d")?.putImageData(image, 0, 0);
    return canvas;
}
