// Some pages of the volume are in buffers of several; rays that need others wait for a dispatch that has
// them.
// needs: picture.wgsl, rays.wgsl

fn bind_page(number: u32) -> bool {
    let bit = 1u << (number & 31u);
    atomicOr(&picture[view.paging.asked + (number >> 5u)], bit);
    let slot = atomicLoad(&picture[view.paging.slots + number]);
    if slot == 0u {
        atomicOr(&picture[view.paging.missing + (number >> 5u)], bit);
        return false;
    }
    page = (slot - 1u) / view.paging.buffer_pages;
    page_start = (slot - 1u) % view.paging.buffer_pages * view.paging.page_words;
    return true;
}

fn take_kept(pixel: u32) {
    if view.paging.is_first != 0u {
        return;
    }
    let at = view.paging.rays + 8u * pixel;
    kept.sample = atomicLoad(&picture[at]);
    kept.phase = atomicLoad(&picture[at + 1u]);
    kept.numbers.x = atomicLoad(&picture[at + 2u]);
    kept.numbers.y = atomicLoad(&picture[at + 3u]);
    kept.numbers.z = atomicLoad(&picture[at + 4u]);
    kept.numbers.w = atomicLoad(&picture[at + 5u]);
}

fn keep(pixel: u32) {
    let at = view.paging.rays + 8u * pixel;
    atomicStore(&picture[at], kept.sample);
    atomicStore(&picture[at + 1u], kept.phase);
    atomicStore(&picture[at + 2u], kept.numbers.x);
    atomicStore(&picture[at + 3u], kept.numbers.y);
    atomicStore(&picture[at + 4u], kept.numbers.z);
    atomicStore(&picture[at + 5u], kept.numbers.w);
    if kept.sample != NONE {
        atomicAdd(&picture[view.paging.waiting], 1u);
    }
}
