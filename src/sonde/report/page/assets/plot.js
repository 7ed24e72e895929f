// A plot: what it shows, how it is zoomed, hovered and pinned.

const LEAST_SHOWN = 4; // revisions, when zoomed in as far as possible
const DRAG_FROM = 6; // pixels; less is a click
const TABLE_ROWS = 1000;

// Adds a plot of some series to `parent`. `focus` is the change that it is about.
function addPlot(parent, source, wanted) {
  const length = source.page.revisions.length;
  const [from, to] = wanted.around ?? [0, length];
  const plot = {
    source,
    numbers: wanted.numbers,
    focus: wanted.focus ?? null,
    state: { from, to, byDate: false, isRelative: wanted.numbers.length > 1, base: 0, hovered: null, pinned: null, dragged: null },
    revisions: null,
    courses: [],
    isDrawn: false,
  };
  buildPlot(parent, plot, wanted);
  loadPlot(plot);
  const handle = {
    redraw: () => repaint(plot),
    show: (numbers) => showSeries(plot, numbers),
    scale: (isRelative) => plot.scaleChoice?.children[isRelative ? 1 : 0].click(),
    remove: () => {
      plot.resized.disconnect();
      source.plots.delete(handle);
    },
  };
  source.plots.add(handle);
  return handle;
}

function buildPlot(parent, plot, wanted) {
  plot.canvas = element("canvas", {
    tabindex: "0",
    role: "img",
    "aria-label": wanted.label,
    height: String(wanted.height),
  });
  plot.canvas.style.height = `${wanted.height}px`;
  plot.tip = element("div", { class: "tip", hidden: true });
  plot.legend = element("ul", { class: "legend" });
  plot.pin = element("div", { class: "pinned", hidden: true, role: "status" });
  plot.table = element("details", { on: { toggle: () => fillTable(plot) } }, element("summary", {}, "Table of these values"));
  const area = element("div", { class: "plot" }, plot.canvas, plot.tip);
  parent.append(plotTools(plot, wanted), area, plot.legend, plot.pin, plot.table);
  listen(plot);
  plot.resized = new ResizeObserver(() => redraw(plot));
  plot.resized.observe(area);
}

async function loadPlot(plot) {
  const { library } = plot.source;
  plot.revisions = await library.revisions();
  plot.times = risingTimes(plot.revisions.committed_at);
  await showSeries(plot, plot.numbers);
}

async function showSeries(plot, numbers) {
  plot.numbers = numbers;
  plot.courses = await Promise.all(numbers.map((number) => plot.source.library.course(number)));
  plot.legend.replaceChildren(...legendOf(plot));
  fillTable(plot);
  redraw(plot);
}

function plotTools(plot, wanted) {
  const button = (text, label, act) =>
    element("button", { type: "button", "aria-label": label, on: { click: act } }, text);
  const tools = element(
    "div",
    { class: "tools" },
    choice("Horizontal axis", [[false, "by revision"], [true, "by date"]], false, (byDate) => changed(plot, { byDate })),
    element(
      "span",
      { class: "choice" },
      button("+", "Zoom in", () => zoom(plot, 0.5)),
      button("−", "Zoom out", () => zoom(plot, 2)),
      button("All", "Show all revisions", () => changed(plot, { from: 0, to: plot.source.page.revisions.length })),
    ),
  );
  if (wanted.hasScale) tools.prepend(scaleTools(plot));
  return tools;
}

function scaleTools(plot) {
  const { tags } = plot.source.page;
  const values = choice("Vertical axis", [[false, "values"], [true, "relative"]], plot.state.isRelative, (isRelative) =>
    changed(plot, { isRelative }),
  );
  plot.scaleChoice = values;
  if (!tags.length) return values;
  const bases = element("select", { "aria-label": "Relative to", on: { change: () => changed(plot, { base: Number(bases.value) }) } });
  bases.append(element("option", { value: "0" }, "to the first value"));
  for (const [position, name] of tags) bases.append(element("option", { value: position }, `to ${name}`));
  return element("span", { class: "choice" }, values, bases);
}

