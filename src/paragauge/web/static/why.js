// The panel "Why" (_results.html): explanations of one sentence, with a tab for each metric.
import { byId, copy, make, post, shown } from "./web.js";

// The server has escaped every text in it.
function piece(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
}

export class Why {
  // tabs(row) returns the names of tabs; explain(row, name) returns a promise of an explanation with its HTML;
  // move(step) goes to another sentence; closed() is told when the panel was closed.
  constructor({ tabs, explain, move, closed }) {
    Object.assign(this, { tabs, explain, move, closed, now: null });
    byId("previous").addEventListener("click", () => move(-1));
    byId("next").addEventListener("click", () => move(1));
    byId("close").addEventListener("click", () => this.close());
    byId("why-json").addEventListener("click", () => {
      const found = [...this.now.explanations.values()].map(({ html, ...data }) => data);
      copy(JSON.stringify(found, null, 1), byId("why-copied"), "copied");
    });
    byId("tabs").addEventListener("keydown", (event) => this.tabKey(event));
    byId("why").addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  get isOpen() {
    return !byId("why").classList.contains("hidden");
  }

  open(row) {
    const names = this.tabs(row);
    const tab = names.includes(this.now?.tab) ? this.now.tab : names[0];
    this.now = { row, tab, names, explanations: new Map() };
    byId("why-title").textContent = `Why: ${row.system}, line ${row.segment}`;
    byId("why-copied").textContent = "";
    byId("why").classList.remove("hidden");
    document.querySelector(".split").classList.add("with-why");
    this.showTabs();
    this.showTab();
  }

  close() {
    if (!this.isOpen) return;
    byId("why").classList.add("hidden");
    document.querySelector(".split").classList.remove("with-why");
    this.now = null;
    byId("list").focus({ preventScroll: true });
    this.closed();
  }

  showTabs() {
    const { row, tab, names } = this.now;
    byId("tabs").replaceChildren(...names.map((name) => {
      const here = name === tab, score = row.scores[name];
      return make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(here), "aria-controls": "why-content", tabindex: here ? "0" : "-1",
        onclick: () => this.choose(name) }, name, " ", make("span", { class: "tab-value" }, score === undefined ? "" : shown(score)));
    }));
  }

  choose(name, focus = false) {
    this.now.tab = name;
    this.showTabs();
    if (focus) byId(`tab-${name}`).focus();
    this.showTab();
  }

  async showTab() {
    const own = this.now, { tab, row } = own, content = byId("why-content");
    const current = () => own === this.now && own.tab === tab;
    let made;
    try {
      if (!own.explanations.has(tab)) {
        const waiting = setTimeout(() => current() && content.replaceChildren(make("p", { class: "waiting" }, `${tab} …`)), 150);
        try {
          own.explanations.set(tab, await this.explain(row, tab));
        } finally {
          clearTimeout(waiting);
        }
      }
      made = piece(own.explanations.get(tab).html);
    } catch (error) {
      made = make("p", { class: "error" }, error.message);
    }
    if (!current()) return;
    content.replaceChildren(made);
    content.parentElement.scrollTop = 0;
  }

  tabKey(event) {
    const { names, tab } = this.now, here = names.indexOf(tab);
    const wanted = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: names.length - 1 }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    this.choose(names[(wanted + names.length) % names.length], true);
  }

  key(event) {
    if (event.target.closest("input, textarea, select, .scroll") || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target.id === "why-content") return; // there, arrows scroll
    event.preventDefault();
    this.move(step);
  }
}

// Ask the server why a candidate has its score by a metric.
export async function explanation(texts, { system, place }, metric) {
  return (await post("/api/explain", { ...sentence(texts, { system, place }), metrics: [metric], html: true })).explanations[0];
}

// One candidate with the texts that it is compared with.
export function sentence(texts, { system, place }) {
  return {
    candidate: texts.candidates[system][place],
    original: texts.originals?.[place] ?? null,
    references: Object.values(texts.references).map((lines) => lines[place]).filter((text) => text.trim()),
  };
}
