fn encode(block: u32, place: u32) {
    for (var word = 0u; word < 2u; word++) {
        blocks[4u * place + word] = texels[32u * block + word];
        blocks[4u * place + 2u + word] = texels[32u * block + 30u + word];
    }
}
