// The model of the example: a torus with the leather textures of the test data, as a GLB file.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const IMAGES = fileURLToPath(new URL("../../test-data/textures/", import.meta.url));

/** Returns positions, normals, texture coordinates and indices of a torus. */
export function torus(around = 96, across = 32, radius = 1, tube = 0.42) {
    const [positions, normals, uvs, indices] = [[], [], [], []];
    for (let i = 0; i <= around; i++) {
        const a = (2 * Math.PI * i) / around;
        for (let j = 0; j <= across; j++) {
            const b = (2 * Math.PI * j) / across;
            const normal = [Math.cos(a) * Math.cos(b), Math.sin(b), Math.sin(a) * Math.cos(b)];
            const center = [radius * Math.cos(a), 0, radius * Math.sin(a)];
            positions.push(...center.map((value, axis) => value + tube * normal[axis]));
            normals.push(...normal);
            uvs.push((4 * i) / around, 1 - (2 * j) / across);
            if (i === around || j === across) continue;
            const corner = i * (across + 1) + j;
            indices.push(corner, corner + 1, corner + across + 1);
            indices.push(corner + 1, corner + across + 2, corner + across + 1);
        }
    }
    return { positions, normals, uvs, indices };
}

/** Returns the GLB file of a torus. `color` and `normal`, which may be missing, are PNG files. */
export function glb({ color, normal }, mesh = torus()) {
    const parts = [
        new Uint8Array(new Float32Array(mesh.positions).buffer),
        new Uint8Array(new Float32Array(mesh.normals).buffer),
        new Uint8Array(new Float32Array(mesh.uvs).buffer),
        new Uint8Array(new Uint16Array(mesh.indices).buffer),
        color,
        ...(normal ? [normal] : []),
    ];
    let length = 0;
    const bufferViews = parts.map((part) => {
        const view = { buffer: 0, byteOffset: length, byteLength: part.length };
        length += Math.ceil(part.length / 4) * 4;
        return view;
    });
    const count = mesh.positions.length / 3;
    const extent = (choose) =>
        [0, 1, 2].map((axis) => choose(mesh.positions.filter((_, i) => i % 3 === axis)));
    const accessor = (bufferView, type, more = {}) => ({
        bufferView,
        type,
        componentType: 5126,
        count,
        ...more,
    });
    const least = (values) => values.reduce((a, b) => Math.min(a, b));
    const most = (values) => values.reduce((a, b) => Math.max(a, b));
    const json = {
        asset: { version: "2.0", generator: "Brickwork" },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0, name: "torus" }],
        meshes: [
            {
                primitives: [
                    { attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2 }, indices: 3, material: 0 },
                ],
            },
        ],
        materials: [
            {
                name: "leather",
                pbrMetallicRoughness: {
                    baseColorTexture: { index: 0 },
                    metallicFactor: 0,
                    roughnessFactor: 0.55,
                },
                ...(normal ? { normalTexture: { index: 1 } } : {}),
            },
        ],
        textures: [{ source: 0, sampler: 0 }, ...(normal ? [{ source: 1, sampler: 0 }] : [])],
        samplers: [{ magFilter: 9729, minFilter: 9987, wrapS: 10497, wrapT: 10497 }],
        images: [
            { bufferView: 4, mimeType: "image/png", name: "base color" },
            ...(normal ? [{ bufferView: 5, mimeType: "image/png", name: "normal map" }] : []),
        ],
        accessors: [
            accessor(0, "VEC3", { min: extent(least), max: extent(most) }),
            accessor(1, "VEC3"),
            accessor(2, "VEC2"),
            { bufferView: 3, type: "SCALAR", componentType: 5123, count: mesh.indices.length },
        ],
        bufferViews,
        buffers: [{ byteLength: length }],
    };
    return glbOf(json, parts, length);
}

/** Returns a GLB file: glTF 2.0, section 4.4. */
function glbOf(json, parts, length) {
    let text = JSON.stringify(json);
    text = text.padEnd(Math.ceil(Buffer.byteLength(text) / 4) * 4 - (Buffer.byteLength(text) - text.length));
    const jsonBytes = Buffer.from(text);
    const file = Buffer.alloc(12 + 8 + jsonBytes.length + 8 + length);
    [0x46546c67, 2, file.length, jsonBytes.length, 0x4e4f534a].forEach((word, i) =>
        file.writeUInt32LE(word, 4 * i),
    );
    jsonBytes.copy(file, 20);
    let at = 20 + jsonBytes.length;
    file.writeUInt32LE(length, at);
    file.writeUInt32LE(0x004e4942, at + 4);
    at += 8;
    for (const part of parts) {
        file.set(part, at);
        at += Math.ceil(part.length / 4) * 4;
    }
    return file;
}

/** Returns the example's model. */
export async function exampleModel() {
    const [color, normal] = await Promise.all([
        readFile(`${IMAGES}leather-base-color.png`),
        readFile(`${IMAGES}leather-normal.png`),
    ]);
    return glb({ color, normal });
}
