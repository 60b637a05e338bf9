// Small drawings: distributions with intervals, and bars. Sizes and places are attributes, which the page's policy allows.

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// The range of all numbers, never empty.
export function rangeOf(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value === null || value === undefined) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

const BINS = 24, WIDTH = 240, HEIGHT = 40;

// How the scores of sentences are spread over a range, and the score of the system with its interval below.
export function distribution(values, score, interval, [low, high], name) {
  const counts = new Array(BINS).fill(0);
  for (const value of values) {
    if (value !== null) counts[Math.min(BINS - 1, Math.max(0, Math.floor(((value - low) / (high - low)) * BINS)))] += 1;
  }
  const most = Math.max(1, ...counts), step = WIDTH / BINS, base = 28;
  const x = (value) => Math.min(WIDTH - 3, Math.max(3, ((value - low) / (high - low)) * WIDTH));
  const pieces = counts.map((count, bin) => draw("rect", {
    class: "hist", x: bin * step + 0.5, width: step - 1, y: base - (count / most) * (base - 2), height: (count / most) * (base - 2),
  }));
  pieces.push(draw("line", { class: "base-line", x1: 0, x2: WIDTH, y1: base, y2: base }));
  if (interval && interval.low !== null) pieces.push(draw("line", { class: "whisker", x1: x(interval.low), x2: x(interval.high), y1: 34, y2: 34 }));
  if (score !== null) pieces.push(draw("circle", { class: "dot", cx: x(score), cy: 34, r: 3.5 }));
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": name }, ...pieces);
}

// A bar that shows where a value lies in a range.
export function bar(value, [low, high]) {
  const share = value === null ? 0 : Math.max(0, Math.min(1, (value - low) / (high - low)));
  return draw("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "back", width: 100, height: 6, rx: 2 }), draw("rect", { class: "fill", width: 100 * share, height: 6, rx: 2 }));
}
