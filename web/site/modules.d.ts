/// <reference types="vite/client" />

declare module "virtual:model" {
    const address: string;
    export default address;
}
