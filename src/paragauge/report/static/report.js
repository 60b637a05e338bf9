// Sorts tables and shows the sentences behind points. The page is readable without it.
"use strict";

function sortBy(table, column, header) {
  const down = header.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const rows = [...body.rows].map((row, place) => ({ row, place, value: value(row) }));
  const numeric = rows.every(({ value }) => value === "" || !Number.isNaN(Number(value)));
  rows.sort((one, other) => {
    if ((one.value === "") !== (other.value === "")) return one.value === "" ? 1 : -1; // missing values stay last
    const order = numeric ? Number(one.value) - Number(other.value) : one.value.localeCompare(other.value);
    return (down ? -order : order) || one.place - other.place;
  });
  for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...rows.map(({ row }) => row));
}

function add(parent, tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  parent.append(element);
  return element;
}

function show(figure, point, items) {
  figure.querySelector(".chosen")?.classList.remove("chosen");
  point.classList.add("chosen");
  const reading = figure.querySelector(".reading");
  reading.replaceChildren();
  add(reading, "strong", point.dataset.label);
  add(reading, "span", " (" + point.dataset.values + ")");
  const item = point.dataset.item === undefined ? undefined : items[Number(point.dataset.item)];
  if (item && item.texts.length) {
    const list = document.createElement("dl");
    for (const [name, text] of item.texts) {
      add(list, "dt", name);
      add(list, "dd", text).dir = "auto";
    }
    reading.append(list);
  }
}

// Makes the tables and plots below *root* interactive; *items* are the candidates behind the points.
function enliven(root, items) {
  for (const table of root.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((header, column) => {
      header.querySelector("button").addEventListener("click", () => sortBy(table, column, header));
    });
  }
  for (const figure of root.querySelectorAll("figure.scatter")) {
    const plot = figure.querySelector("svg");
    const points = [...plot.querySelectorAll(".point")];
    const inOrder = [...points].sort((one, other) => one.cx.baseVal.value - other.cx.baseVal.value);
    plot.addEventListener("pointerover", (event) => {
      if (event.target.classList.contains("point")) show(figure, event.target, items);
    });
    plot.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (step === undefined || inOrder.length === 0) return;
      event.preventDefault();
      const now = inOrder.findIndex((point) => point.classList.contains("chosen"));
      const next = now < 0 ? (step > 0 ? 0 : inOrder.length - 1) : (now + step + inOrder.length) % inOrder.length;
      show(figure, inOrder[next], items);
    });
  }
}

// A link to a folded section opens it.
function unfold() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  const inside = target?.querySelector(":scope > details");
  if (inside) inside.open = true;
}

// Folded sections are printed, and folded again afterwards.
function unfoldForPrinting() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
}

addEventListener("hashchange", unfold);
unfoldForPrinting();
unfold();

const own = document.getElementById("items");
if (own) enliven(document, JSON.parse(own.textContent));