function changed(plot, state) {
  Object.assign(plot.state, state);
  redraw(plot);
}

// Draws with the colours of another theme.
function repaint(plot) {
  plot.legend.replaceChildren(...legendOf(plot));
  redraw(plot);
}

// Draws at most once a frame.
function redraw(plot) {
  if (plot.isDrawn) return;
  plot.isDrawn = true;
  requestAnimationFrame(() => {
    plot.isDrawn = false;
    if (plot.courses.length && plot.canvas.clientWidth) paint(prepared(plot.canvas), viewOf(plot));
  });
}

// The context of a canvas whose dots are those of the screen.
function prepared(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function viewOf(plot) {
  const { canvas, state, revisions } = plot;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const view = {
    ...state,
    width,
    height,
    length: plot.source.page.revisions.length,
    frame: frameOf(width, height, plot.courses.length),
    positions: positionScale(state.from, state.to, state.byDate ? plot.times : null),
    palette: palette(),
    tags: plot.source.page.tags,
    changes: changesOf(plot),
    nameOf: (position) => (state.byDate ? dayOf(plot.times[position]) : revisions.id[position].slice(0, 8)),
  };
  view.lines = plot.courses.map((course, at) => lineOf(plot, view, course, at));
  view.values = valuesOf(view);
  view.label = labelOf(plot);
  plot.view = view;
  return view;
}

function palette() {
  const names = { ink: "--ink", muted: "--muted", line: "--line", panel: "--panel", failed: "--failed" };
  const sides = { slower: "--slower", faster: "--faster", slowerSoft: "--slower-soft", fasterSoft: "--faster-soft" };
  return Object.fromEntries(Object.entries({ ...names, ...sides }).map(([key, name]) => [key, colour(name)]));
}

function changesOf(plot) {
  const all = plot.numbers.flatMap((number) => plot.source.page.series[number].changes);
  return all.map((change) => ({ ...change, isFocus: plot.focus !== null && isFocus(plot, change) }));
}

function isFocus(plot, change) {
  const { earliest, latest, isSlower } = plot.focus;
  return change.earliest <= latest && change.latest >= earliest && change.is_slower === isSlower;
}

function lineOf(plot, view, course, at) {
  const line = {
    course,
    offset: plot.state.isRelative ? baseOf(course, plot.state.base) : 0,
    colour: seriesColour(at),
    dash: DASHES[at % DASHES.length],
  };
  line.slices = slicesOf(view, line);
  return line;
}

// The first value from a position on, which relative values are compared with.
function baseOf(course, position) {
  for (let row = rowAt(course, position); row < course.count; row += 1) {
    if (hasValue(course, row)) return (course.low[row] + course.high[row]) / 2;
  }
  return 0;
}

// The scale of all values, and of as much of their bands as does not press the lines flat.
function valuesOf(view) {
  const slices = view.lines.flatMap((line) => line.slices);
  if (!slices.length) return valueScale(0, 0);
  const least = (read) => slices.reduce((found, slice) => Math.min(found, read(slice)), Infinity);
  const low = least((slice) => slice.low);
  const high = -least((slice) => -slice.high);
  const margin = Math.max((high - low) / 3, 0.004);
  const floor = Math.max(least((slice) => slice.floor), low - margin);
  const ceiling = Math.min(-least((slice) => -slice.ceiling), high + margin);
  return valueScale(floor, ceiling);
}

function labelOf(plot) {
  if (plot.state.isRelative) return percent;
  const { unit } = plot.source.page.series[plot.numbers[0]];
  return (log) => quantity(log, unit);
}

function legendOf(plot) {
  const line = (at) =>
    drawn(
      "svg",
      { width: 26, height: 10, "aria-hidden": "true" },
      drawn("line", { x1: 0, y1: 5, x2: 26, y2: 5, stroke: seriesColour(at), "stroke-width": 2, "stroke-dasharray": DASHES[at].join(" ") }),
    );
  const names = plot.numbers.map((number, at) => element("li", {}, line(at), seriesName(plot.source.page.series[number])));
  const marks = ["● measured", "| proven equal", "× failed", "no mark: estimated, never looked at", "▲▼ change", "band: 90 %"];
  return [...names, ...marks.map((mark) => element("li", {}, mark))];
}

function seriesName(series) {
  return series.configuration === "default" ? series.benchmark : `${series.benchmark}, ${series.configuration}`;
}

// Zooms around a position, the middle if none is given.
function zoom(plot, factor, around = (plot.state.from + plot.state.to) / 2) {
  const { from, to } = plot.state;
  const length = plot.source.page.revisions.length;
  const span = Math.min(length, Math.max(Math.min(LEAST_SHOWN, length), (to - from) * factor));
  const start = around - ((around - from) / (to - from)) * span;
  move(plot, start, span);
}

function move(plot, start, span) {
  const length = plot.source.page.revisions.length;
  const from = Math.min(Math.max(0, start), length - span);
  changed(plot, { from, to: from + span });
}

function listen(plot) {
  const { canvas } = plot;
  canvas.addEventListener("pointerdown", (event) => pressed(plot, event));
  canvas.addEventListener("pointermove", (event) => moved(plot, event));
  canvas.addEventListener("pointerup", (event) => released(plot, event));
  canvas.addEventListener("pointercancel", () => changed(plot, { dragged: null }));
  canvas.addEventListener("pointerleave", () => hover(plot, null));
  canvas.addEventListener("dblclick", () => changed(plot, { from: 0, to: plot.source.page.revisions.length }));
  canvas.addEventListener("wheel", (event) => wheeled(plot, event), { passive: false });
  canvas.addEventListener("keydown", (event) => typed(plot, event));
}

function positionOf(plot, event) {
  if (!plot.view) return null;
  const { frame, positions, length } = plot.view;
  const place = (event.offsetX - frame.left) / (frame.right - frame.left);
  if (place < 0 || place > 1) return null;
  return Math.min(length - 1, Math.max(0, Math.floor(positions.position(place))));
}

function pressed(plot, event) {
  if (event.button === 0 && event.pointerType === "mouse") changed(plot, { dragged: [event.offsetX, event.offsetX] });
}

function moved(plot, event) {
  if (plot.state.dragged) plot.state.dragged = [plot.state.dragged[0], event.offsetX];
  hover(plot, positionOf(plot, event), event.offsetX);
}

function released(plot, event) {
  const { dragged } = plot.state;
  plot.state.dragged = null;
  if (dragged && Math.abs(dragged[1] - dragged[0]) >= DRAG_FROM) zoomInto(plot, Math.min(...dragged), Math.max(...dragged));
  else pinAt(plot, positionOf(plot, event));
}

function zoomInto(plot, left, right) {
  const { frame, positions, length } = plot.view;
  const at = (x) => positions.position(Math.min(1, Math.max(0, (x - frame.left) / (frame.right - frame.left))));
  const from = Math.max(0, at(left));
  changed(plot, { from, to: Math.min(length, Math.max(at(right), from + Math.min(LEAST_SHOWN, length))) });
}

// A wheel scrolls the page; with Ctrl or Cmd it zooms.
function wheeled(plot, event) {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  zoom(plot, event.deltaY > 0 ? 1.25 : 0.8, positionOf(plot, event) ?? undefined);
}

function typed(plot, event) {
  const { from, to, hovered } = plot.state;
  const step = Math.max(1, Math.round((to - from) / 200));
  const at = hovered ?? Math.floor((from + to) / 2);
  const last = plot.source.page.revisions.length - 1;
  const actions = {
    ArrowLeft: () => hover(plot, Math.max(0, at - step)),
    ArrowRight: () => hover(plot, Math.min(last, at + step)),
    Home: () => hover(plot, 0),
    End: () => hover(plot, last),
    Enter: () => pinAt(plot, at),
    Escape: () => pinAt(plot, null),
    "+": () => zoom(plot, 0.5, at),
    "-": () => zoom(plot, 2, at),
    0: () => changed(plot, { from: 0, to: last + 1 }),
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

function hover(plot, position, x = null) {
  plot.state.hovered = position;
  redraw(plot);
  plot.tip.hidden = position === null || !plot.revisions;
  if (plot.tip.hidden) return;
  plot.tip.replaceChildren(...describe(plot, position));
  const at = x ?? xOf(plot.view, position + 0.5);
  const isRight = at > plot.canvas.clientWidth / 2;
  plot.tip.style.left = isRight ? "auto" : `${at + 14}px`;
  plot.tip.style.right = isRight ? `${plot.canvas.clientWidth - at + 14}px` : "auto";
  plot.tip.style.top = `${MARGIN.top}px`;
}

// A revision and the values of all series there, as lines of text.
function describe(plot, position) {
  const { id, committed_at: times, subject, author } = plot.revisions;
  const head = element("b", {}, `${id[position].slice(0, 8)} · ${dayOf(times[position])} · ${author[position]}`);
  const lines = plot.numbers.map((number, at) => {
    const text = `${plot.numbers.length > 1 ? `${seriesName(plot.source.page.series[number])}: ` : ""}${valueText(plot, at, position)}`;
    return element("span", {}, text);
  });
  return [head, element("span", {}, subject[position]), ...lines];
}

function valueText(plot, at, position) {
  const course = plot.courses[at];
  const row = rowAt(course, position);
  const { unit } = plot.source.page.series[plot.numbers[at]];
  const state = stateText(course.states[row]);
  if (!hasValue(course, row)) return state;
  const low = quantity(course.low[row], unit);
  const high = quantity(course.high[row], unit);
  const relative = plot.state.isRelative
    ? ` (${percent((course.low[row] + course.high[row]) / 2 - baseOf(course, plot.state.base))})`
    : "";
  return `${low === high ? low : `${low} to ${high}`}${relative}, ${state}`;
}

function pinAt(plot, position) {
  plot.state.pinned = position;
  redraw(plot);
  plot.pin.hidden = position === null;
  if (position === null) return;
  const { id } = plot.revisions;
  plot.pin.replaceChildren(
    ...describe(plot, position),
    element("span", { class: "muted small" }, "Before this revision:"),
    ...plot.numbers.map((number, at) => element("span", {}, position ? valueText(plot, at, position - 1) : "nothing")),
    commandLine(`sonde show ${id[position].slice(0, 12)}^!`),
  );
}

function fillTable(plot) {
  if (!plot.table.open || !plot.revisions) return;
  const rows = plot.numbers.flatMap((number, at) => tableRows(plot, at));
  const head = ["series", "from", "date", "to", "value", "known as"];
  const caption = rows.length > TABLE_ROWS ? `The first ${TABLE_ROWS} of ${rows.length} rows` : "Successive equal revisions are one row";
  const content = element("div", { class: "scroll", tabindex: "0" }, table(caption, head, rows.slice(0, TABLE_ROWS), [4]));
  plot.table.replaceChildren(plot.table.firstChild, content);
}

function tableRows(plot, at) {
  const course = plot.courses[at];
  const series = plot.source.page.series[plot.numbers[at]];
  const { id, committed_at: times } = plot.revisions;
  return Array.from({ length: course.count }, (_, row) => {
    const start = course.start[row];
    const end = row + 1 < course.count ? course.start[row + 1] : id.length;
    const value = hasValue(course, row) ? quantity((course.low[row] + course.high[row]) / 2, series.unit) : "";
    const last = end - start > 1 ? id[end - 1].slice(0, 8) : "";
    return [seriesName(series), id[start].slice(0, 8), dayOf(times[start]), last, value, stateText(course.states[row])];
  });
}
