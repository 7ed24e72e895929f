// What `sonde check` compared, each with its interval, and the matrix of `sonde pinpoint`.

const CASES_AT_ONCE = 60;

function addCases(section, page) {
  if (!page.cases.length) return;
  section.hidden = false;
  const widest = Math.max(0.02, ...page.cases.map((each) => Math.max(Math.abs(each.low ?? 0), Math.abs(each.high ?? 0), each.threshold)));
  const scale = Math.min(widest, Math.log(4));
  const row = (each) => [
    verdictMark(each.verdict),
    each.benchmark,
    each.configuration,
    each.before && element("span", { class: "whole" }, `${each.before} → ${each.after}`),
    each.size ? `${each.size}` : "",
    each.size ? intervalOf(each, scale) : each.reason,
  ];
  const head = ["verdict", "benchmark", "configuration", "base → head", "change", "90 % interval, and the threshold"];
  const body = (rows) => element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of the compared cases" }, table("The worst first", head, rows.map(row), [4]));
  const holder = element("div", {}, body(page.cases.slice(0, CASES_AT_ONCE)));
  section.append(element("h2", { id: "cases-title" }, "Compared cases"), holder);
  if (page.cases.length > CASES_AT_ONCE) {
    const more = element("button", { type: "button", on: { click: () => { holder.replaceChildren(body(page.cases)); more.remove(); } } }, `Show all ${page.cases.length}`);
    section.append(more);
  }
}

function sideOf(verdict) {
  if (verdict.startsWith("slower") || verdict === "fails") return "slower";
  return verdict.startsWith("faster") ? "faster" : "";
}

function verdictMark(verdict) {
  const side = sideOf(verdict);
  const sign = { slower: "▲ ", faster: "▼ " }[side] ?? "";
  return element("span", { class: side }, element("b", { class: side && "size" }, sign + verdict));
}

// A bar from the low to the high end; the threshold is shaded, and the middle line means no change.
function intervalOf(each, scale) {
  const x = (log) => 100 + 96 * Math.max(-1, Math.min(1, log / scale));
  const side = { slower: "--slower", faster: "--faster" }[sideOf(each.verdict)] ?? "--muted";
  const rect = (from, to, height, style, opacity) =>
    drawn("rect", { x: Math.min(x(from), x(to)), y: 10 - height / 2, width: Math.max(2, Math.abs(x(to) - x(from))), height, fill: `var(${style})`, opacity });
  return drawn(
    "svg",
    { class: "interval", viewBox: "0 0 200 20", role: "img", "aria-label": `${each.interval[0]} to ${each.interval[1]}` },
    rect(-each.threshold, each.threshold, 18, "--line", 0.6),
    drawn("line", { x1: 100, x2: 100, y1: 0, y2: 20, stroke: "var(--muted)", "stroke-width": 1 }),
    rect(each.low, each.high, 6, side, 0.55),
    drawn("circle", { cx: x(each.effect), cy: 10, r: 3.5, fill: `var(${side})` }),
  );
}

function addMatrices(section, page) {
  const filled = page.matrices.filter((matrix) => matrix.cells.length);
  if (!filled.length) return;
  section.hidden = false;
  section.append(element("h2", { id: "matrices-title" }, "Options and revisions"));
  section.append(element("p", { class: "muted small" }, "Each row is a set of options, each column a revision that changed something. The less certain a change is, the paler it is."));
  for (const matrix of filled) section.append(element("h3", {}, matrix.benchmark), matrixTable(matrix));
}

function matrixTable(matrix) {
  const head = matrix.revisions.map((revision) => element("th", { scope: "col", title: revision.subject }, element("code", {}, revision.short)));
  const rows = matrix.terms.map((term, at) => {
    const cells = matrix.revisions.map((_, column) => matrixCell(matrix.cells.find((cell) => cell.term === at && cell.column === column)));
    return element("tr", {}, element("th", { scope: "row" }, term), ...cells);
  });
  return element("div", { class: "scroll matrix", tabindex: "0", role: "region", "aria-label": `Changes of ${matrix.benchmark}` }, element("table", {}, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "options"), ...head)), element("tbody", {}, ...rows)));
}

function matrixCell(cell) {
  if (!cell) return element("td");
  const isSlower = cell.effect > 0;
  const link = element("a", { href: `#change-${encodeURIComponent(cell.change)}`, class: "size", title: `probability ${cell.probability.toFixed(2)}` }, `${isSlower ? "▲" : "▼"} ${cell.size}`);
  const node = element("td", { class: isSlower ? "slower" : "faster" }, link);
  node.style.background = `color-mix(in srgb, var(${isSlower ? "--slower-soft" : "--faster-soft"}) ${Math.round(100 * cell.probability)}%, transparent)`;
  return node;
}
