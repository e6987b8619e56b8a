// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { Parts } from "../../data.js";

const data: Parts = {
    "bc5 constants 1": "const WORDS=4u;const LEVEL=1u;const IS_SIGNED=0u;const KEEPS_ENDS=0u;const STORED_OFFSET=i32(0);const CODES_PER_BYTE=1.0f;const BYTE_UNITS=1.0f;const CODE_UNITS=1.0f;const PLACES=7.0f;const TOP=255.0f;const CHANNEL_PARTS=64.0f;const CHANNEL_FIRST_SCALE=0.11290322244167328f;\n",
    "bc5 constants 2": "const WORDS=4u;const LEVEL=2u;const IS_SIGNED=0u;const KEEPS_ENDS=0u;const STORED_OFFSET=i32(0);const CODES_PER_BYTE=1.0f;const BYTE_UNITS=1.0f;const CODE_UNITS=1.0f;const PLACES=7.0f;const TOP=255.0f;const CHANNEL_PARTS=64.0f;const CHANNEL_FIRST_SCALE=0.11290322244167328f;\n",
    "bc5 constants 3": "const WORDS=4u;const LEVEL=3u;const IS_SIGNED=0u;const KEEPS_ENDS=0u;const STORED_OFFSET=i32(0);const CODES_PER_BYTE=1.0f;const BYTE_UNITS=1.0f;const CODE_UNITS=1.0f;const PLACES=7.0f;const TOP=255.0f;const CHANNEL_PARTS=64.0f;const CHANNEL_FIRST_SCALE=0.11290322244167328f;\n",
    "bc5 constants 4": "const WORDS=4u;const LEVEL=1u;const IS_SIGNED=1u;const KEEPS_ENDS=0u;const STORED_OFFSET=i32(127);const CODES_PER_BYTE=0.9960784316062927f;const BYTE_UNITS=254.0f;const CODE_UNITS=255.0f;const PLACES=0.027450980618596077f;const TOP=254.0f;const CHANNEL_PARTS=64.0f;const CHANNEL_FIRST_SCALE=0.11290322244167328f;\n",
    "bc5 constants 5": "const WORDS=4u;const LEVEL=2u;const IS_SIGNED=1u;const KEEPS_ENDS=0u;const STORED_OFFSET=i32(127);const CODES_PER_BYTE=0.9960784316062927f;const BYTE_UNITS=254.0f;const CODE_UNITS=255.0f;const PLACES=0.027450980618596077f;const TOP=254.0f;const CHANNEL_PARTS=64.0f;const CHANNEL_FIRST_SCALE=0.11290322244167328f;\n",
    "bc5 constants 6": "const WORDS=4u;const LEVEL=3u;const IS_SIGNED=1u;const KEEPS_ENDS=0u;const STORED_OFFSET=i32(127);const CODES_PER_BYTE=0.9960784316062927f;const BYTE_UNITS=254.0f;const CODE_UNITS=255.0f;const PLACES=0.027450980618596077f;const TOP=254.0f;const CHANNEL_PARTS=64.0f;const CHANNEL_FIRST_SCALE=0.11290322244167328f;\n",
};

export default data;
