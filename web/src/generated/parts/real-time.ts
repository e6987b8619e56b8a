// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { Parts } from "../../data.js";

const data: Parts = {
    "real_time/main": "@group(0)@binding(0)var<uniform>params:Params;@group(0)@binding(1)var<storage,read>texels:array<u32>;@group(0)@binding(2)var<storage,read_write>blocks:array<u32>;@compute@workgroup_size(64)fn main(@builtin(workgroup_id)group:vec3<u32>,@builtin(num_workgroups)groups:vec3<u32>,@builtin(local_invocation_index)thread:u32,){let block=params.first_block+(group.y*groups.x+group.x)*64u+thread;if block>=params.end_block{return;}own=thread;for(var t=0u;t<16u;t++){keep_texel(t,texels[16u*block+t]);}let words=encode_block(visible_texels(block));let to=WORDS*(params.first+(block/params.columns)*params.pitch+block%params.columns);blocks[to]=words.x;blocks[to+1u]=words.y;if WORDS==4u{blocks[to+2u]=words.z;blocks[to+3u]=words.w;}}\n",
    "real_time/params": "struct Params{size:vec2<u32>,columns:u32,first_block:u32,end_block:u32,first:u32,pitch:u32,zero:u32,}\n",
    "real_time/texels": "var<workgroup>block_texels:array<u32,1024>;var<private>own:u32;fn keep_texel(t:u32,texel:u32){block_texels[64u*t+own]=texel;}fn block_texel(t:u32)->u32{return block_texels[64u*t+own];}fn bytes(word:u32)->vec4<f32>{return vec4<f32>((vec4(word)>>vec4(0u,8u,16u,24u))&vec4(255u));}\n",
};

export default data;
