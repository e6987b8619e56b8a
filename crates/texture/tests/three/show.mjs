// Opens show.html in headless Chromium for each DDS or KTX2 file of the command line, and fails if a pixel differs
// from `brickwork decode` by more than rounding. A 2D texture NAME is compared with NAME.png, a cube with NAME.0.png
// to NAME.5.png, an array with one file per layer. Run by .ci/three, in a folder with all files.

import { existsSync } from "node:fs";
import { openPage } from "./browser.mjs";

const LARGEST = 1;

const { page, close } = await openPage();
let failed = 0;
try {
    for (const name of process.argv.slice(2)) {
        let [found, isRight] = [null, false];
        if (existsSync(`${name}.png`)) {
            found = await page.evaluate((name) => window.compare(name), name);
            isRight = found.error === 0 && found.levels > 1 && found.largest <= LARGEST;
        } else {
            let count = 0;
            while (existsSync(`${name}.${count}.png`)) count++;
            found = await page.evaluate(([name, count]) => window.compareImages(name, count), [name, count]);
            const isEqual = found.images.every(({ largest, nearest }, index) => largest <= LARGEST && nearest === index);
            isRight = found.error === 0 && count > 1 && found.images.length === count && isEqual;
        }
        console.log(name, JSON.stringify(found), isRight ? "" : "WRONG");
        failed += isRight ? 0 : 1;
    }
} finally {
    await close();
}
process.exitCode = failed === 0 ? 0 : 1;
