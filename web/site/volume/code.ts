// The page's choices as code.

import type { LookOptions } from "@brickwork/web/volume";

/** Returns the code that draws a picture with a look. */
export function codeOf(name: string, level: number, look: LookOptions): string {
    const options = level > 0 ? `, { level: ${level} }` : "";
    return [
        `import { VolumeView } from "@brickwork/web/volume";`,
        "",
        `const view = await VolumeView.open(undefined, canvas, "${name}"${options});`,
        `await view.setLook(${JSON.stringify(look).replaceAll('":', '": ').replaceAll(',"', ', "')});`,
        "await view.draw();",
        "",
    ].join("\n");
}
