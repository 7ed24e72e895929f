// Axes: from values to places, round values for labels, and numbers as people read them.

const LOGARITHMIC_FROM = 20; // ratio of the largest to the smallest value
const LEAST_SPAN = 0.005; // of the level: what differs by less looks flat

// Values are logarithms; `place` gives a share of the height, 0 at the lower end.
function valueScale(lowest, highest) {
  const isLogarithmic = highest - lowest > Math.log(LOGARITHMIC_FROM);
  const heightOf = isLogarithmic ? (log) => log : (log) => Math.exp(log);
  let low = heightOf(lowest);
  let high = heightOf(highest);
  const least = isLogarithmic ? 1 : (LEAST_SPAN * Math.abs(low + high)) / 2 || 1;
  const padding = Math.max((least - (high - low)) / 2, 0.05 * (high - low));
  low -= padding;
  high += padding;
  const ticks = isLogarithmic ? logarithmicTicks(low, high) : linearTicks(low, high);
  return { isLogarithmic, place: (log) => (heightOf(log) - low) / (high - low), ticks };
}

// Round values between the ends as logarithms.
function linearTicks(low, high) {
  const step = roundStep((high - low) / 4);
  const ticks = [];
  for (let number = Math.ceil(low / step); number * step <= high; number += 1) {
    if (number * step > 0) ticks.push(Math.log(number * step));
  }
  return ticks;
}

function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  const digits = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough);
  return digits * power;
}

function logarithmicTicks(low, high) {
  const decade = Math.log(10);
  const every = Math.max(1, Math.round((high - low) / decade / 5));
  const ticks = [];
  for (let power = Math.ceil(low / decade); power * decade <= high; power += 1) {
    if (power % every === 0) ticks.push(power * decade);
  }
  return ticks;
}

const UNITS = {
  seconds: [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]],
  count: [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]],
  bytes: [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]],
  plain: [[1, ""]],
};

function quantity(log, unit) {
  const value = Math.exp(log);
  const [scale, name] = UNITS[unit].find(([each]) => value >= each * 0.9999) ?? UNITS[unit].at(-1);
  return `${Number((value / scale).toPrecision(4))} ${name}`.trim();
}

function percent(log) {
  const value = 100 * Math.expm1(log);
  if (Math.abs(value) < 0.005) return "0 %";
  const digits = Math.abs(value) < 1 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return Math.abs(value) >= 1000 ? `×${Math.exp(log).toPrecision(3)}` : `${value >= 0 ? "+" : ""}${value.toFixed(digits)} %`;
}

function dayOf(seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

// Positions from `from` to `to` (which may lie between revisions) as places from 0 to 1.
function positionScale(from, to, times) {
  if (!times) {
    return {
      place: (position) => (position - from) / (to - from),
      position: (place) => from + place * (to - from),
    };
  }
  const timeAt = (position) => interpolated(times, position);
  const start = timeAt(from);
  const span = timeAt(to) - start || 1;
  return {
    place: (position) => (timeAt(position) - start) / span,
    position: (place) => positionAt(times, start + place * span),
  };
}

function interpolated(times, position) {
  const last = times.length - 1;
  const at = Math.min(Math.max(Math.floor(position), 0), last);
  const next = times[Math.min(at + 1, last)];
  return times[at] + Math.min(Math.max(position - at, 0), 1) * (next - times[at]);
}

function positionAt(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const span = low + 1 < times.length ? times[low + 1] - times[low] : 0;
  return span > 0 ? low + Math.min((time - times[low]) / span, 0.999) : low;
}

// Dates that never go backwards, since rebased revisions may be older than those before them.
function risingTimes(seconds) {
  let latest = -Infinity;
  return Float64Array.from(seconds, (each) => (latest = Math.max(latest, each)));
}
