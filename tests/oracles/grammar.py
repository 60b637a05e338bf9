"""Slow and obvious re-implementations of rule extraction and synchronous parsing."""

from itertools import combinations

from paragauge.grammar import Nonterminal


def phrase_pairs(source, target, links, limits):
    """All consistent boxes (i, j, k, l) within the limits."""
    boxes = set()
    for i in range(len(source)):
        for j in range(i + 1, min(len(source), i + (limits.max_span or 10**9)) + 1):
            for k in range(len(target)):
                for l in range(k + 1, min(len(target), k + (limits.max_target_span or 10**9)) + 1):  # noqa: E741
                    inside = [(s, t) for s, t in links if i <= s < j and k <= t < l]
                    crossing = any((i <= s < j) != (k <= t < l) for s, t in links)
                    if not inside or crossing:
                        continue
                    edges = ({s for s, _ in inside} >= {i, j - 1}) and ({t for _, t in inside} >= {k, l - 1})
                    if edges or not limits.tight:
                        boxes.add((i, j, k, l))
    return boxes


def side_text(words, first, last, gaps):
    """Words with gaps [(begin, end, text)] replaced."""
    out, place = [], first
    for begin, end, text in sorted(gaps):
        out += [*words[place:begin], text]
        place = end
    return out + words[place:last]


def extract(source, target, links, limits, label, default="", default_for="phrases"):
    """A list of (lhs, source side, target side), one for each occurrence; label(i, j, k, l) is a string or ''."""
    boxes = phrase_pairs(source, target, links, limits)
    rules = []
    for box in boxes:
        i, j, k, l = box  # noqa: E741
        inner = [b for b in boxes if i <= b[0] and b[1] <= j and k <= b[2] and b[3] <= l and b[:2] != (i, j)]
        for count in range(limits.max_nonterminals + 1):
            for gaps in combinations(sorted(inner), count):
                if count == 2:
                    (_, b, c, d), (e, _, g, h) = gaps
                    if not (b <= e and (d <= g or h <= c)):
                        continue
                    if not limits.adjacent and b == e:
                        continue
                here = default if default_for == "all" or not gaps else ""
                lhs, *names = (label(*each) or here for each in (box, *gaps))
                if not lhs or not all(names):
                    continue
                texts = [f"[{name},{number}]" for number, name in enumerate(names, start=1)]
                left = side_text(source, i, j, [(g[0], g[1], t) for g, t in zip(gaps, texts, strict=True)])
                right = side_text(target, k, l, [(g[2], g[3], t) for g, t in zip(gaps, texts, strict=True)])
                covered = [(g[0], g[1]) for g in gaps]
                free = [s for s, t in links if i <= s < j and k <= t < l and not any(a <= s < b for a, b in covered)]
                if gaps:
                    if len(free) < limits.min_links or len(left) > (limits.max_symbols or 10**9):
                        continue
                    if len(right) > (limits.max_target_symbols or 10**9):
                        continue
                elif len(left) > (limits.max_words or 10**9):
                    continue
                rules.append((lhs, " ".join(left), " ".join(right)))
    return rules


def span_label(tree, first, last, labels):
    """The label of a span: the lowest constituent, else (samt) A+B, (samt and ccg) A/B, A\\B."""
    names = {}
    for span in tree.spans:
        names[span.begin, span.end] = span.label
    for place, tag in enumerate(tree.tags):
        names[place, place + 1] = tag
    if (first, last) in names or labels == "constituents":
        return names.get((first, last), "")
    length = len(tree.words)
    for middle in range(first + 1, last) if labels == "samt" else ():
        if (first, middle) in names and (middle, last) in names:
            return f"{names[first, middle]}+{names[middle, last]}"
    for end in range(last + 1, length + 1):
        if (first, end) in names and (last, end) in names:
            return f"{names[first, end]}/{names[last, end]}"
    for start in range(first - 1, -1, -1):
        if (start, last) in names and (start, first) in names:
            return f"{names[start, last]}\\{names[start, first]}"
    return ""


def matches(symbols, words, first, last):
    """All ways to lay symbols over words[first:last]: dictionaries of nonterminal index to span."""
    if not symbols:
        if first == last:
            yield {}
        return
    head, *rest = symbols
    if isinstance(head, Nonterminal):
        for end in range(first + 1, last + 1):
            for more in matches(rest, words, end, last):
                yield {**more, head.index: (first, end)}
    elif first < last and words[first] == head:
        yield from matches(rest, words, first + 1, last)


def derives(rules, source, target, options):
    """Whether the pair is in the language, by applying all rules to all spans until nothing is new."""
    known = {symbol for rule in rules for symbol in rule.source if isinstance(symbol, str)}
    items = set()
    for i, word in enumerate(source):
        if options.pass_through == "all" or (options.pass_through == "unknown" and word not in known):  # noqa: S105
            items |= {("X", i, i + 1, k, k + 1) for k, other in enumerate(target) if other == word}
    spans = [(i, j) for i in range(len(source)) for j in range(i + 1, len(source) + 1)]
    others = [(k, l) for k in range(len(target)) for l in range(k + 1, len(target) + 1)]  # noqa: E741
    spans = [(i, j) for i, j in spans if j - i <= (options.max_span or 10**9)]
    others = [(k, l) for k, l in others if l - k <= (options.max_target_span or 10**9)]  # noqa: E741
    candidates = []
    for rule in rules:
        labels = {symbol.index: symbol.label for symbol in rule.source if isinstance(symbol, Nonterminal)}
        lefts = [(span, m) for span in spans for m in matches(rule.source, source, *span)]
        rights = [(span, m) for span in others for m in matches(rule.target, target, *span)]
        for (i, j), left in lefts:
            for (k, l), right in rights:  # noqa: E741
                parts = [(labels[n], *left[n], *right[n]) for n in labels]
                candidates.append(((rule.lhs, i, j, k, l), parts))
    fresh = True
    while fresh:
        fresh = False
        for item, parts in candidates:
            if item not in items and all(part in items for part in parts):
                items.add(item)
                fresh = True
    if not options.glue:
        return any((label, 0, len(source), 0, len(target)) in items for label, *_ in list(items))
    reached = {(0, 0)}
    fresh = True
    while fresh:
        more = {(j, l) for _, i, j, k, l in items if (i, k) in reached} - reached  # noqa: E741
        reached |= more
        fresh = bool(more)
    return len(source) > 0 and (len(source), len(target)) in reached
