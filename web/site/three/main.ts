// A glTF model in three.js, with textures that are compressed on load or not.

import { BlockDataTexture, type BlockTexture, brickworkFor, gltfPlugin } from "@brickwork/web/three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import {
    Box3,
    DirectionalLight,
    HemisphereLight,
    type Material,
    Mesh,
    type Object3D,
    PerspectiveCamera,
    Scene,
    Sphere,
    Texture,
    WebGPURenderer,
} from "three/webgpu";
import { bytes, duration, element } from "../dom.js";
import example from "virtual:model";

const canvas = element<HTMLCanvasElement>("model");
const stage = element("stage");

function notice(text: string | undefined): void {
    element("notice").textContent = text ?? "";
    element("notice").hidden = text === undefined;
}

function busy(text: string | undefined): void {
    element("busy").hidden = text === undefined;
    if (text !== undefined) element("busy").lastElementChild!.textContent = text;
}

/** Yields the textures of a model, each once. */
function texturesOf(model: Object3D): Map<Texture, string> {
    const found = new Map<Texture, string>();
    model.traverse((object) => {
        if (!(object instanceof Mesh)) return;
        for (const material of [object.material].flat() as Material[]) {
            for (const [slot, value] of Object.entries(material)) {
                if (value instanceof Texture)
                    found.set(value, found.has(value) ? `${found.get(value)}, ${slot}` : slot);
            }
        }
    });
    return found;
}

/** Frees the textures of a model. */
function free(model: Object3D): void {
    for (const texture of texturesOf(model).keys()) texture.dispose();
}

/** Bytes of a texture with all mip levels. */
function memoryOf(width: number, height: number, blockBytes: number | undefined, mips: number): number {
    let sum = 0;
    for (let level = 0; level < mips; level++) {
        const [columns, rows] = [Math.max(1, width >> level), Math.max(1, height >> level)];
        sum += blockBytes ? Math.ceil(columns / 4) * Math.ceil(rows / 4) * blockBytes : 4 * columns * rows;
    }
    return sum;
}

/** Bytes of a texture whose blocks are in memory. */
function bytesOf({ mipmaps }: BlockDataTexture): number {
    return (mipmaps as { data: Uint8Array }[]).reduce((sum, { data }) => sum + data.length, 0);
}

