// Scores and sentences of systems (_results.html): the grid, a list that can be filtered and sorted, and why.
import { byId, copy, make, shown } from "./web.js";
import { differences } from "./differences.js";
import { scoreGrid, scoreTables } from "./grid.js";
import { LongList } from "./list.js";
import { lowerIsBetter } from "./metrics.js";
import { bar, rangeOf } from "./plots.js";
import { linkTo } from "./state.js";
import { Why, explanation } from "./why.js";

const SHORT = 84; // characters that fit into one line of a list
const EMPTY = { system: "", against: "", sort: "", find: "", open: null };
const option = (value, text = value) => make("option", { value }, text);
const marked = (runs) => runs.map(([text, differs]) => (differs ? make("i", {}, text) : text));

// One row per candidate with all its scores, and the range of each metric.
function arranged(texts, metrics, answer) {
  const names = texts.ids ?? Object.values(texts.candidates)[0].map((_, place) => String(place + 1));
  const places = new Map(names.map((name, place) => [name, place]));
  const rows = new Map(), values = Object.fromEntries(metrics.map((metric) => [metric, []]));
  for (const { system, segment, metric, score } of answer.segments) {
    const place = places.get(segment), key = `${place} ${system}`;
    if (!rows.has(key)) rows.set(key, { system, segment, place, scores: {} });
    rows.get(key).scores[metric] = score;
    values[metric].push(score);
  }
  for (const { metric, score, interval } of answer.systems) values[metric].push(score, interval?.low ?? null, interval?.high ?? null);
  const ranges = Object.fromEntries(metrics.map((metric) => [metric, rangeOf(values[metric])]));
  return { rows: [...rows.values()].sort((one, other) => one.place - other.place), ranges };
}

export class Results {
  // changed() is told when something that state() contains has changed; pageState() returns what a link keeps;
  // moreTabs and explainMore(row, name) add tabs to the panel "Why".
  constructor({ changed, pageState, moreTabs = () => [], explainMore = null }) {
    Object.assign(this, { changed, latest: null, view: { ...EMPTY } });
    this.why = new Why({
      tabs: () => [...this.latest.metrics, ...moreTabs()],
      explain: (row, name) => (this.latest.metrics.includes(name) ? explanation(this.latest.texts, row, this.latest.asked.get(name)) : explainMore(this.latest.texts, row, name)),
      move: (step) => this.list.select(this.list.selected + step, "move"),
      closed: () => {
        this.view.open = null;
        this.changed();
      },
    });
    this.list = new LongList(byId("list"), byId("sheet"), {
      line: (row) => this.line(row),
      chosen: (row, how) => {
        if (how === "open" || this.why.isOpen) this.explain(row);
      },
    });
    const link = async (status, view) => {
      const made = await linkTo({ ...pageState(), view });
      if (made) await copy(made, status, "link copied");
      else status.textContent = "too long for a link; use Save as a file";
    };
    byId("copy-json").addEventListener("click", () => copy(JSON.stringify(this.latest.answer, null, 1), byId("copied"), "copied"));
    byId("copy-link").addEventListener("click", () => link(byId("copied"), { ...this.view, open: null }));
    byId("why-link").addEventListener("click", () => link(byId("why-copied"), this.view));
    byId("system").addEventListener("change", ({ target }) => this.change({ system: target.value }));
    byId("against").addEventListener("change", ({ target }) => this.compareWith(target.value));
    byId("sort").addEventListener("change", ({ target }) => this.change({ sort: target.value }));
    byId("find").addEventListener("input", ({ target }) => this.change({ find: target.value }));
  }

  // *answer* has systems and segments of /api/score or /api/report, and perhaps comparisons; *names* are the metrics as
  // they were asked for, which may be written differently in the answer.
  show(texts, answer, names, title = "Scores") {
    const metrics = [...new Set(answer.systems.map(({ metric }) => metric))];
    const asked = new Map(metrics.map((metric, place) => [metric, names.length === metrics.length ? names[place] : metric]));
    this.latest = { texts, metrics, asked, answer, systems: answer.systems, comparisons: answer.comparisons, ...arranged(texts, metrics, answer) };
    this.why.close();
    const systems = Object.keys(texts.candidates);
    byId("score-grid").replaceChildren(...scoreGrid(this.latest));
    byId("components").replaceChildren(...scoreTables(this.latest));
    byId("system").replaceChildren(option("", "all"), ...systems.map((name) => option(name)));
    byId("against").replaceChildren(option("", "nothing"), ...systems.map((name) => option(name)));
    byId("against-label").classList.toggle("hidden", systems.length < 2);
    for (const id of ["list", "list-head"]) byId(id).style.setProperty("--metrics", metrics.length);
    const sides = [texts.originals ?? [], ...Object.values(texts.references).slice(0, 1), ...Object.values(texts.candidates)];
    byId("sheet").classList.toggle("short", sides.every((lines) => lines.every((text) => text.length <= SHORT)));
    byId("copied").textContent = "";
    const baseline = answer.comparisons?.[0]?.baseline ?? "";
    this.restoreView({ ...EMPTY, against: baseline, sort: baseline ? `lost ${metrics[0]}` : "" });
    byId("systems-part").classList.remove("hidden");
    this.reveal(title, answer.warnings);
  }

