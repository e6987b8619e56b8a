// Draws a DDS file with three.js, one texel per pixel, and compares the pixels with those of a PNG file.

import * as THREE from "three";
import { DDSLoader } from "addons/loaders/DDSLoader.js";

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
