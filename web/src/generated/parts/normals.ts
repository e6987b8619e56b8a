// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { Parts } from "../../data.js";

const data: Parts = {
    "gpu/normals/blue": "@group(0)@binding(2)var<storage,read_write>differs:array<atomic<u32>>;fn change(place:u32){if((texels[place]^texels[0])&0xff0000u)!=0u{atomicStore(&differs[0],1u);}}\n",
    "gpu/normals/normals": "struct Normals{size:vec2<u32>,pitch:u32,}@group(0)@binding(0)var<uniform>params:Normals;@group(0)@binding(1)var<storage,read_write>texels:array<u32>;@compute@workgroup_size(64)fn main(@builtin(workgroup_id)group:vec3<u32>,@builtin(num_workgroups)groups:vec3<u32>,@builtin(local_invocation_index)thread:u32,){let at=(group.y*groups.x+group.x)*64u+thread;if at>=params.size.x*params.size.y{return;}change((at/params.size.x)*params.pitch+at%params.size.x);}\n",
    "gpu/normals/unit_length": "fn change(place:u32){let texel=texels[place];let rgb=vec3(texel&255u,(texel>>8u)&255u,(texel>>16u)&255u);let doubled=2i*vec3<i32>(rgb)-vec3(255i);let magnitude=vec3<u32>(abs(doubled));let squares=magnitude*magnitude;let square=squares.x+squares.y+squares.z;let most=(65025u*squares)>>vec3(2u);var n=vec3<u32>(vec3<f32>(magnitude)*(127.5*inverseSqrt(f32(square))));let is_above=(n*n*square)>most;n-=vec3<u32>(is_above);let next=n+vec3(1u);let is_below=(next*next*square)<=most;n+=vec3<u32>(is_below);let unit=select(vec3(127u)-n,vec3(128u)+n,doubled>vec3(0i));let found=select(unit,vec3(128u,128u,255u),square<=27u);texels[place]=found.x|(found.y<<8u)|(found.z<<16u)|(texel&0xff000000u);}\n",
    "gpu/normals/z": "@group(0)@binding(2)var<storage,read>differs:array<u32>;fn change(place:u32){if differs[0]!=0u{return;}let texel=texels[place];let doubled=2i*vec2(i32(texel&255u),i32((texel>>8u)&255u))-vec2(255i);let square=max(65025i-doubled.x*doubled.x-doubled.y*doubled.y,0i);let most=u32(square)>>2u;var n=u32(sqrt(f32(most)));n-=u32(n*n>most);n+=u32((n+1u)*(n+1u)<=most);texels[place]=(texel&0xff00ffffu)|((128u+n)<<16u);}\n",
};

export default data;
