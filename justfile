# The contributor's manual: `just` lists its recipes.

# The recipes are Bash; on Windows that of Git.
set windows-shell := ["C:/Program Files/Git/bin/bash.exe", "-cu"]

default:
    @just --list

# All tests, as in the README
test:
    cargo test

# Everything CI runs
ci:
    .ci/run

# Before a release, after `just ci`: what takes long and rarely fails (needs Debian, as CI does)
all:
    BRICKWORK_LARGE=1 BRICKWORK_REQUIRE_GPU=1 cargo test
    .ci/neon
    .ci/gpus
    .ci/kernels
    .ci/packages
    LARGE=1 .ci/web

# The Python package: its wheel, tests and types, on Python 3.11 and 3.13
python:
    .ci/python

# The C library: examples and calls of every function, in C and C++
c:
    .ci/c

fmt:
    cargo fmt --all

lint:
    cargo fmt --all --check
    .ci/lines
    .ci/words
    .ci/circles
    .ci/unsafe
    .ci/calls
    cargo clippy --all-targets --features brickwork/serve -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --all-features

# Licences and advisories of every dependency (not in CI: cargo-deny takes long to build)
deny:
    cargo deny check

# SIMD code under Miri, which sees every read outside its slice (not in CI: it needs a nightly compiler with
# miri and rust-src; Miri knows most of AVX2, some of NEON, and neither gathers nor permutations of AVX-512)
miri:
    RUSTFLAGS="-Ctarget-feature=+avx2,+fma,+bmi1,+bmi2,+lzcnt,+popcnt" \
        cargo +nightly miri test --target-dir target/miri --no-default-features --lib \
        -p brickwork-texture -p brickwork-volume simd
    cargo +nightly miri test --target-dir target/miri --no-default-features --lib \
        -p brickwork-texture --target aarch64-unknown-linux-gnu -- gathers fours

# Regenerate docs/quality.md and test-data/*-golden.txt after a change to the encoders; review the diff
update:
    UPDATE=1 cargo test -p brickwork-texture --test all -- quality twins rdo::blocks_are_the_golden_ones

# Compare with other encoders on one pinned thread, into docs/measured/bc1.md (needs a C++ compiler)
peers:
    cargo run --release -p brickwork-bench -- peers --write

# What rate–distortion optimisation saves and loses, and its curves beside those of bc7enc_rdo (that page
# states how to build it), into docs/measured/rdo.md (needs a C++ compiler)
rdo:
    cargo run --release -p brickwork-bench -- rdo --repeat 1 --write

# Compare decoders on one pinned thread, into docs/measured/decoders.md (needs a C++ compiler)
decoders:
    cargo run --release -p brickwork-bench -- decode --write

# Compare encoders on images that are not photographs, into docs/measured/bc1.md and bc7.md (needs a C++
# compiler)
classes:
    cargo run --release -p brickwork-bench -- classes bc1 --write
    cargo run --release -p brickwork-bench -- classes bc7 --write

# Compare encoders of formats for phones, into docs/measured/astc.md and etc2.md (needs a C++ compiler)
mobile-peers $CXXFLAGS="-DNDEBUG":
    cargo run --release -p brickwork-bench -- format-peers astc --repeat 3 --write
    cargo run --release -p brickwork-bench -- format-peers etc2 --repeat 3 --write
    cargo run --release -p brickwork-bench -- format-peers eac-r11 --repeat 3 --write
    cargo run --release -p brickwork-bench -- format-peers eac-rg11 test-data/textures --repeat 3 --write
    cargo run --release -p brickwork-bench -- classes astc --write
    cargo run --release -p brickwork-bench -- classes etc2 --write
    cargo run --release -p brickwork-bench -- classes etc2-a8 --write
    cargo run --release -p brickwork-bench -- classes eac-r11 --write

# How far BC1 is from the best possible blocks, into docs/measured/bc1.md (needs a C++ compiler)
ceiling:
    cargo run --release -p brickwork-bench -- ceiling --write

# How far BC7 best is from a lower bound of its error, into docs/measured/bc7.md (needs a C++ compiler)
bc7-bound:
    cargo run --release -p brickwork-bench -- bc7-bound --write

