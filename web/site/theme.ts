// The button that switches between light and dark colours. The document receives the event `theme`.

const root = document.documentElement;
const button = document.querySelector<HTMLButtonElement>("#theme");
const system = matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
    return (root.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
}

function show(): void {
    if (button) button.textContent = isDark() ? "Light" : "Dark";
    root.dispatchEvent(new Event("theme"));
}

button?.addEventListener("click", () => {
    root.dataset["theme"] = isDark() ? "light" : "dark";
    show();
});
system.addEventListener("change", show);
show();

export {};
