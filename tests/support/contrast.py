"""What to ask a page in a browser about its colours."""

# Texts whose contrast with what lies behind them is below 4.5 (WCAG AA), disabled controls left out.
CONTRAST = """() => {
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = (top, back) => {
    const share = top.length > 3 ? top[3] : 1;
    return back.map((value, k) => top[k] * share + value * (1 - share));
  };
  const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
  const found = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.disabled || !e.getClientRects().length) continue;
    const chain = [];
    for (let up = e; up; up = up.parentElement) chain.unshift(numbers(getComputedStyle(up).backgroundColor));
    const back = chain.reduce((behind, colour) => over(colour, behind), canvas);
    const text = over(numbers(getComputedStyle(e).color), back);
    const [a, b] = [light(text), light(back)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push(e.outerHTML.slice(0, 120));
  }
  return found;
}"""
