// The histories: a table of all series, and one plot of those that are chosen.

const MOST_CHOSEN = 8;
const SERIES_AT_ONCE = 25;
const HISTORY_PLOT_HEIGHT = 340;

function addHistories(section, source) {
  const { series } = source.page;
  if (!series.length) return null;
  section.hidden = false;
  const order = series.map((_, number) => number).sort((one, other) => largest(series[other]) - largest(series[one]));
  const view = { source, order, chosen: [order[0]], limit: SERIES_AT_ONCE, text: "", plot: null };
  view.sentence = element("p", {});
  section.append(element("h2", { id: "histories-title" }, "Histories"), view.sentence);
  view.plot = addPlot(section, source, { numbers: view.chosen, height: HISTORY_PLOT_HEIGHT, label: "History of the chosen series; the table below has its values", hasScale: true });
  if (series.length > 1) section.append(seriesChooser(view));
  describeChosen(view);
  return view.plot;
}

function largest(series) {
  return Math.max(0, ...series.changes.map((change) => Math.abs(Math.log(change.after / change.before))));
}

function describeChosen(view) {
  const { series } = view.source.page;
  const [first, ...others] = view.chosen.map((number) => series[number]);
  const text = others.length ? `${view.chosen.length} series, relative to their first value. ` : "";
  view.sentence.replaceChildren(element("b", {}, `${seriesName(first)}: `), text + first.sentence);
}

function seriesChooser(view) {
  view.body = element("tbody");
  view.note = element("p", { class: "muted small", role: "status" });
  view.more = element("button", { type: "button", on: { click: () => showSeriesRows(view, view.limit + 100) } }, "Show more");
  const search = element("input", { type: "search", on: { input: () => searchSeries(view, search.value) } });
  const head = ["", "series", "history", "largest change", "changes", "measured", "proven equal", "failed"];
  const cells = head.map((text, at) =>
    element("th", { scope: "col", class: at > 4 ? "number optional" : at > 2 ? "number" : null }, text || element("span", { class: "muted" }, "plot")),
  );
  const chooser = element("table", {}, element("thead", {}, element("tr", {}, ...cells)), view.body);
  const filters = element("div", { class: "filters find" }, element("label", {}, "Find series", search));
  showSeriesRows(view, SERIES_AT_ONCE);
  const isLong = view.source.page.series.length > SERIES_AT_ONCE;
  return element("div", {}, isLong ? filters : null, element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All series" }, chooser), view.note, view.more);
}

function searchSeries(view, text) {
  view.text = text.toLowerCase();
  showSeriesRows(view, SERIES_AT_ONCE);
}

function showSeriesRows(view, limit) {
  const { series } = view.source.page;
  const wanted = view.order.filter((number) => seriesName(series[number]).toLowerCase().includes(view.text));
  view.limit = limit;
  view.body.replaceChildren(...wanted.slice(0, limit).map((number) => seriesRow(view, number)));
  view.more.hidden = wanted.length <= limit;
  view.note.textContent = `${counted(wanted.length, "series").replace("seriess", "series")}; at most ${MOST_CHOSEN} are plotted together`;
}

function seriesRow(view, number) {
  const series = view.source.page.series[number];
  const box = element("input", {
    type: "checkbox",
    "aria-label": `Plot ${seriesName(series)}`,
    on: { change: () => choose(view, number, box) },
  });
  box.checked = view.chosen.includes(number);
  const most = series.changes.reduce((found, each) => (size(each) > size(found) ? each : found), series.changes[0]);
  const numbers = [series.changes.length, series.measured, series.proven, series.failed].map((each) => each.toLocaleString("en"));
  return element(
    "tr",
    { class: box.checked ? "chosen" : null },
    element("td", {}, box),
    element("td", {}, seriesName(series)),
    element("td", {}, sparkOf(series.spark)),
    element("td", { class: `number ${most ? (most.is_slower ? "slower" : "faster") : ""}` }, most ? `${most.is_slower ? "▲" : "▼"} ${most.size}` : ""),
    ...numbers.map((each, at) => element("td", { class: at ? "number optional" : "number" }, each)),
  );
}

function size(change) {
  return Math.abs(Math.log(change.after / change.before));
}

function choose(view, number, box) {
  const others = view.chosen.filter((each) => each !== number);
  const chosen = box.checked ? [...others, number] : others;
  if (!chosen.length || chosen.length > MOST_CHOSEN) {
    box.checked = !box.checked;
    return;
  }
  const wasSingle = view.chosen.length === 1;
  view.chosen = chosen;
  box.closest("tr").classList.toggle("chosen", box.checked);
  if (wasSingle !== (chosen.length === 1)) view.plot.scale(chosen.length > 1);
  view.plot.show(chosen);
  describeChosen(view);
}

// A line from letters that stand for heights; blanks are gaps.
function sparkOf(letters) {
  const levels = "0123456789abcdefghijklmnopqrstuvwxyz";
  let path = "";
  let isDrawing = false;
  [...letters].forEach((letter, at) => {
    const level = levels.indexOf(letter);
    const y = 35 - level;
    if (level >= 0) path += isDrawing ? `V${y}H${at + 1}` : `M${at} ${y}H${at + 1}`;
    isDrawing = level >= 0;
  });
  return drawn("svg", { class: "spark", viewBox: `0 -1 ${Math.max(letters.length, 1)} 38`, preserveAspectRatio: "none", "aria-hidden": "true" }, drawn("path", { d: path || "M0 0" }));
}
