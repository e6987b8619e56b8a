// Draws DDS and KTX2 files with three.js, one texel per pixel, and compares the pixels with those of PNG files.

import * as THREE from "three";
import { DDSLoader } from "addons/loaders/DDSLoader.js";
import { KTX2Loader } from "addons/loaders/KTX2Loader.js";

/** Returns the RGBA pixels of an image file, from the top down. */
async function pixelsOf(url) {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob(), { colorSpaceConversion: "none" });
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
}

/** Returns the texture's size, its number of mip levels, and the largest difference of its pixels. */
window.compare = async (name) => {
    const texture = await new DDSLoader().loadAsync(name);
    const [width, height] = [texture.image.width, texture.image.height];
    const canvas = document.createElement("canvas");
    const renderer = new THREE.WebGLRenderer({ canvas, preserveDrawingBuffer: true });
    renderer.setSize(width, height, false);
    texture.magFilter = THREE.NearestFilter;
    texture.colorSpace = THREE.LinearSRGBColorSpace;
    const plane = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.MeshBasicMaterial({ map: texture }));
    // Compressed textures start at the top; three.js cannot flip them.
    const uv = plane.geometry.attributes.uv;
    for (let i = 0; i < uv.count; i++) uv.setY(i, 1 - uv.getY(i));
    const scene = new THREE.Scene();
    scene.add(plane);
    renderer.render(scene, new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1));
    const gl = renderer.getContext();
    const error = gl.getError();
    const drawn = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, drawn);
    const expected = await pixelsOf(`${name}.png`);
    let [largest, sum] = [0, 0];
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            for (let channel = 0; channel < 3; channel++) {
                const row = height - 1 - y;
                const a = drawn[(row * width + x) * 4 + channel];
                const difference = Math.abs(a - expected[(y * width + x) * 4 + channel]);
                largest = Math.max(largest, difference);
                sum += difference;
            }
        }
    }
    return { width, height, levels: texture.mipmaps.length, error, largest, mean: sum / (width * height * 3) };
};

/** Directions of the texels of a cube's faces, from -1 to 1 to the right (s) and down (t). */
const FACES = [
    "vec3(1.0, -t, -s)", "vec3(-1.0, -t, s)", "vec3(s, 1.0, t)", "vec3(s, -1.0, -t)", "vec3(s, -t, 1.0)",
    "vec3(-s, -t, -1.0)",
];

/** Draws the texel (x, y) of an image at the pixel (x, y), counted from the bottom, without a conversion. */
function imageMaterial(texture, index) {
    const sample = texture.isCompressedArrayTexture
        ? `texture(map, vec3(0.5 * vec2(s, t) + 0.5, ${index}.0))`
        : `texture(map, ${FACES[index]})`;
    return new THREE.ShaderMaterial({
        glslVersion: THREE.GLSL3,
        uniforms: { map: { value: texture }, size: { value: texture.image.width ?? texture.image[0].width } },
        vertexShader: "void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }",
        fragmentShader: `
            precision highp sampler2DArray;
            uniform ${texture.isCompressedArrayTexture ? "sampler2DArray" : "samplerCube"} map;
            uniform float size;
            out vec4 color;
            void main() {
                float s = 2.0 * gl_FragCoord.x / size - 1.0;
                float t = 2.0 * gl_FragCoord.y / size - 1.0;
                color = ${sample};
            }`,
    });
}

/** Loads a cube or an array. KTX2Loader makes a 2D texture of an array of blocks, whose levels have all layers. */
async function loaded(name, renderer, count) {
    if (name.endsWith(".dds")) return new DDSLoader().loadAsync(name);
    const texture = await new KTX2Loader().detectSupport(renderer).loadAsync(name);
    if (texture.isCompressedCubeTexture) return texture;
    const { mipmaps, image, format, type } = texture;
    const array = new THREE.CompressedArrayTexture(mipmaps, image.width, image.height, count, format, type);
    array.needsUpdate = true;
    return array;
}

/**
 * Returns the kind of a cube or an array, its number of mip levels, and for each face or layer the largest difference
 * of its pixels from its PNG file, and the index of the file with the smallest difference.
 */
window.compareImages = async (name, count) => {
    const canvas = document.createElement("canvas");
    const renderer = new THREE.WebGLRenderer({ canvas, preserveDrawingBuffer: true });
    const texture = await loaded(name, renderer, count);
    texture.magFilter = THREE.NearestFilter;
    texture.minFilter = THREE.NearestFilter;
    // Numbers are not converted.
    texture.colorSpace = THREE.NoColorSpace;
    const side = texture.image.width ?? texture.image[0].width;
    renderer.setSize(side, side, false);
    const expected = await Promise.all(Array.from({ length: count }, (_, i) => pixelsOf(`${name}.${i}.png`)));
    const gl = renderer.getContext();
    const images = [];
    for (let index = 0; index < count; index++) {
        const scene = new THREE.Scene();
        const plane = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), imageMaterial(texture, index));
        plane.frustumCulled = false;
        scene.add(plane);
        renderer.render(scene, new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1));
        const drawn = new Uint8Array(side * side * 4);
        gl.readPixels(0, 0, side, side, gl.RGBA, gl.UNSIGNED_BYTE, drawn);
        const differences = expected.map((pixels) =>
            drawn.reduce((largest, value, i) => (i % 4 === 3 ? largest : Math.max(largest, Math.abs(value - pixels[i]))), 0),
        );
        const largest = differences[index];
        images.push({ largest, nearest: differences.indexOf(Math.min(...differences)) });
    }
    const kind = texture.isCompressedArrayTexture ? "array" : "cube";
    const levels = (kind === "array" ? texture.mipmaps : (texture.image[0].mipmaps ?? texture.mipmaps)).length;
    return { kind, levels, error: gl.getError(), images };
};
