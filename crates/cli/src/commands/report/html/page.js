"use strict";
// The viewers of a report, one for each comparison: slider, zoom, heat map, mip strip. Pictures are those of the
// img elements. An `error` picture has the largest difference of each texel as a grey value, and is coloured here.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const one = (selector, parent = document) => parent.querySelector(selector);
  const all = (selector, parent = document) => [...parent.querySelectorAll(selector)];
  const heatColors = document.body.dataset.heat.match(/.{6}/g).map((color) =>
    [0, 2, 4].map((at) => parseInt(color.slice(at, at + 2), 16)));
  const heatEnds = document.body.dataset.heatEnds.split(",").map(Number);

  const canvasOf = (width, height) => Object.assign(document.createElement("canvas"), { width, height });

  async function dataOf(image) {
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = canvasOf(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height);
  }

  /** Returns the RGBA pixels of a picture, whose alpha may be a separate grey image; null without a picture. */
  async function pixelsOf(parent, name) {
    const colors = one(`img.${name}`, parent);
    if (!colors) return null;
    const pixels = await dataOf(colors);
    const alpha = one(`img.${name}-alpha`, parent);
    if (alpha) {
      const { data } = await dataOf(alpha);
      for (let i = 0; i < data.length; i += 4) pixels.data[i + 3] = data[i];
    }
    const light = one(`img.${name}-light`, parent);
    if (light) {
      const [{ data: bytes }, { data: exponents }] = await Promise.all([dataOf(light), dataOf(one(`img.${name}-exponent`, parent))]);
      pixels.light = Float32Array.from(bytes, (byte, i) => (byte === 0 ? 0 : (byte + 0.5) * 2 ** (exponents[i - (i % 4)] - 136)));
    }
    return pixels;
  }

  const curves = {
    clamp: (x) => x,
    reinhard: (x) => x / (1 + x),
    "aces-like": (x) => (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14),
  };

  /** Returns the pixels of light after an exposure in stops and a curve, as sRGB. Alpha stays. */
  function exposed({ width, height, data, light }, stops, curve) {
    const scale = 2 ** stops;
    const srgb = (value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
    const shown = data.map((value, i) => (i % 4 === 3 ? value : Math.round(255 * srgb(Math.min(1, curve(scale * light[i]))))));
    return { width, height, data: shown };
  }

  /** Returns z of the normal whose x and y are these bytes: 0 is −1, and 255 is 1. */
  const zOf = (x, y) => Math.sqrt(Math.max(0, 1 - (x / 127.5 - 1) ** 2 - (y / 127.5 - 1) ** 2));

  /** Draws the first channels as grey tiles, one below the other. */
  function tiled(pixels, count) {
    const { width, height } = pixels;
    const made = canvasOf(width, count * height);
    const context = made.getContext("2d");
    for (let c = 0; c < count; c++) context.drawImage(drawn(pixels, String(c)), 0, c * height);
    return made;
  }

  /** Returns a canvas with the pixels as a choice of channels shows them. `angle` is the light's, in degrees. */
  function drawn(pixels, channel, angle) {
    const { width, height, data } = pixels;
    const result = new ImageData(width, height);
    const to = result.data;
    // The light is 45° above the surface.
    const light = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180), 1].map((part) => part * Math.SQRT1_2);
    if (channel === "all" || channel === "colors") {
      to.set(data);
      if (channel === "colors") for (let i = 3; i < to.length; i += 4) to[i] = 255;
    } else if (channel === "z" || channel === "lit") {
      for (let i = 0; i < to.length; i += 4) {
        const [x, y] = [data[i], data[i + 1]];
        const z = zOf(x, y);
        const shade = 255 * Math.max(0, light[0] * (x / 127.5 - 1) + light[1] * (y / 127.5 - 1) + light[2] * z);
        [to[i], to[i + 1], to[i + 2], to[i + 3]] = channel === "z" ? [x, y, Math.floor((z + 1) * 127.5 + 0.5), 255] : [shade, shade, shade, 255];
      }
    } else {
      const from = Number(channel);
      for (let i = 0; i < to.length; i += 4) {
        to[i] = to[i + 1] = to[i + 2] = data[i + from];
        to[i + 3] = 255;
      }
    }
    const made = canvasOf(width, height);
    made.getContext("2d").putImageData(result, 0, 0);
    return made;
  }

  /** Returns a canvas with the errors in colours, of which the brightest is that of `end`. */
  function heated({ width, height, data }, end) {
    const result = new ImageData(width, height);
    const to = result.data;
    for (let i = 0; i < to.length; i += 4) {
      const color = heatColors[Math.min(255, Math.round((data[i] * 255) / end))];
      [to[i], to[i + 1], to[i + 2], to[i + 3]] = [...color, 255];
    }
    const made = canvasOf(width, height);
    made.getContext("2d").putImageData(result, 0, 0);
    return made;
  }

  const checks = (() => {
    const size = 16;
    const tile = canvasOf(size, size);
    const context = tile.getContext("2d");
    return () => {
      const style = getComputedStyle(root);
      context.fillStyle = style.getPropertyValue("--check-a");
      context.fillRect(0, 0, size, size);
      context.fillStyle = style.getPropertyValue("--check-b");
      context.fillRect(0, 0, size / 2, size / 2);
      context.fillRect(size / 2, size / 2, size / 2, size / 2);
      return tile;
    };
  })();

  const isAmongOthers = all(".comparison").length > 1;

  const percent = (value) => `${value < 0.1 ? (value * 100).toFixed(1) : Math.round(value * 100)} %`;

  /** Makes the viewer of a comparison. Its pictures are loaded by `wake` and released by `sleep`. */
  function viewerOf(comparison) {
    const viewer = one(".viewer", comparison);
    const [stage, readout, slider] = [".stage", ".readout", ".split input"].map((name) => one(name, viewer));
    const canvas = one("canvas", stage);
    const context = canvas.getContext("2d");
    const tabs = all(".tab", comparison);
    const originals = all(".originals", comparison);
    const textures = all("section.texture", comparison);
    const LARGEST_ZOOM = 64;

    let [texture, view] = [0, 0];
    let split = 0.5;
    let splitBefore = null; // The slider's position while only the original is shown.
    let isHot = false;
    let end = Number(comparison.dataset.heatEnd);
    // The choice of channels; null for that of the texture's kind.
    let chosen = null;
    const defaults = { normals: "z", data: "tiles" };
    const channels = () => chosen ?? defaults[textures[texture].dataset.kind] ?? "all";
    /** Returns the channels that are drawn: heat maps are no tiles, and modes and endpoints are no normals. */
    function drawnChannels() {
      const isHeat = isHot && shown.error !== null;
      const isOther = shown.button.dataset.shows !== "texels" && ["tiles", "z", "lit"].includes(channels());
      return isOther || (isHeat && channels() === "tiles") ? "all" : channels();
    }
    const light = one(".light", viewer);
    const exposure = one(".exposure", viewer);
    // Pixels per texel of mip level 0, and the position of the picture; null fits the picture into the stage.
    let zoom = null;
    let [left, top_] = [0, 0];
    let shown = null; // { button, original, texture, error }: pixels and a canvas of each.
    let shownSize = null;
    let loads = 0;
    let isAwake = false;

    // Pictures

    const views = () => all(".view", textures[texture]);
    const tileCount = () => (shown && drawnChannels() === "tiles" ? shown.channelCount : 1);
    const sizeOf = (button) => [Number(button.dataset.width), Number(button.dataset.height) * tileCount()];

    /** Loads the pictures of the current view, then draws. */
    async function load() {
      if (!isAwake) return;
      const number = ++loads;
      const button = views()[view];
      const hasOwn = one("img.original", button) !== null;
      const [original, compressed, error] = await Promise.all([
        pixelsOf(hasOwn ? button : originals[Number(button.dataset.original)], "original"),
        pixelsOf(button, "texture"),
        pixelsOf(button, "error"),
      ]);
      if (number !== loads) return;
      const hasAlpha = [original, compressed].some(({ data }) => data.some((value, i) => i % 4 === 3 && value < 255));
      const channelCount = hasAlpha ? 4 : 3;
      shown = { button, channelCount, original: { stored: original }, texture: { stored: compressed }, error: error && { pixels: error } };
      one(".tag.left", viewer).textContent = "original";
      paint();
      draw();
      comparison.dataset.ready = String(number);
    }

    /** Makes the canvases of the current pictures. */
    function paint() {
      if (!shown) return;
      const size = sizeOf(shown.button).join(" / ");
      if (size !== shownSize) zoom = null;
      shownSize = size;
      stage.style.aspectRatio = size;
      const channel = drawnChannels();
      one(".channel", viewer).value = channels();
      viewer.classList.toggle("lit", channel === "lit");
      light.setAttribute("aria-valuetext", `${light.value}°`);
      const layers = [shown.original, shown.texture];
      const isHdr = layers.every(({ stored }) => stored.light);
      const stops = Number(exposure.value);
      viewer.classList.toggle("hdr", isHdr);
      one(".stops", viewer).textContent = `${stops > 0 ? "+" : ""}${stops} EV`;
      for (const layer of layers) {
        const all = Number(comparison.dataset.exposure) + stops;
        layer.pixels = isHdr && stops !== 0 ? exposed(layer.stored, all, curves[comparison.dataset.curve]) : layer.stored;
        layer.canvas = channel === "tiles" ? tiled(layer.pixels, shown.channelCount) : drawn(layer.pixels, channel, light.value);
      }
      if (shown.error) shown.error.canvas = heated(shown.error.pixels, end);
    }

    // The stage

    const box = () => ({ width: stage.clientWidth, height: stage.clientHeight });

    function fitting() {
      const [width, height] = sizeOf(shown?.button ?? views()[view]);
      return Math.min(box().width / width, box().height / height);
    }

    const scale = () => zoom ?? fitting();

    /** Keeps the picture on the stage. */
    function place() {
      const [width, height] = sizeOf(shown.button).map((side) => side * scale());
      const within = (at, size, room) => (size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, at)));
      left = within(left, width, box().width);
      top_ = within(top_, height, box().height);
    }

    function draw() {
      if (!shown) return;
      const ratio = window.devicePixelRatio || 1;
      const [width, height] = [box().width, box().height].map((side) => Math.max(1, Math.round(side * ratio)));
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      place();
      const size = sizeOf(shown.button).map((side) => side * scale() * ratio);
      const at = [left * ratio, top_ * ratio].map(Math.round);
      const edge = Math.round(width * split);
      context.clearRect(0, 0, width, height);
      const isHeat = isHot && shown.error !== null;
      const layers = [[shown.original, 0, edge], [isHeat ? shown.error : shown.texture, edge, width]];
      for (const [layer, from, to] of layers) {
        context.save();
        context.beginPath();
        context.rect(from, 0, to - from, height);
        context.clip();
        context.fillStyle = context.createPattern(checks(), "repeat");
        context.fillRect(...at, ...size);
        const isSmaller = size[0] < layer.canvas.width;
        context.imageSmoothingEnabled = isSmaller;
        context.imageSmoothingQuality = "high";
        context.drawImage(layer.canvas, ...at, ...size);
        context.restore();
      }
      one(".divider", viewer).style.left = `${split * 100}%`;
      one(".zoom", viewer).textContent = percent(scale());
      stage.classList.toggle("zoomed", zoom !== null && zoom > fitting() * 1.001);
      viewer.classList.toggle("heated", isHeat);
      one(".heat", viewer).setAttribute("aria-pressed", String(isHeat));
      one(".heat", viewer).disabled = shown.error === null;
      const { name, format } = textures[texture].dataset;
      const right = one(".tag.right", viewer);
      right.textContent = isHeat ? `error of ${format}` : format;
      const label = one(".label", shown.button).textContent;
      const what = isHeat ? `heat map of the error of ${name}` : `${name}, ${format}`;
      stage.setAttribute("aria-label",
        `${label}. Left of the slider: the original. Right: ${what}. Slider at ${Math.round(split * 100)} %, zoom ${percent(scale())}.`);
      slider.value = String(split * 100);
      slider.setAttribute("aria-valuetext", `${Math.round(split * 100)} % original`);
    }

    function zoomTo(value, x = box().width / 2, y = box().height / 2) {
      if (!shown) return;
      const before = scale();
      const least = Math.min(1, fitting());
      const next = Math.min(LARGEST_ZOOM, Math.max(least, value));
      left = x - ((x - left) * next) / before;
      top_ = y - ((y - top_) * next) / before;
      zoom = next <= fitting() && fitting() <= 1 ? null : next;
      draw();
    }

    function setSplit(value) {
      split = Math.min(1, Math.max(0, value));
      splitBefore = null;
      draw();
    }

    function selectTexture(index, isFocused = false) {
      texture = (index + tabs.length) % tabs.length;
      view = Math.min(view, views().length - 1);
      tabs.forEach((tab, at) => {
        tab.setAttribute("aria-selected", String(at === texture));
        tab.tabIndex = at === texture ? 0 : -1;
      });
      textures.forEach((section, at) => section.classList.toggle("current", at === texture));
      all("table tr", comparison).forEach((row) => {
        const cells = [...row.children].slice(1);
        cells.forEach((cell, at) => cell.classList.toggle("current", tabs.length > 1 && at === texture));
      });
      viewer.setAttribute("aria-labelledby", tabs[texture].id);
      if (isFocused) {
        tabs[texture].focus();
        tabs[texture].scrollIntoView({ block: "nearest", inline: "nearest" });
      }
      selectView(view);
    }

    function selectView(index) {
      view = Math.min(views().length - 1, Math.max(0, index));
      views().forEach((button, at) => button.setAttribute("aria-current", String(at === view)));
      if (!shown) stage.style.aspectRatio = sizeOf(views()[view]).join(" / ");
      load();
    }

    // The numbers of a texel

    function read(event) {
      if (!shown) return;
      const [atX, atY] = positionOf(event);
      let [width, height] = sizeOf(shown.button);
      let [x, y] = [(atX - left) / scale(), (atY - top_) / scale()];
      if (x < 0 || y < 0 || x >= width || y >= height) return;
      height /= tileCount();
      y %= height;
      const texel = ({ pixels }) => {
        const [column, row] = [Math.floor((x * pixels.width) / width), Math.floor((y * pixels.height) / height)];
        const at = (row * pixels.width + column) * 4;
        return [...pixels.data.slice(at, at + 4)];
      };
      const [a, b] = [texel(shown.original), texel(shown.texture)];
      const [offsetX, offsetY] = [Number(shown.button.dataset.x), Number(shown.button.dataset.y)];
      const hasAlpha = a[3] !== 255 || b[3] !== 255;
      const text = (values) => values.slice(0, hasAlpha ? 4 : 3).join(" ");
      const error = shown.error ? `    largest difference ${texel(shown.error)[0]}` : "";
      readout.textContent =
        `x ${Math.floor(x) + offsetX}, y ${Math.floor(y) + offsetY}    original ${text(a)}    ` +
        `${textures[texture].dataset.format} ${text(b)}${error}`;
    }

    // Pointers: the slider follows a finger or mouse; a picture larger than the stage is moved.

    const pointers = new Map();
    let drag = null;
    const isZoomed = () => stage.classList.contains("zoomed");
    const positionOf = (event) => {
      const area = stage.getBoundingClientRect();
      return [event.clientX - area.left - stage.clientLeft, event.clientY - area.top - stage.clientTop];
    };

    stage.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const at = positionOf(event);
      pointers.set(event.pointerId, at);
      stage.setPointerCapture(event.pointerId);
      const isOnDivider = Math.abs(at[0] - split * box().width) < 20;
      drag = pointers.size > 1 ? "pinch" : isZoomed() && !isOnDivider ? "pan" : "split";
      stage.classList.toggle("dragging", drag === "pan");
      if (drag === "split" && !isOnDivider) setSplit(at[0] / box().width);
    });
    stage.addEventListener("pointermove", (event) => {
      read(event);
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const at = positionOf(event);
      if (drag === "split") setSplit(at[0] / box().width);
      if (drag === "pan") {
        left += at[0] - before[0];
        top_ += at[1] - before[1];
        draw();
      }
      if (drag === "pinch" && pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const distance = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
        const middle = [0, 1].map((axis) => (at[axis] + other[axis]) / 2);
        if (distance(before) > 0) zoomTo((scale() * distance(at)) / distance(before), ...middle);
      }
      pointers.set(event.pointerId, at);
    });
    const release = (event) => {
      pointers.delete(event.pointerId);
      if (pointers.size === 0) drag = null;
      stage.classList.remove("dragging");
    };
    stage.addEventListener("pointerup", release);
    stage.addEventListener("pointercancel", release);
    stage.addEventListener("wheel", (event) => {
      // A page of many stages must scroll below the pointer, and any page if there is nothing to zoom out of.
      if (!event.ctrlKey) {
        if (isAmongOthers && document.activeElement !== stage) return;
        if (event.deltaY > 0 && scale() <= Math.min(1, fitting())) return;
      }
      event.preventDefault();
      zoomTo(scale() * Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), ...positionOf(event));
    }, { passive: false });
    stage.addEventListener("dblclick", (event) => (isZoomed() ? fit() : zoomTo(scale() * 4, ...positionOf(event))));

    // Buttons and keys

    function fit() {
      zoom = null;
      draw();
    }
    function toggleHeat() {
      if (!shown || !shown.error) return;
      isHot = !isHot;
      paint();
      draw();
    }
    function toggleOriginal() {
      if (splitBefore === null) [splitBefore, split] = [split, 1];
      else [split, splitBefore] = [splitBefore, null];
      draw();
    }
    function legend() {
      const stops = heatColors.map((color) => `rgb(${color.join(" ")})`);
      one(".bar", viewer).style.background = `linear-gradient(90deg, ${stops.join()})`;
      const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
        const tick = document.createElement("span");
        const value = Math.round(share * end * 10) / 10;
        tick.style.left = `${share * 100}%`;
        tick.textContent = share === 1 && end < 255 ? `${value} or more` : String(value);
        return tick;
      });
      one(".ticks", viewer).replaceChildren(...ticks);
    }

    one(".fit", viewer).addEventListener("click", fit);
    one(".full", viewer).addEventListener("click", () => zoomTo(1));
    one(".in", viewer).addEventListener("click", () => zoomTo(scale() * 2));
    one(".out", viewer).addEventListener("click", () => zoomTo(scale() / 2));
    one(".heat", viewer).addEventListener("click", toggleHeat);
    slider.addEventListener("input", () => setSplit(Number(slider.value) / 100));
    one(".channel", viewer).addEventListener("change", (event) => {
      chosen = event.target.value;
      paint();
      draw();
    });
    for (const input of [light, exposure]) {
      input.addEventListener("input", () => {
        paint();
        draw();
      });
    }
    const ends = one(".end", viewer);
    ends.append(...heatEnds.map((value) => new Option(String(value), String(value), value === end, value === end)));
    ends.addEventListener("change", () => {
      end = Number(ends.value);
      legend();
      paint();
      draw();
    });
    tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => selectTexture(index));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        selectTexture(texture + step, true);
      });
    });
    textures.forEach((section) => {
      all(".view", section).forEach((button, index) => button.addEventListener("click", () => selectView(index)));
    });

    const keys = {
      "+": () => zoomTo(scale() * 2),
      "=": () => zoomTo(scale() * 2),
      "-": () => zoomTo(scale() / 2),
      "0": fit,
      "1": () => zoomTo(1),
      h: toggleHeat,
      o: toggleOriginal,
      "[": () => selectTexture(texture - 1),
      "]": () => selectTexture(texture + 1),
      ",": () => selectView(view - 1),
      ".": () => selectView(view + 1),
    };
    stage.addEventListener("keydown", (event) => {
      if (!isAwake) return;
      const step = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!step) return;
      if (isZoomed()) {
        left += step[0] * 40;
        top_ += step[1] * 40;
        draw();
      } else if (step[0]) {
        setSplit(split - step[0] * 0.02);
      } else return;
      event.preventDefault();
    });

    // A page may have many viewers, of which only those near the window have pictures.

    function wake() {
      if (isAwake) return;
      isAwake = true;
      load();
    }
    function sleep() {
      if (!isAwake) return;
      isAwake = false;
      loads += 1;
      shown = null;
      Object.assign(canvas, { width: 1, height: 1 });
    }

    root.addEventListener("theme", draw);
    legend();
    new ResizeObserver(draw).observe(stage);
    selectTexture(0);
    return { keys, wake, sleep };
  }

  const viewers = new Map(all(".comparison").map((comparison) => [comparison, viewerOf(comparison)]));
  // Keys are those of the comparison that has the focus or was used last, while it has pictures.
  let used = isAmongOthers ? null : [...viewers.keys()][0] ?? null;
  if (!isAmongOthers) {
    viewers.forEach((viewer) => viewer.wake());
  } else {
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) {
          viewers.get(target).wake();
          if (target.contains(document.activeElement)) used ??= target;
        } else {
          viewers.get(target).sleep();
          if (used === target) used = null;
        }
      }
    }, { rootMargin: "50% 0px" });
    viewers.forEach((_, comparison) => observer.observe(comparison));
  }

  for (const type of ["pointerdown", "focusin"]) {
    document.addEventListener(type, (event) => {
      used = event.target.closest(".comparison") ?? used;
    });
  }
  document.addEventListener("keydown", (event) => {
    if (!used || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    const act = viewers.get(used).keys[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
})();
