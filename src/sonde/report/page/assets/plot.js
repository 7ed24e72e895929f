// A plot: its elements, what it shows, and its view of that.

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
  let [low, high, floor, ceiling] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { slices } of view.lines) {
    for (const slice of slices) {
      low = Math.min(low, slice.low);
      high = Math.max(high, slice.high);
      floor = Math.min(floor, slice.floor);
      ceiling = Math.max(ceiling, slice.ceiling);
    }
  }
  if (low > high) return valueScale(0, 0);
  const margin = Math.max((high - low) / 3, 0.004);
  return valueScale(Math.max(floor, low - margin), Math.min(ceiling, high + margin));
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
  const marks = ["● measured", "| proven equal", "× failed", "no mark: estimated, never looked at", "strip below: the same for each revision", "▲▼ change", "band: 90 %"];
  if (changesOf(plot).some((change) => change.earliest < change.latest)) marks.push("shaded: where a change can lie");
  const bucket = Math.max(...plot.numbers.map((number) => plot.source.page.series[number].bucket));
  if (bucket > 1) marks.push(`a step stands for ${bucket} revisions, from the least to the largest value`);
  return [...names, ...marks.map((mark) => element("li", {}, mark))];
}

function seriesName(series) {
  return series.configuration === "default" ? series.benchmark : `${series.benchmark}, ${series.configuration}`;
}