async function start(): Promise<void> {
    const renderer = new WebGPURenderer({ canvas, antialias: true });
    // (Without WebGPU, three.js uses WebGL 2.)
    const brickwork = await brickworkFor(renderer);
    renderer.onDeviceLost = ({ message }) => {
        void renderer.setAnimationLoop(null);
        notice(`The GPU device is lost: ${message}. Reload the page to go on.`);
    };
    const scene = new Scene();
    const camera = new PerspectiveCamera(40, 1, 0.01, 100);
    camera.position.set(0, 1.75, 2.6);
    const sun = new DirectionalLight(0xfff4e8, 4.2);
    sun.position.set(2, 3, 2);
    const rim = new DirectionalLight(0xbfd4ff, 2.5);
    rim.position.set(-3, 1, -2);
    scene.add(new HemisphereLight(0xffffff, 0xa39a8e, 2.2), sun, rim);
    const controls = new OrbitControls(camera, canvas);
    controls.enableDamping = true;
    controls.autoRotate = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    controls.listenToKeyEvents(canvas);
    controls.enablePan = false;
    const turn = element("turn");
    const showTurn = () => turn.setAttribute("aria-pressed", String(controls.autoRotate));
    turn.addEventListener("click", () => {
        controls.autoRotate = !controls.autoRotate;
        showTurn();
    });
    showTurn();
    new ResizeObserver(() => {
        const { clientWidth: width, clientHeight: height } = stage;
        renderer.setPixelRatio(Math.min(2, devicePixelRatio));
        renderer.setSize(width, height, false);
        camera.aspect = width / height;
        camera.updateProjectionMatrix();
    }).observe(stage);

    let address = example;
    let shown: Object3D | undefined;
    let requests = 0;
    // Frames and encodings share the GPU: a slow one encodes faster while nothing is drawn.
    let isLoading = false;

    const load = async () => {
        const request = ++requests;
        isLoading = true;
        busy("Loading the model…");
        const isCompressed =
            document.querySelector<HTMLInputElement>('[name="textures"]:checked')?.value === "blocks";
        try {
            const loader = new GLTFLoader();
            const reasons: string[] = [];
            if (isCompressed) {
                const onUncompressed = (error: unknown) => reasons.push(String((error as Error).message));
                loader.register(gltfPlugin(brickwork, { onUncompressed }));
            }
            const started = performance.now();
            const { scene: model } = await loader.loadAsync(address);
            const time = performance.now() - started;
            if (request !== requests) {
                free(model);
                return;
            }
            if (shown) {
                scene.remove(shown);
                free(shown);
            }
            const { center, radius } = new Box3().setFromObject(model).getBoundingSphere(new Sphere());
            model.scale.setScalar(1.4 / (radius || 1));
            model.position.copy(center).multiplyScalar(-1.4 / (radius || 1));
            scene.add((shown = model));
            report(model, time);
            notice(reasons[0] && `Some images stay uncompressed: ${reasons[0]}.`);
            await renderer.compileAsync(scene, camera);
            document.body.dataset["ready"] = String(Number(document.body.dataset["ready"] ?? 0) + 1);
        } catch (error) {
            if (request !== requests) return;
            notice(`The model cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
        }
        isLoading = false;
        busy(undefined);
    };

    const report = (model: Object3D, time: number) => {
        let [memory, raw] = [0, 0];
        const lines: string[] = [];
        for (const [texture, slots] of texturesOf(model)) {
            const image = texture.image as { width: number; height: number };
            const gpuTexture = (texture as BlockTexture).isBlockTexture
                ? ((texture as BlockTexture).sourceTexture as GPUTexture)
                : undefined;
            const { width, height } = gpuTexture ?? image;
            const full = memoryOf(width, height, undefined, 32 - Math.clz32(Math.max(width, height)));
            const blockBytes = /^(bc[14]|etc2-rgb8|eac-r11)/.test(gpuTexture?.format ?? "") ? 8 : 16;
            raw += full;
            if (gpuTexture) memory += memoryOf(width, height, blockBytes, gpuTexture.mipLevelCount);
            else if (texture instanceof BlockDataTexture) memory += bytesOf(texture);
            else memory += full;
            const format = gpuTexture?.format ?? (texture as Partial<BlockDataTexture>).blockFormat;
            lines.push(`${slots}: ${width}×${height}, ${format ?? "rgba8unorm"}`);
        }
        element("memory").textContent = bytes(memory);
        element("raw").textContent = bytes(raw);
        element("time").textContent = duration(time);
        element("list").replaceChildren(
            ...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })),
        );
    };

    const open = (files: FileList | null | undefined) => {
        const [file] = files ?? [];
        if (!file) return;
        if (address !== example) URL.revokeObjectURL(address);
        address = URL.createObjectURL(file);
        void load();
    };
    const input = element<HTMLInputElement>("file");
    element("choose").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
        open(input.files);
        input.value = "";
    });
    let depth = 0;
    const mark = (change: number) => {
        depth = Math.max(0, depth + change);
        document.body.classList.toggle("dropping", depth > 0);
    };
    addEventListener("dragenter", () => mark(1));
    addEventListener("dragleave", () => mark(-1));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
        event.preventDefault();
        mark(-depth);
        open(event.dataTransfer?.files);
    });
    for (const choice of document.querySelectorAll<HTMLInputElement>('[name="textures"]')) {
        choice.addEventListener("change", () => void load());
    }
    await renderer.setAnimationLoop(() => {
        if (isLoading) return;
        controls.update();
        renderer.render(scene, camera);
    });
    await load();
}

start().catch((error: unknown) => {
    busy(undefined);
    notice(`three.js cannot start: ${error instanceof Error ? error.message : String(error)}`);
});
