// Unpacking what report/page/packing.py packed: columns of variable-length integers, compressed.

const MEASURED = 1;
const PROVEN = 2;
const ESTIMATED = 4;
const FAILED = 8;

async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Hands out the integers of some bytes, one after another.
function integersOf(bytes) {
  let at = 0;
  return () => {
    let number = 0;
    let scale = 1;
    while (bytes[at] > 127) {
      number += (bytes[at] & 127) * scale;
      scale *= 128;
      at += 1;
    }
    number += bytes[at] * scale;
    at += 1;
    return number;
  };
}

function signed(number) {
  return number % 2 ? -(number + 1) / 2 : number / 2;
}

// The rows of a series as columns; values are logarithms.
function rowsOf(bytes, count, resolution) {
  const next = integersOf(bytes);
  const column = (read) => Float64Array.from({ length: count }, read);
  const running = (read) => {
    let sum = 0;
    return column(() => (sum += read()));
  };
  const start = running(next);
  const states = Uint8Array.from({ length: count }, next);
  const low = running(() => signed(next())).map((steps) => steps * resolution);
  const high = column(next).map((steps, at) => low[at] + steps * resolution);
  const floor = column(next).map((steps, at) => low[at] - steps * resolution);
  const ceiling = column(next).map((steps, at) => high[at] + steps * resolution);
  return { count, start, states, low, high, floor, ceiling };
}

// Reads the packed parts of the page when they are first needed, and keeps them.
function library(page) {
  const courses = new Map();
  let revisions = null;
  const unpackRevisions = async () => JSON.parse(new TextDecoder().decode(await unpack(page.revisions.packed)));
  const unpackCourse = async (number) => {
    const series = page.series[number];
    return rowsOf(await unpack(series.packed), series.rows, page.resolution);
  };
  return {
    revisions: () => (revisions ??= unpackRevisions()),
    course: (number) => {
      if (!courses.has(number)) courses.set(number, unpackCourse(number));
      return courses.get(number);
    },
  };
}

// The row that covers a position.
function rowAt(course, position) {
  let low = 0;
  let high = course.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (course.start[middle] <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function hasValue(course, row) {
  const states = course.states[row];
  return Boolean(states & ~FAILED) || (states === FAILED && course.ceiling[row] !== 0);
}

function stateText(states) {
  const words = [
    [MEASURED, "measured"],
    [PROVEN, "proven equal"],
    [FAILED, "failed"],
    [ESTIMATED, "estimated, never looked at"],
  ];
  const found = words.filter(([state]) => states & state).map(([, word]) => word);
  return found.join(", ") || "does not exist";
}
