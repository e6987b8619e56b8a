// Textures for three.js: on the device of its WebGPURenderer, or for WebGL 2.

export { BlockDataTexture, BlockTexture, type BlockTextureOptions, textureOf } from "./texture.js";
export { type GltfEncoding, type GltfOptions, gltfEncoding, gltfPlugin } from "./gltf.js";
export { type ContextRenderer, type DeviceRenderer, brickworkFor } from "./renderer.js";
export { WebGlBrickwork, type WebGlOptions } from "./webgl.js";
export type { TextureUse } from "./uses.js";
