// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { Parts } from "../../data.js";

const data: Parts = {
    "bc2/alpha": "struct Params{columns:u32,first_block:u32,end_block:u32,first:u32,pitch:u32,}@group(0)@binding(0)var<uniform>params:Params;@group(0)@binding(1)var<storage,read>texels:array<u32>;@group(0)@binding(2)var<storage,read_write>blocks:array<u32>;fn eight_texels(first:u32)->u32{var nearest=0u;for(var t=0u;t<8u;t++){nearest|=(((texels[first+t]>>24u)+8u)/17u)<<(4u*t);}return nearest;}@compute@workgroup_size(64)fn main(@builtin(workgroup_id)group:vec3<u32>,@builtin(num_workgroups)groups:vec3<u32>,@builtin(local_invocation_index)thread:u32,){let block=params.first_block+(group.y*groups.x+group.x)*64u+thread;if block>=params.end_block{return;}let place=params.first+(block/params.columns)*params.pitch+block%params.columns;blocks[4u*place]=eight_texels(16u*block);blocks[4u*place+1u]=eight_texels(16u*block+8u);}\n",
};

export default data;
