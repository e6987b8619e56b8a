// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { Parts } from "../../data.js";

const data: Parts = {
    "gpu/convert_wide": "fn wide_of_integer(value:u32,greatest:u32)->u32{if HALF==1u{return half_of_ratio(value,greatest);}return value*(65535u/greatest);}fn wide_of_single(bits:u32)->u32{if HALF==1u{return half_of_single(bits);}return of_single(bits,65535.0);}fn half_of_ratio(value:u32,greatest:u32)->u32{var shift=10u;while shift<24u&&(value<<shift)<(greatest<<10u){shift++;}let quotient=((value<<shift)+greatest/2u)/greatest;return((24u-shift)<<10u)+quotient;}fn half_of_single(bits:u32)->u32{let sign=(bits>>16u)&0x8000u;let magnitude=bits&0x7fffffffu;if magnitude>0x7f800000u{return sign|0x7e00u|((magnitude>>13u)&0x3ffu);}if magnitude>=0x47800000u{return sign|0x7c00u;}if magnitude>=0x38800000u{let value=magnitude-0x38000000u;return sign|((value+0xfffu+((value>>13u)&1u))>>13u);}let exponent=magnitude>>23u;if exponent<102u{return sign;}let shift=126u-exponent;let fraction=(magnitude&0x7fffffu)|0x800000u;let quotient=fraction>>shift;let rest=fraction&((1u<<shift)-1u);let half=1u<<(shift-1u);let is_up=rest>half||(rest==half&&(quotient&1u)==1u);return sign|(quotient+select(0u,1u,is_up));}\n",
    "gpu/put_wide": "fn texel_of(bits:vec4<u32>)->vec4<u32>{let xy=vec2(wide_of_single(bits.x),wide_of_single(bits.y));return vec4(xy,wide_of_single(bits.z),wide_of_single(bits.w));}fn put(at:u32,texel:vec4<u32>){texels[2u*at]=texel.x|(texel.y<<16u);texels[2u*at+1u]=texel.z|(texel.w<<16u);}\n",
    "load-halves constants 1": "const HALF=1u;\n",
};

export default data;
