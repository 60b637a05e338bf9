// A list of any length of which only the visible lines exist, with one selected line.

const MARGIN = 6; // lines kept above and below the visible ones

export class LongList {
  // line(row) returns the element of a row; chosen(row, how) is told of selections: "move" by arrows, "open" by click or Enter.
  constructor(box, sheet, { line, chosen }) {
    Object.assign(this, { box, sheet, line, chosen, rows: [], selected: -1, shown: new Map() });
    box.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.resize()).observe(box);
    box.addEventListener("keydown", (event) => this.key(event));
    sheet.addEventListener("click", (event) => {
      const place = Number(event.target.closest("[data-place]")?.dataset.place ?? -1);
      if (place >= 0) this.select(place, "open");
    });
  }

  // The height of a line is set by the style sheet, and depends on the width of the list.
  lineHeight() {
    return parseFloat(getComputedStyle(this.sheet).getPropertyValue("--row")) || 84;
  }

  resize() {
    const height = this.lineHeight(), before = this.height;
    if (height === before) this.draw();
    else {
      const first = this.box.scrollTop / (before || height);
      this.redraw(height);
      this.box.scrollTop = first * height; // the same line stays first
    }
  }

  fill(rows) {
    this.rows = rows;
    this.selected = -1;
    this.box.removeAttribute("aria-activedescendant");
    this.box.scrollTop = 0;
    this.redraw(this.lineHeight());
  }

  redraw(height = this.height) {
    this.height = height;
    this.sheet.style.height = `${this.rows.length * height}px`;
    this.sheet.replaceChildren();
    this.shown.clear();
    this.draw();
  }

  draw() {
    if (!this.height) return;
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - MARGIN);
    const last = Math.min(this.rows.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + MARGIN);
    for (const [place, element] of this.shown) {
      if (place < first || place >= last) {
        element.remove();
        this.shown.delete(place);
      }
    }
    for (let place = first; place < last; place += 1) {
      if (this.shown.has(place)) continue;
      const element = this.line(this.rows[place]);
      element.id = `line-${place}`;
      element.dataset.place = place;
      element.setAttribute("role", "option");
      element.setAttribute("aria-posinset", place + 1);
      element.setAttribute("aria-setsize", this.rows.length);
      element.setAttribute("aria-selected", place === this.selected);
      element.style.top = `${place * this.height}px`;
      this.shown.set(place, element);
      this.sheet.append(element);
    }
  }

  select(place, how) {
    if (place < 0 || place >= this.rows.length) return;
    this.shown.get(this.selected)?.setAttribute("aria-selected", "false");
    this.selected = place;
    const top = place * this.height, below = top + this.height - this.box.clientHeight;
    if (this.box.scrollTop > top) this.box.scrollTop = top;
    else if (this.box.scrollTop < below) this.box.scrollTop = below;
    this.draw();
    this.shown.get(place)?.setAttribute("aria-selected", "true");
    this.box.setAttribute("aria-activedescendant", `line-${place}`);
    this.chosen(this.rows[place], how);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      const wanted = this.selected < 0 && event.key === "ArrowDown" ? 0 : this.selected + steps[event.key];
      this.select(Math.max(0, Math.min(this.rows.length - 1, wanted)), "move");
    } else if ((event.key === "Enter" && !event.ctrlKey) || event.key === " ") {
      event.preventDefault();
      this.select(Math.max(0, this.selected), "open");
    }
  }
}
