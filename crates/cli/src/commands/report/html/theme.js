"use strict";
// The button that switches between the light and the dark theme. The document receives the event `theme`.
(() => {
  const root = document.documentElement;
  const button = document.querySelector("#theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const change = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    root.dispatchEvent(new Event("theme"));
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    change();
  });
  system.addEventListener("change", change);
  change();
})();
