// The list of changes: filters, rows, and what opens below a row.

const SHOWN_AT_ONCE = 100;
const CHANGE_PLOT_HEIGHT = 240;
const NARROW = "(max-width: 46rem)";
const AROUND = 40; // revisions on each side of a change that its plot shows at first
const EVIDENCE = {
  exact: "exactly this revision, and clear of noise",
  range: "one of several revisions; the size is that of all of them",
  "within noise": "the interval includes no change, or it rests on a single run",
  estimated: "inferred from other configurations",
  paired: "base and head were measured in pairs",
  counted: "instructions of base and head were counted",
};

// Fills the section; returns what opens the change of a key.
function addChanges(section, source) {
  if (!source.page.changes.length && source.page.cases.length) section.hidden = true;
  const list = element("ol", { class: "changes" });
  const state = { benchmark: "", option: "", author: "", since: "", until: "", direction: "", limit: SHOWN_AT_ONCE };
  const view = { source, list, state, status: element("p", { class: "muted small", role: "status" }), more: null };
  view.more = element("button", { type: "button", on: { click: () => showMore(view) } }, "Show more");
  section.append(element("h2", { id: "changes-title" }, "Changes"));
  if (source.page.changes.length > 3) section.append(filtersOf(view));
  section.append(view.status, list, view.more);
  showChanges(view);
  return (key) => openKey(view, key);
}

function filtersOf(view) {
  const { changes } = view.source.page;
  const distinct = (values) => [...new Set(values)].sort();
  const set = (name) => (value) => filter(view, { [name]: value });
  const day = (label, name) =>
    element("label", {}, label, element("input", { type: "date", on: { change: (event) => set(name)(event.target.value) } }));
  const direction = choice("Direction", [["", "all"], ["slower", "▲ slower"], ["faster", "▼ faster"]], "", set("direction"));
  const filters = element("form", { class: "filters", "aria-label": "Filter the changes" }, direction);
  const benchmarks = distinct(changes.map((change) => change.benchmark));
  const options = distinct(changes.flatMap((change) => change.options));
  const authors = distinct(changes.map((change) => change.revision.author));
  if (benchmarks.length > 1) filters.append(selection("Benchmark", "all benchmarks", benchmarks, set("benchmark")));
  if (options.length) filters.append(selection("Option", "all options", options, set("option")));
  if (authors.length > 1) filters.append(selection("Author", "all authors", authors, set("author")));
  filters.append(day("From", "since"), day("To", "until"));
  filters.addEventListener("submit", (event) => event.preventDefault());
  // On a phone the list comes first, and the filters open on demand.
  return element("details", { class: "filter-box", open: !matchMedia(NARROW).matches }, element("summary", {}, "Filter"), filters);
}

function filter(view, wanted) {
  Object.assign(view.state, wanted, { limit: SHOWN_AT_ONCE });
  showChanges(view);
}

function showMore(view) {
  view.state.limit += SHOWN_AT_ONCE;
  showChanges(view);
}

function isWanted(change, state) {
  const { date, author } = change.revision;
  return (
    (!state.benchmark || change.benchmark === state.benchmark) &&
    (!state.option || change.options.includes(state.option)) &&
    (!state.author || author === state.author) &&
    (!state.since || date >= state.since) &&
    (!state.until || date <= state.until) &&
    (!state.direction || change.is_slower === (state.direction === "slower"))
  );
}

function showChanges(view) {
  const { changes } = view.source.page;
  const wanted = changes.filter((change) => isWanted(change, view.state));
  const largest = Math.max(...changes.map((change) => Math.abs(change.effect)), 1e-9);
  const shown = wanted.slice(0, view.state.limit);
  view.list.replaceChildren(...shown.map((change) => changeRow(view, change, largest)));
  view.more.hidden = shown.length === wanted.length;
  view.status.textContent = changes.length
    ? `${wanted.length === changes.length ? counted(changes.length, "change") : `${wanted.length} of ${counted(changes.length, "change")}`}: regressions first, then by size and certainty`
    : "No change was found.";
}

function changeRow(view, change, largest) {
  const side = change.is_slower ? "slower" : "faster";
  const link = element(
    "a",
    { href: `#change-${encodeURIComponent(change.key)}`, "aria-expanded": "false", on: { click: (event) => clicked(event, change.key) } },
    sizeCell(change, largest),
    whenCell(change),
    placeCell(change),
    element("span", { class: "cell known" }, element("span", { class: `badge ${change.evidence.replace(" ", "-")}`, title: EVIDENCE[change.evidence] }, evidenceText(change))),
  );
  const row = element("li", { class: `change ${side}`, id: `change-${change.key}` }, link);
  row.change = change;
  if (location.hash === link.hash) openRow(view, row);
  return row;
}

