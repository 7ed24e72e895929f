// Painting histories on a canvas: levels as steps with their band, marks, and a strip that says how points are known.

const MARGIN = { left: 68, right: 14, top: 26, axis: 22 };
const STRIP = 9; // height of the strip of a series
const DOT_FROM = 5; // pixels a revision; with less, only the strip says what was measured
const COLOURS = {
  light: ["#0b5fa5", "#b3400a", "#4f7a28", "#8a3a86", "#7a5c00", "#00757d", "#555555", "#b8174f"],
  dark: ["#6bb8ff", "#ff9a5c", "#a5cf78", "#e39be0", "#e8c34a", "#5fd3d9", "#c8c8c8", "#ff8fb8"],
};
const DASHED_UP_TO = 150; // slices of a line
const WIDTH = 1.7; // of a line
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [], [7, 3], [2, 3], [9, 3, 2, 3]];

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

function seriesColour(number) {
  return COLOURS[isDark() ? "dark" : "light"][number % COLOURS.light.length];
}

// Where the parts of a plot lie, for so many series.
function frameOf(width, height, series) {
  const strips = series * STRIP + 6;
  return {
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: height - MARGIN.axis - strips,
    strips: height - MARGIN.axis - strips + 5,
    axis: height - MARGIN.axis + 4,
  };
}

function paint(context, view) {
  context.clearRect(0, 0, view.width, view.height);
  context.font = "12px system-ui, sans-serif";
  paintGrid(context, view);
  paintDoubt(context, view);
  clipped(context, view.frame, () => {
    for (const line of view.lines) paintBand(context, view, line);
    for (const line of view.lines) paintLine(context, view, line);
    for (const line of view.lines) paintMarks(context, view, line);
  });
  view.lines.forEach((line, lane) => paintStrip(context, view, line, lane));
  paintAxis(context, view);
  paintTags(context, view);
  paintChanges(context, view);
  paintCursor(context, view);
}

function clipped(context, frame, draw) {
  context.save();
  context.beginPath();
  context.rect(frame.left, frame.top - 4, frame.right - frame.left, frame.bottom - frame.top + 8);
  context.clip();
  draw();
  context.restore();
}

function xOf(view, position) {
  return view.frame.left + view.positions.place(position) * (view.frame.right - view.frame.left);
}

function yOf(view, log) {
  return view.frame.bottom - view.values.place(log) * (view.frame.bottom - view.frame.top);
}

function paintGrid(context, view) {
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.lineWidth = 1;
  for (const tick of view.values.ticks) {
    const y = Math.round(yOf(view, tick)) + 0.5;
    context.strokeStyle = view.palette.line;
    strokeBetween(context, view.frame.left, y, view.frame.right, y);
    context.fillStyle = view.palette.muted;
    context.fillText(view.label(tick), view.frame.left - 8, y);
  }
}

function strokeBetween(context, fromX, fromY, toX, toY) {
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
}

// Calls `use` with each visible row: its first position, the one after its last, and its number.
function eachRow(view, course, use) {
  for (let row = rowAt(course, view.from); row < course.count; row += 1) {
    const start = course.start[row];
    if (start > view.to) return;
    use(start, row + 1 < course.count ? course.start[row + 1] : view.length, row);
  }
}

// Rows as upright slices of at least a pixel: what lies in the same pixel is one slice.
function slicesOf(view, line) {
  const slices = [];
  let slice = null;
  eachRow(view, line.course, (start, end, row) => {
    const isValue = hasValue(line.course, row);
    const from = slice ? slice.to : xOf(view, start);
    if (!slice || slice.isValue !== isValue || slice.to - slice.from >= 1) {
      const joins = Boolean(slice?.isValue && isValue);
      slice = { from, to: from, joins, isValue, states: 0, low: Infinity, high: -Infinity, floor: Infinity, ceiling: -Infinity };
      slices.push(slice);
    }
    slice.to = xOf(view, end);
    slice.states |= line.course.states[row];
    if (isValue) widen(slice, line, row);
  });
  return slices;
}

function widen(slice, { course, offset }, row) {
  slice.low = Math.min(slice.low, course.low[row] - offset);
  slice.high = Math.max(slice.high, course.high[row] - offset);
  slice.floor = Math.min(slice.floor, course.floor[row] - offset);
  slice.ceiling = Math.max(slice.ceiling, course.ceiling[row] - offset);
}

function paintBand(context, view, line) {
  context.fillStyle = line.colour;
  context.globalAlpha = view.lines.length > 2 ? 0.1 : 0.16;
  for (const slice of line.slices) {
    if (!slice.isValue) continue;
    const top = yOf(view, slice.ceiling);
    const height = yOf(view, slice.floor) - top;
    if (height > 1) context.fillRect(slice.from, top, Math.max(1, slice.to - slice.from), height);
  }
  context.globalAlpha = 1;
}

function paintLine(context, view, line) {
  if (line.dash.length && line.slices.length <= DASHED_UP_TO) strokeLine(context, view, line);
  else paintSteps(context, view, line);
}

// Each slice as a bar from its least to its largest value, joined to the one before by a thin upright one.
// A stroke along thousands of ups and downs takes far longer.
function paintSteps(context, view, line) {
  context.fillStyle = line.colour;
  let [top, bottom] = [0, 0];
  for (const slice of line.slices) {
    if (!slice.isValue) continue;
    const [high, low] = [yOf(view, slice.high), yOf(view, slice.low)];
    if (slice.joins && high > bottom) context.fillRect(slice.from - WIDTH / 2, bottom, WIDTH, high - bottom);
    if (slice.joins && low < top) context.fillRect(slice.from - WIDTH / 2, low, WIDTH, top - low);
    context.fillRect(slice.from, high - WIDTH / 2, Math.max(1, slice.to - slice.from), low - high + WIDTH);
    [top, bottom] = [high, low];
  }
}

function strokeLine(context, view, line) {
  context.strokeStyle = line.colour;
  context.lineWidth = WIDTH;
  context.setLineDash(line.dash);
  context.beginPath();
  for (const slice of line.slices) {
    if (!slice.isValue) continue;
    const top = yOf(view, slice.high);
    const bottom = yOf(view, slice.low);
    if (slice.joins) context.lineTo(slice.from, (top + bottom) / 2);
    else context.moveTo(slice.from, (top + bottom) / 2);
    if (bottom - top > 1) {
      context.lineTo(slice.from, top);
      context.lineTo(slice.from, bottom);
    }
    context.lineTo(slice.to, (top + bottom) / 2);
  }
  context.stroke();
  context.setLineDash([]);
}
