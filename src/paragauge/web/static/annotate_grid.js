// A grid of two sentences. Only visible parts are drawn: linked cells, the focused cell and the words; empty cells are a
// background of lines. So a pair of thousands of words is as fast as one of ten.

import { NONE, POSSIBLE, SURE } from "./annotate_state.js";

const BEYOND = 4; // rows and columns drawn beyond the visible part
const NAMES = { [SURE]: "sure link", [POSSIBLE]: "possible link", [NONE]: "no link" };

export const nameOf = (mark) => NAMES[mark];

function element(name, className, attributes = {}) {
  const made = document.createElement(name);
  made.className = className;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

export class Grid {
  // Callbacks: change(cells) for a click, a key or a drag; point(i, j) for the current cell; refuse(text).
  constructor(root, { maxCells, mode, dragsOnTouch, change, point, refuse }) {
    Object.assign(this, { root, maxCells, mode, dragsOnTouch, change, point, refuse });
    this.sheet = element("div", "sheet", { role: "presentation" });
    this.heads = element("div", "heads", { role: "row", "aria-rowindex": 1 });
    this.heads.append(element("span", "corner", { role: "presentation" }));
    this.cross = [element("div", "cross"), element("div", "cross")];
    this.block = element("div", "block");
    root.append(this.sheet);
    root.addEventListener("scroll", () => this.drawSoon());
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.release(event));
    root.addEventListener("pointercancel", () => this.drop());
    new ResizeObserver(() => {
      if (this.state && root.clientWidth !== this.room) this.show(this.source, this.target, this.state, this.active);
      else this.drawSoon();
    }).observe(root);
  }

  // Show a pair; active is the cell to keep, with its scroll position.
  show(source, target, state, active = null) {
    Object.assign(this, { source, target, state });
    const focused = this.root.contains(document.activeElement);
    const [top, left] = active ? [this.root.scrollTop, this.root.scrollLeft] : [0, 0];
    this.rows = new Map(); // row number to { element, side, cells: column number to element }
    this.columns = new Map(); // column number to its head
    this.active = active ?? [0, 0];
    this.anchor = null; // the other corner of a block made with keys
    this.drag = null;
    this.heads.replaceChildren(this.heads.firstChild);
    this.sheet.replaceChildren(this.heads, ...this.cross, this.block);
    this.root.setAttribute("aria-rowcount", source.length + 1);
    this.root.setAttribute("aria-colcount", target.length + 1);
    this.measure();
    this.root.scrollTo(left, top);
    this.showBlock();
    this.draw();
    this.pointAt(...this.active);
    if (focused) this.focus();
  }

  get empty() {
    return !this.source?.length || !this.target.length;
  }

  // Give the words the space they need, but not all of a small screen.
  measure() {
    const style = getComputedStyle(this.root);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontSize} ${style.fontFamily}`;
    this.room = this.root.clientWidth;
    const widest = (words) => words.reduce((most, word) => Math.max(most, pen.measureText(word.slice(0, 60)).width), 0);
    this.cell = parseFloat(style.getPropertyValue("--size"));
    this.side = clamp(Math.ceil(widest(this.source)) + 20, 40, Math.min(240, 0.32 * this.room));
    this.head = clamp(Math.ceil(widest(this.target)) + 20, 40, Math.min(180, 0.32 * this.room));
    for (const name of ["cell", "side", "head"]) this.root.style.setProperty(`--${name}`, `${this[name]}px`);
    this.sheet.style.width = `${this.side + this.cell * this.target.length}px`;
    this.sheet.style.height = `${this.head + this.cell * this.source.length}px`;
  }

  drawSoon() {
    this.planned ??= requestAnimationFrame(() => {
      this.planned = null;
      if (this.state) this.draw();
    });
  }

  // Draw the visible part and remove the rest; the focused cell stays.
  draw() {
    const { root, cell } = this;
    const range = (start, size, count) => [
      clamp(Math.floor(start / cell) - BEYOND, 0, count), clamp(Math.ceil((start + size) / cell) + BEYOND, 0, count),
    ];
    const [top, bottom] = range(root.scrollTop, root.clientHeight, this.source.length);
    const [left, right] = range(root.scrollLeft, root.clientWidth, this.target.length);
    this.window = { top, bottom, left, right };
    for (const [i, row] of this.rows) {
      if ((i < top || i >= bottom) && i !== this.active[0]) {
        row.element.remove();
        this.rows.delete(i);
      }
    }
    for (const [j, head] of this.columns) {
      if (j < left || j >= right) {
        head.remove();
        this.columns.delete(j);
      }
    }
    for (let j = left; j < right; j++) this.drawHead(j);
    for (let i = top; i < bottom; i++) this.drawRow(i);
    if (!this.empty && !this.rows.has(this.active[0])) this.drawRow(this.active[0]);
  }

  drawHead(j) {
    let head = this.columns.get(j);
    if (!head) {
      head = element("span", "word-head", { role: "columnheader", "aria-colindex": j + 2 });
      const word = element("bdi", "word");
      word.textContent = this.target[j];
      head.title = this.target[j].slice(0, 200);
      head.append(word);
      head.style.left = `${this.side + j * this.cell}px`;
      this.columns.set(j, head);
      const after = [...this.columns.keys()].filter((each) => each > j);
      this.heads.insertBefore(head, after.length ? this.columns.get(Math.min(...after)) : null);
    }
    head.classList.toggle("bare", !this.state.columns[j]);
    head.classList.toggle("here", j === this.here?.[1]);
  }

  drawRow(i) {
    let row = this.rows.get(i);
    if (!row) {
      row = { element: element("div", "line", { role: "row", "aria-rowindex": i + 2 }), cells: new Map() };
      row.side = element("span", "word-side", { role: "rowheader", "aria-colindex": 1 });
      const word = element("bdi", "word");
      word.textContent = this.source[i];
      row.side.title = this.source[i].slice(0, 200);
      row.side.append(word);
      row.element.append(row.side);
      row.element.style.top = `${this.head + i * this.cell}px`;
      this.rows.set(i, row);
      const after = [...this.rows.keys()].filter((each) => each > i);
      this.sheet.insertBefore(row.element, after.length ? this.rows.get(Math.min(...after)).element : null);
    }
    const marks = this.state.rows[i];
    row.side.classList.toggle("bare", !marks.size);
    row.side.classList.toggle("here", i === this.here?.[0]);
    const { left, right } = this.window;
    const wanted = [...marks.keys()].filter((j) => j >= left && j < right);
    if (i === this.active[0] && this.target.length && !wanted.includes(this.active[1])) wanted.push(this.active[1]);
    for (const [j, cell] of row.cells) {
      if (!wanted.includes(j)) {
        cell.remove();
        row.cells.delete(j);
      }
    }
    for (const j of wanted) this.drawCell(row, i, j);
  }

  drawCell(row, i, j) {
    let cell = row.cells.get(j);
    if (!cell) {
      cell = element("span", "cell", { role: "gridcell", "aria-colindex": j + 2 });
      cell.style.left = `${this.side + j * this.cell}px`;
      row.cells.set(j, cell);
      const after = [...row.cells.keys()].filter((each) => each > j);
      row.element.insertBefore(cell, after.length ? row.cells.get(Math.min(...after)) : null);
    }
    const mark = this.state.mark(i, j);
    cell.classList.toggle("sure", mark === SURE);
    cell.classList.toggle("possible", mark === POSSIBLE);
    cell.tabIndex = i === this.active[0] && j === this.active[1] ? 0 : -1;
    cell.setAttribute("aria-label", `${this.source[i]}, ${this.target[j]}: ${nameOf(mark)}`);
    cell.setAttribute("aria-selected", mark !== NONE);
  }

  focus() {
    if (!this.empty) this.rows.get(this.active[0])?.cells.get(this.active[1])?.focus({ preventScroll: true });
  }

  goTo(i, j, { focus = true } = {}) {
    if (this.empty) return;
    const before = this.active;
    this.active = [clamp(i, 0, this.source.length - 1), clamp(j, 0, this.target.length - 1)];
    this.drawRow(this.active[0]);
    this.reveal(...this.active);
    if (focus) this.focus();
    if (before[0] !== this.active[0] && this.rows.has(before[0])) this.drawRow(before[0]);
    this.draw();
    this.showBlock();
    this.pointAt(...this.active);
  }

  // Scroll so that a cell is neither outside the view nor behind the words.
  reveal(i, j) {
    const { root, cell } = this;
    const x = j * cell, y = i * cell;
    const width = root.clientWidth - this.side, height = root.clientHeight - this.head;
    root.scrollLeft = clamp(root.scrollLeft, x + cell - width, x);
    root.scrollTop = clamp(root.scrollTop, y + cell - height, y);
  }

  // Show which words belong to a cell.
  pointAt(i, j) {
    if (this.empty) return;
    const before = this.here;
    this.here = [i, j];
    for (const row of [before?.[0], i]) this.rows.get(row)?.side.classList.toggle("here", row === i);
    for (const column of [before?.[1], j]) this.columns.get(column)?.classList.toggle("here", column === j);
    this.cross[0].style.top = `${this.head + i * this.cell}px`;
    this.cross[1].style.left = `${this.side + j * this.cell}px`;
    this.point(i, j);
  }

  corners() {
    const [one, other] = this.drag ? [this.drag.from, this.drag.to] : [this.anchor ?? this.active, this.active];
    return [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.max(one[0], other[0]), Math.max(one[1], other[1])];
  }

  showBlock() {
    const shown = this.drag?.moved || this.anchor;
    this.block.classList.toggle("hidden", !shown);
    if (!shown) return;
    const [top, left, bottom, right] = this.corners();
    Object.assign(this.block.style, {
      top: `${this.head + top * this.cell}px`, left: `${this.side + left * this.cell}px`,
      height: `${(bottom - top + 1) * this.cell}px`, width: `${(right - left + 1) * this.cell}px`,
    });
  }

  // Apply to the whole block what a click on the first cell would do.
  toggle(first, wish) {
    this.fill(this.state.mark(...first) === wish ? NONE : wish);
  }

  fill(mark) {
    const [top, left, bottom, right] = this.corners();
    if ((bottom - top + 1) * (right - left + 1) > this.maxCells) {
      this.refuse(`A block can have up to ${this.maxCells} cells; nothing was changed.`);
      return;
    }
    const cells = [];
    for (let i = top; i <= bottom; i++) {
      for (let j = left; j <= right; j++) if (this.state.mark(i, j) !== mark) cells.push([i, j, mark]);
    }
    this.anchor = null;
    this.showBlock();
    if (cells.length) this.change(cells);
  }

  // No pair, no words, or another pair is being loaded.
  get deaf() {
    return this.empty || this.root.ariaBusy === "true";
  }

  key(event) {
    if (this.deaf || event.altKey || event.metaKey) return;
    const [i, j] = this.active;
    const page = Math.max(1, Math.floor((this.root.clientHeight - this.head) / this.cell) - 1);
    const far = event.ctrlKey;
    const steps = {
      ArrowUp: [i - 1, j], ArrowDown: [i + 1, j], ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1],
      PageUp: [i - page, j], PageDown: [i + page, j],
      Home: [far ? 0 : i, 0], End: [far ? this.source.length : i, this.target.length],
    };
    if (event.key in steps) {
      this.anchor = event.shiftKey ? this.anchor ?? this.active : null;
      this.goTo(...steps[event.key]);
    } else if (event.key === " ") {
      this.toggle(this.anchor ?? this.active, event.shiftKey ? POSSIBLE : this.mode());
    } else if (!far && ["Delete", "Backspace", "x"].includes(event.key)) {
      this.fill(NONE);
    } else if (event.key === "Escape") {
      this.drop();
      this.anchor = null;
      this.showBlock();
    } else {
      return;
    }
    event.preventDefault();
  }

  // The cell under the pointer, or null; with near, the nearest.
  at(event, near = false) {
    const box = this.root.getBoundingClientRect();
    const x = event.clientX - box.left - this.root.clientLeft, y = event.clientY - box.top - this.root.clientTop;
    const inside = x >= this.side && y >= this.head && x < this.root.clientWidth && y < this.root.clientHeight;
    const i = Math.floor((y + this.root.scrollTop - this.head) / this.cell);
    const j = Math.floor((x + this.root.scrollLeft - this.side) / this.cell);
    if (near) return [clamp(i, 0, this.source.length - 1), clamp(j, 0, this.target.length - 1)];
    return inside && i >= 0 && j >= 0 && i < this.source.length && j < this.target.length ? [i, j] : null;
  }

  press(event) {
    const from = this.deaf || event.button !== 0 ? null : this.at(event);
    if (!from) return;
    const tap = event.pointerType === "touch" && !this.dragsOnTouch(); // a moving finger scrolls
    this.drag = { from, to: from, moved: false, tap, pointer: event.pointerId };
    this.anchor = null;
    if (tap) return;
    event.preventDefault();
    this.root.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (this.empty) return;
    if (!this.drag || this.drag.tap) {
      const cell = this.at(event);
      if (cell && String(cell) !== String(this.here)) this.pointAt(...cell);
      return;
    }
    const to = this.at(event, true);
    if (String(to) === String(this.drag.to)) return;
    this.drag.to = to;
    this.drag.moved = true;
    this.reveal(...to);
    this.showBlock();
    this.pointAt(...to);
  }

  release(event) {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    const { from, tap } = this.drag;
    if (tap) this.drag.to = this.at(event) ?? from;
    const moved = String(from) !== String(this.drag.to);
    if (!(tap && moved)) {
      this.toggle(from, event.shiftKey ? POSSIBLE : this.mode());
    }
    const to = this.drag.to;
    this.drop();
    this.goTo(...to);
  }

  drop() {
    this.drag = null;
    this.showBlock();
  }
}
