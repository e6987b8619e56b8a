// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { Parts } from "../../data.js";

const data: Parts = {
    "gpu/convert": "fn of_float(value:f32,greatest:f32)->u32{return u32(round(clamp(value*greatest,0.0,greatest)));}fn of_single(bits:u32,greatest:f32)->u32{return select(of_float(bitcast<f32>(bits),greatest),0u,(bits&0x7fffffffu)>0x7f800000u);}fn of_half(bits:u32,greatest:f32)->u32{return select(of_float(unpack2x16float(bits).x,greatest),0u,(bits&0x7fffu)>0x7c00u);}\n",
    "gpu/load_texture": "struct TextureSource{origin:vec2<u32>,size:vec2<u32>,columns:u32,blocks:u32,}@group(0)@binding(0)var<uniform>params:TextureSource;@group(0)@binding(1)var source:texture_2d<f32>;@group(0)@binding(2)var<storage,read_write>texels:array<u32>;@compute@workgroup_size(64)fn main(@builtin(workgroup_id)group:vec3<u32>,@builtin(num_workgroups)groups:vec3<u32>,@builtin(local_invocation_index)thread:u32,){let at=(group.y*groups.x+group.x)*64u+thread;let block=at>>4u;if block>=params.blocks{return;}let corner=4u*vec2(block%params.columns,block/params.columns);let position=min(corner+vec2(at&3u,(at>>2u)&3u),params.size-vec2(1u));put(at,texel_of(bitcast<vec4<u32>>(textureLoad(source,params.origin+position,0))));}\n",
    "gpu/put_rgba8": "fn put(at:u32,texel:u32){texels[at]=texel;}\n",
    "gpu/texel_rgba8": "fn texel_of(bits:vec4<u32>)->u32{return of_single(bits.x,255.0)|(of_single(bits.y,255.0)<<8u)|(of_single(bits.z,255.0)<<16u)|(of_single(bits.w,255.0)<<24u);}\n",
};

export default data;