  // Show the section of results; without scores of systems, only what a page adds to it.
  reveal(title, warnings = []) {
    byId("results-title").textContent = title;
    byId("warnings").replaceChildren(...warnings.map((text) => make("li", {}, text)));
    byId("results").classList.remove("waiting-for");
    byId("results-title").focus();
  }

  hideSystems() {
    this.latest = null;
    byId("systems-part").classList.add("hidden");
  }

  restoreView(wanted) {
    if (!this.latest) return;
    this.view = { ...EMPTY, ...wanted, open: null };
    for (const name of ["system", "against", "find"]) byId(name).value = this.view[name];
    this.showSorts();
    this.showSentences();
    if (!wanted.open) return;
    const found = this.list.rows.findIndex((row) => row.system === wanted.open.system && row.place === wanted.open.place);
    if (found >= 0) this.list.select(found, "open");
  }

  change(change) {
    Object.assign(this.view, change);
    this.why.close();
    this.showSentences();
    this.changed();
  }

  compareWith(against) {
    const system = this.view.system === against ? "" : this.view.system;
    this.view = { ...this.view, against, system, sort: against ? `lost ${this.latest.metrics[0]}` : "" };
    byId("system").value = system;
    this.showSorts();
    this.change({});
  }

  explain(row) {
    this.view.open = { system: row.system, place: row.place };
    this.why.open(row);
    this.changed();
  }

  // Sentences

  // The difference from the compared system, positive where this one is better.
  gain(row, metric) {
    const base = this.bases?.get(row.place)?.scores[metric], own = row.scores[metric];
    if (base === null || base === undefined || own === null) return null;
    return lowerIsBetter(metric) ? base - own : own - base;
  }

  showSorts() {
    const choices = [option("", "order of the texts")];
    for (const metric of this.latest.metrics) {
      if (this.view.against) choices.push(option(`lost ${metric}`, `${metric}: what got worse`), option(`gained ${metric}`, `${metric}: what got better`));
      else choices.push(option(`worst ${metric}`, `${metric}: worst first`), option(`best ${metric}`, `${metric}: best first`));
    }
    byId("sort").replaceChildren(...choices);
    byId("sort").value = this.view.sort;
  }

  visibleRows() {
    const { texts, rows } = this.latest, { system, against, sort, find } = this.view;
    const wanted = find.trim().toLowerCase();
    const has = (text) => text !== undefined && text.toLowerCase().includes(wanted);
    const found = rows.filter((row) => (!system || row.system === system) && row.system !== against
      && (!wanted || has(texts.candidates[row.system][row.place]) || has(texts.originals?.[row.place])));
    const [how, ...rest] = sort.split(" "), metric = rest.join(" ");
    if (!metric) return found;
    const value = (row) => {
      if (how === "lost" || how === "gained") return this.gain(row, metric);
      const score = row.scores[metric];
      return score === null ? null : lowerIsBetter(metric) ? -score : score;
    };
    const down = how === "best" || how === "gained" ? -1 : 1;
    return found.map((row) => [row, value(row)]).sort(([one, a], [other, b]) => {
      if (a === null || b === null) return (a === null) - (b === null) || one.place - other.place; // undefined values stay last
      return down * (a - b) || one.place - other.place;
    }).map(([row]) => row);
  }

  showSentences() {
    const { against } = this.view, { rows: all, metrics } = this.latest;
    this.bases = against ? new Map(all.filter((row) => row.system === against).map((row) => [row.place, row])) : null;
    const rows = this.visibleRows();
    byId("list-head").replaceChildren(make("span", {}, "line"), make("span", {}, against ? `${against}, then the other system` : `${this.besideName()}, then the candidate`),
      ...metrics.map((metric) => make("span", {}, metric)));
    byId("count").textContent = `${rows.length.toLocaleString("en")} of ${all.length.toLocaleString("en")}`;
    this.list.fill(rows);
  }

  besideName() {
    const { originals, references } = this.latest.texts;
    return originals ? "original" : Object.keys(references).length ? "reference" : "nothing";
  }

  // The text that a candidate is shown beside: the compared system's, its original, or its first reference.
  beside({ place }) {
    const { candidates, originals, references } = this.latest.texts;
    if (this.view.against) return candidates[this.view.against][place];
    return originals?.[place] ?? Object.values(references)[0]?.[place] ?? "";
  }

  line(row) {
    const { texts, metrics, ranges } = this.latest;
    const [before, after] = differences(this.beside(row), texts.candidates[row.system][row.place] || "(empty)");
    const cells = metrics.map((metric) => {
      const change = this.view.against ? this.gain(row, metric) : null;
      const told = change === null ? "" : make("small", { class: change < 0 ? "worse" : change > 0 ? "better" : "" }, `${change < 0 ? "▼" : change > 0 ? "▲" : ""} ${shown(Math.abs(change))}`);
      return make("span", { class: "value-of-row", title: metric }, shown(row.scores[metric]) || "–", told || bar(row.scores[metric], ranges[metric]));
    });
    return make("div", { class: "line" },
      make("span", { class: "who" }, make("b", {}, row.segment), Object.keys(texts.candidates).length > 1 ? row.system : ""),
      make("span", { class: "texts-of-row" }, make("span", { class: "before", dir: "auto" }, ...marked(before)), make("span", { class: "after", dir: "auto" }, ...marked(after))),
      ...cells);
  }
}
