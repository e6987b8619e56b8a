// Textures for three.js's WebGPURenderer, on its device.

export { BlockTexture, type BlockTextureOptions } from "./texture.js";
export { type GltfEncoding, type GltfOptions, gltfEncoding, gltfPlugin } from "./gltf.js";
export { type DeviceRenderer, brickworkFor } from "./renderer.js";
export type { TextureUse } from "./uses.js";
