// Files of the server: `brickwork serve FOLDER` lists them. Elsewhere the list, a file of the site, is empty.

import { element } from "./dom.js";

/** Types of images that browsers decode to texels. */
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"];

type Entry =
    | { readonly kind: "folder"; readonly name: string; readonly list: string }
    | { readonly kind: "file"; readonly name: string; readonly url: string; readonly type: string };

interface Listing {
    /** Address of the listing of the folder around this one. */
    readonly parent: string | null;
    readonly is_truncated: boolean;
    readonly entries: readonly Entry[];
}

/** Lists the images and folders of the server, if it has any. `open` receives the image that is chosen. */
export async function listServed(open: (name: string, address: string) => void): Promise<void> {
    await list("./api/files.json", open);
}

async function list(address: string, open: (name: string, address: string) => void): Promise<void> {
    let listing: Listing;
    try {
        const response = await fetch(address);
        if (!response.ok) return;
        listing = (await response.json()) as Listing;
    } catch {
        // A server without a list.
        return;
    }
    const { parent, entries } = listing;
    const items: HTMLElement[] = [];
    const add = (text: string, act: () => void) => {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
        button.addEventListener("click", act);
        const item = document.createElement("li");
        item.append(button);
        items.push(item);
    };
    if (parent !== null) add("../", () => void list(parent, open));
    for (const entry of entries) {
        if (entry.kind === "folder") add(`${entry.name}/`, () => void list(entry.list, open));
        else if (IMAGES.includes(entry.type)) add(entry.name, () => open(entry.name, entry.url));
    }
    if (listing.is_truncated) {
        items.push(
            Object.assign(document.createElement("li"), { textContent: "The folder has more files." }),
        );
    }
    element("served").hidden = items.length === 0;
    element("served-list").replaceChildren(...items);
}

/** Returns the file that the page's address names: `?file=/files/rock.png`. Only files of this server are
 * opened, so that a link cannot make the page show another site's image. */
export function requestedFile(): { readonly name: string; readonly address: string } | undefined {
    const file = new URLSearchParams(location.search).get("file");
    if (!file) return undefined;
    const { origin, pathname, search } = new URL(file, location.href);
    if (origin !== location.origin)
        throw new Error(`the page's address names ${file}, which is not on this server`);
    return { name: lastName(pathname), address: pathname + search };
}

/** Requests a file of the server. */
export async function fetchServed(name: string, address: string): Promise<Blob> {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${name} cannot be read: the server answers with ${response.status}`);
    return response.blob();
}

function lastName(path: string): string {
    const name = path.replace(/\/$/, "").split("/").at(-1) || "image";
    try {
        return decodeURIComponent(name);
    } catch {
        // Names of files need not be UTF-8.
        return name;
    }
}
