// What a plot says in words: of the revision under the pointer, of the pinned one, and of all in a table.

const TABLE_ROWS = 1000;

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
  const rows = plot.numbers.map((number, at) => [
    seriesName(plot.source.page.series[number]),
    position ? valueText(plot, at, position - 1) : "",
    valueText(plot, at, position),
  ]);
  plot.pin.replaceChildren(
    ...describe(plot, position).slice(0, 2),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Values before and after" }, table("", ["series", "one revision before", "at this revision"], rows)),
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
