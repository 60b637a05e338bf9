// What pages keep over a reload, write into files and put into links.
import { Problem, save } from "./web.js";

const KIND = "paragauge workbench";
const MOST_IN_LINK = 30000; // characters; browsers accept more, mail programs do not

// Keep the state of a page over a reload, in this tab only. Returns what to tell if it is too large.
export function keep(page, state) {
  try {
    sessionStorage.setItem(`paragauge-${page}`, JSON.stringify(state));
    return "";
  } catch {
    sessionStorage.removeItem(`paragauge-${page}`);
    return "too much text to survive a reload; use Save as a file";
  }
}

export const forget = (page) => sessionStorage.removeItem(`paragauge-${page}`);

export function kept(page) {
  const text = sessionStorage.getItem(`paragauge-${page}`);
  return text ? JSON.parse(text) : null;
}

export const saveState = (page, state) => save(page === "score" ? "workbench.json" : `workbench-${page}.json`, { kind: KIND, page, ...state });

// The state in a file, or null if the file holds something else.
export function stateIn(name, text) {
  if (!/\.json$/i.test(name) || !text.includes(KIND)) return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(`${name}: damaged; save it again`);
  }
}

// Links: everything is in the fragment, which browsers do not send to any server.

async function packed(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

// A link to this page with a state in it, or null if that would be too long.
export async function linkTo(state) {
  const link = `${location.origin}${location.pathname}#${await packed(state)}`;
  return link.length > MOST_IN_LINK ? null : link;
}

// The state in the link of this page; null if there is none.
export async function stateInLink() {
  if (location.hash.length < 2 || document.getElementById(location.hash.slice(1))) return null;
  try {
    const state = await unpacked(location.hash.slice(1));
    if (!Array.isArray(state.metrics)) throw new Problem("no state");
    return state;
  } catch {
    throw new Problem("the link is damaged; copy it again");
  }
}
