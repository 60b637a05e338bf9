// The links of one pair and what can be undone: the same steps as PairState in annotation/changes.py.

export const SURE = "-", POSSIBLE = "p", NONE = "x";

// Cells are [row, column, mark]; as text "0-0 1p2 3x3".
export function parseCells(text) {
  return text.split(" ").filter(Boolean).map((word) => {
    const [, i, mark, j] = /^(\d+)([-px])(\d+)$/.exec(word);
    return [Number(i), Number(j), mark];
  });
}

export function formatCells(cells) {
  return cells.map(([i, j, mark]) => `${i}${mark}${j}`).join(" ");
}

export class PairState {
  constructor({ source, target, links, version, done, seconds, undo, redo }) {
    this.version = version;
    this.done = done;
    this.seconds = seconds;
    this.undo = undo; // steps of [row, column, before, after]
    this.redo = redo;
    this.rows = source.map(() => new Map()); // column to mark
    this.columns = new Int32Array(target.length); // number of links of each column
    this.put(parseCells(links));
  }

  mark(i, j) {
    return this.rows[i]?.get(j) ?? NONE;
  }

  cells() {
    return this.rows.flatMap((row, i) => [...row].sort(([a], [b]) => a - b).map(([j, mark]) => [i, j, mark]));
  }

  apply({ kind, cells, seconds }) {
    this.seconds += seconds;
    if (kind === "done" || kind === "open") this.done = kind === "done";
    if (!["set", "undo", "redo"].includes(kind)) return;
    this.version += 1;
    if (kind === "set") {
      const step = parseCells(cells).map(([i, j, mark]) => [i, j, this.mark(i, j), mark]).filter(([, , a, b]) => a !== b);
      if (!step.length) return;
      this.undo.push(step);
      this.redo = [];
      this.put(step.map(([i, j, , after]) => [i, j, after]));
    } else if (kind === "undo" && this.undo.length) {
      this.redo.push(this.undo.pop());
      this.put(this.redo.at(-1).map(([i, j, before]) => [i, j, before]));
    } else if (kind === "redo" && this.redo.length) {
      this.undo.push(this.redo.pop());
      this.put(this.undo.at(-1).map(([i, j, , after]) => [i, j, after]));
    }
  }

  put(cells) {
    for (const [i, j, mark] of cells) {
      const row = this.rows[i];
      this.columns[j] += (mark === NONE ? 0 : 1) - (row.has(j) ? 1 : 0);
      if (mark === NONE) row.delete(j);
      else row.set(j, mark);
    }
  }
}
