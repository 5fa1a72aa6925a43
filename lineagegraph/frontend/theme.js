// Light or dark, as the page around a view.

/** Keep the theme of `root` that of the page; returns a function that ends this. */
export function followTheme(root) {
  const watch = new MutationObserver(() => setTheme(root));
  for (const page of [document.documentElement, document.body]) {
    watch.observe(page, { attributes: true });
  }
  setTheme(root);
  requestAnimationFrame(() => setTheme(root));
  return () => watch.disconnect();
}

function setTheme(root) {
  root.dataset.theme = isDark(root) ? "dark" : "light";
}

/** Return whether the background of an element is dark; without one, the system decides. */
function isDark(element) {
  for (let above = parentOf(element); above; above = parentOf(above)) {
    const colour = getComputedStyle(above).backgroundColor.match(/[\d.]+/g) ?? [];
    const [r, g, b, a = 1] = colour.map(Number);
    if (b !== undefined && a > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function parentOf(element) {
  const parent = element.parentNode ?? element.host;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