# Compare with block_compression on a GPU, into docs/measured/textures-gpu.md (needs a C++ compiler)
gpu-peers:
    cargo run --release -p brickwork-bench -- gpu-peers --write

# Compare volumes with other codecs on one pinned thread, into docs/measured/volumes.md (needs a C++ compiler,
# and Python's blosc2 and imagecodecs for some peers). FOLDER has NAME.raw.zst beside NAME.json
volume-peers FOLDER="test-data/volumes":
    cargo run --release -p brickwork-bench -- volume-peers {{FOLDER}} --write

# A wheel for Linux with glibc 2.28 or later, in target/wheels (needs Python's maturin and ziglang)
wheel:
    cd bindings/python && maturin build --release --zig --compatibility manylinux_2_28

# Compare the Zarr codec with others, into docs/measured/zarr.md, in the active Python environment (that page
# lists the packages, among them a release build of the wheel)
zarr-peers FOLDER="test-data/volumes":
    python bindings/python/bench {{FOLDER}} --write

# Kill workers of a Dask cluster 30 times, in the active Python environment
dask-kills:
    python bindings/python/bench/dask_kills.py

# Damaged and forged Zarr chunks until something breaks (needs a nightly compiler and cargo-fuzz)
fuzz-chunks *ARGS:
    cd crates/volume && cargo +nightly fuzz run zarr_chunks -- -max_len=64 {{ARGS}}

# Forged `.bwv` files until something breaks (needs a nightly compiler and cargo-fuzz)
fuzz *ARGS:
    cd crates/volume && cargo +nightly fuzz run forged -- -max_len=64 {{ARGS}}

# Bricks that no encoder writes, decoded by the CPU and by a GPU, until something breaks; drivers leak
fuzz-gpu *ARGS:
    cd crates/volume && ASAN_OPTIONS=detect_leaks=0 \
        cargo +nightly fuzz run damaged -- -len_control=0 -max_len=512 {{ARGS}}

# Criterion benchmarks of the library (needs a C++ compiler)
bench:
    cargo bench -p brickwork-bench

# The encoders on AArch64's NEON, under qemu-user
neon:
    .ci/neon

# GPU tests on SwiftShader, and on lavapipe with subgroups of 16 threads (`just gpus 128`: also of 4)
gpus *ARGS:
    .ci/gpus {{ARGS}}

# BC6H in headless Chromium, by three.js
three:
    cargo build
    .ci/three

# Measure the web package against its goals, into docs/measured/web.md (needs Linux, Chromium and npm)
web-goals:
    cargo build --release
    cd web && npm ci && npm run build && npm run bench -- --write

# The web package: types, kernels, and the blocks of every format in headless Chromium
web:
    cargo build --features brickwork/serve
    .ci/web

# All that only a real GPU can tell, into docs/measured/*-gpu.md and docs/direct.md (needs a C++ compiler)
gpu-day:
    cargo build --release -p brickwork
    cargo run --release -p brickwork-bench -- gpu-day --write

# What AMD's compiler makes of the kernels, compared with bench/kernels-navi31.txt (needs a C++ compiler)
kernels *ARGS:
    .ci/kernels {{ARGS}}

# Type-check the code for macOS and browsers
targets:
    .ci/targets

# Pack every crate that is published, and check that for Windows with the oldest compiler that they promise
packages:
    .ci/packages --allow-dirty

# Change the code that differs from BASE, one place at a time: the tests must fail (needs cargo-mutants)
mutants BASE="origin/main":
    git diff {{BASE}} > target/mutants.diff
    cargo mutants --in-diff target/mutants.diff

# What is written directly into textures, under Vulkan's validation layer.
validation:
    .ci/validation

# Generate the README's pictures with the program
pictures:
    cargo run --release -- encode test-data/kodak/kodim23.png -o target/ --force
    cargo run --release -- decode target/kodim23.dds -o docs/images/kodim23-bc1.png --force
    cargo run --release -- compare test-data/kodak/kodim23.png target/kodim23.dds \
        --diff docs/images/kodim23-difference.png --scale 8 --force

# The archives of a release, for this machine or the targets given (the first lines of .ci/dist say more)
dist *ARGS:
    .ci/dist {{ARGS}}
