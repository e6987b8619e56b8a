// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { Parts } from "../../data.js";

const data: Parts = {
    index_words: "fn without_bit(bits:u32,place:u32)->u32{return(bits&((1u<<place)-1u))|((bits>>(place+1u))<<place);}fn index_words(key:u32,found:vec2<u32>)->vec2<u32>{let anchor=(key>>16u)&15u;let is_late=anchor>7u;let place=3u*(anchor&7u)+2u;let low=without_bit(select(without_bit(found.x,place),found.x,is_late),2u);let high=select(found.y,without_bit(found.y,place),is_late);return vec2(low<<18u,(low>>14u)|(high<<select(8u,9u,is_late)));}\n",
    numbers: "fn keep(x:f32)->f32{return bitcast<f32>(bitcast<u32>(x)^params.zero);}fn reciprocal(x:f32)->f32{var y=bitcast<f32>(0x7ef127eau-bitcast<u32>(x));y=keep(y*keep(2.0-keep(x*y)));return keep(y*keep(2.0-keep(x*y)));}\n",
    power_scale: "fn power_scale(value:f32,bits:u32)->f32{return bitcast<f32>(((254u+bits)-(bitcast<u32>(value)>>23u))<<23u);}\n",
    put: "var<private>words:vec4<u32>;var<private>length:u32;fn put(value:u32,count:u32){let word=length>>5u;let shift=length&31u;let low=value<<shift;let high=select(0u,value>>((32u-shift)&31u),shift>0u);let places=vec4(0u,1u,2u,3u);words|=select(vec4(0u),vec4(low),places==vec4(word));words|=select(vec4(0u),vec4(high),places==vec4(word+1u));length+=count;}\n",
    visible: "fn visible_texels(block:u32)->u32{return visible_at(vec2(block%params.columns,block/params.columns));}\n",
    visible_at: "fn visible_at(block:vec2<u32>)->u32{let visible=params.size-4u*block;let of_row=(1u<<min(visible.x,4u))-1u;var mask=0u;for(var y=0u;y<min(visible.y,4u);y++){mask|=of_row<<(4u*y);}return mask;}\n",
};

export default data;
