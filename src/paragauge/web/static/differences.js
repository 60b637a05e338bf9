// Words that differ between two texts, for lists of sentences.

const MOST_WORDS = 150; // of a text; comparing longer ones for every visible line takes too long

const pieces = (text) => text.match(/[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu) ?? [];

// Return both texts as lists of [text, differs], by their longest common subsequence of words.
export function differences(one, other) {
  const a = pieces(one), b = pieces(other);
  if (a.length > 2 * MOST_WORDS || b.length > 2 * MOST_WORDS || !a.length || !b.length) return [[[one, false]], [[other, false]]];
  const small = a.map((piece) => piece.toLowerCase()), otherSmall = b.map((piece) => piece.toLowerCase());
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i][j] = small[i] === otherSmall[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  const marked = [[], []];
  const add = (side, text, changed) => {
    const differs = changed && text.trim() !== "";
    const last = marked[side].at(-1);
    if (last && last[1] === differs) last[0] += text;
    else marked[side].push([text, differs]);
  };
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && small[i] === otherSmall[j]) {
      add(0, a[i++], false);
      add(1, b[j++], false);
    } else if (j >= b.length || (i < a.length && table[i + 1][j] >= table[i][j + 1])) add(0, a[i++], true);
    else add(1, b[j++], true);
  }
  return marked;
}
