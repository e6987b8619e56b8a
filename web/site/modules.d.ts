/// <reference types="vite/client" />

declare module "*.bwv?url&no-inline" {
    const address: string;
    export default address;
}

declare module "virtual:model" {
    const address: string;
    export default address;
}
