// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { Parts } from "../../data.js";

const data: Parts = {
    "filters-halves constants 1": "const HALF=1u;\n",
    "filters-halves constants 2": "const VISIBLE=964689920u;const HALF=1u;\n",
    "gpu/filter/read_wide": "fn of_halves(bits:vec4<u32>)->vec4<u32>{let magnitude=bits&vec4(0x7fffu);let normal=(min(magnitude,vec4(0x7bffu))<<vec4(13u))+vec4(112u<<23u);let small=select(of_integers(magnitude)-vec4(24u<<23u),vec4(0u),magnitude==vec4(0u));let single=select(normal,small,magnitude<vec4(0x400u))|((bits&vec4(0x8000u))<<vec4(16u));return select(single,vec4(0u),magnitude>vec4(0x7c00u));}fn lights_at(position:vec2<u32>,is_weighted:bool)->vec4<u32>{let texel=texel_at(position);var lights:vec4<u32>;if HALF==1u{lights=of_halves(texel);}else{lights=of_integers(texel);}if is_weighted{lights=vec4(product_of(lights,lights.wwww).xyz,lights.w);}return lights;}\n",
    "gpu/filter/write_wide": "fn half_of(light:u32)->u32{return half_of_single(min(light& ~SIGN,0x477fe000u)|(light&SIGN));}fn store(at:u32,lights:vec4<u32>){if HALF==1u{put(at,vec4(half_of(lights.x),half_of(lights.y),half_of(lights.z),half_of(lights.w)));}else{put(at,integers_of(lights,vec4(65535u)));}}\n",
};

export default data;