// A second click on an open change closes it.
function clicked(event, key) {
  if (location.hash !== `#change-${encodeURIComponent(key)}`) return;
  event.preventDefault();
  history.pushState(null, "", location.pathname + location.search);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

function sizeCell(change, largest) {
  const bar = element("i");
  bar.style.width = `${Math.max(2, (100 * Math.abs(change.effect)) / largest)}%`;
  return element(
    "span",
    { class: "cell" },
    element("span", { class: "size" }, `${change.is_slower ? "▲" : "▼"} ${change.size}`),
    element("span", { class: "muted small" }, intervalText(change)),
    element("span", { class: "bar", "aria-hidden": "true" }, bar),
  );
}

// Empty where there is no noise, as of counted instructions.
function intervalText(change) {
  const [low, high] = change.interval;
  return low === high ? "" : `${low} to ${high}`;
}

function whenCell(change) {
  const { short, date, author, subject } = change.revision;
  const head = change.apart > 1 ? `${change.earliest.short} … ${short}` : short;
  const what = change.apart > 1 ? `one of ${change.apart.toLocaleString("en")} revisions` : subject;
  const whose = change.apart > 1 ? date : `${date} · ${author}`;
  return element(
    "span",
    { class: "cell when" },
    element("span", {}, what),
    element("span", { class: "muted small" }, element("code", {}, head), ` · ${whose}`),
  );
}

function placeCell(change) {
  return element(
    "span",
    { class: "cell place" },
    element("span", {}, element("b", {}, change.benchmark)),
    element("span", { class: "small" }, change.where),
  );
}

function evidenceText(change) {
  return change.evidence === "range" ? `range of ${change.apart.toLocaleString("en")}` : change.evidence;
}

// Opens the change of a key, whatever the filters say, and closes the others. No key: closes all.
function openKey(view, key) {
  for (const row of view.list.children) if (row.change.key !== key) closeRow(row);
  if (key === null) return null;
  const at = view.source.page.changes.findIndex((change) => change.key === key);
  if (at < 0) return null;
  let row = rowOfKey(view, key);
  if (!row) {
    Object.assign(view.state, { benchmark: "", option: "", author: "", since: "", until: "", direction: "" });
    view.state.limit = Math.max(view.state.limit, at + 1);
    showChanges(view);
    row = rowOfKey(view, key);
  }
  openRow(view, row);
  return row;
}

function rowOfKey(view, key) {
  return [...view.list.children].find((row) => row.change.key === key);
}

function closeRow(row) {
  if (!row.classList.contains("open")) return;
  row.classList.remove("open");
  row.firstChild.setAttribute("aria-expanded", "false");
  row.plot?.remove();
  row.lastChild.remove();
}

function openRow(view, row) {
  if (row.classList.contains("open")) return;
  const { change } = row;
  row.classList.add("open");
  row.firstChild.setAttribute("aria-expanded", "true");
  const facts = element("div", {}, changeFacts(change), commandLine(change.command));
  const chart = element("div", { class: "chart" });
  row.append(element("div", { class: "detail" }, facts, change.series.length ? chart : null));
  if (change.series.length) row.plot = addChangePlot(view.source, chart, change);
}

function changeFacts(change) {
  const range = change.apart > 1 ? `${change.apart} revisions, ${change.earliest.id.slice(0, 12)} to ${change.revision.id.slice(0, 12)}` : change.revision.id;
  return definitions([
    ["Before and after", change.before && `${change.before} → ${change.after}`],
    ["90 % interval", intervalText(change)],
    ["Least of its configurations", change.least],
    [change.apart > 1 ? "Range" : "Revision", element("code", {}, range)],
    ["Where", `${change.benchmark} ${change.where}`],
    ["Evidence", `${change.evidence}: ${EVIDENCE[change.evidence]}`],
    ["Further", change.note],
  ]);
}

function addChangePlot(source, chart, change) {
  const [number] = change.series;
  const positions = source.page.series[number].changes;
  const effect = (each) => each.size === change.size && each.is_slower === change.is_slower;
  const own = positions.find(effect) ?? positions[0];
  const length = source.page.revisions.length;
  const around = [Math.max(0, own.earliest - AROUND), Math.min(length, own.latest + AROUND + 1)];
  const focus = { earliest: own.earliest, latest: own.latest, isSlower: change.is_slower };
  chart.append(element("h3", {}, seriesName(source.page.series[number])));
  return addPlot(chart, source, { numbers: [number], height: CHANGE_PLOT_HEIGHT, label: `History of ${seriesName(source.page.series[number])}`, around, focus });
}
