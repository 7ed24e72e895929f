// How a plot is zoomed, hovered and pinned, by mouse, wheel, touch and keyboard.

const LEAST_SHOWN = 4; // revisions, when zoomed in as far as possible
const DRAG_FROM = 6; // pixels; less is a click

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
