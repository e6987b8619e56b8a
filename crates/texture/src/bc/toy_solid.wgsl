fn encode(block: u32, place: u32) {
    var sum = vec4(0u);
    for (var t = 0u; t < 16u; t++) {
        sum += unpack4xU8(texels[16u * block + t]);
    }
    blocks[2u * place] = pack4xU8(sum / vec4(16u));
    blocks[2u * place + 1u] = texels[16u * block + 15u];
}
