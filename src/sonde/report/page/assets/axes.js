// What is around the lines: the axis, tags, changes, and the cursor.

function paintAxis(context, view) {
  const count = Math.max(2, Math.floor((view.frame.right - view.frame.left) / 130));
  context.fillStyle = view.palette.muted;
  context.textBaseline = "top";
  for (let number = 0; number < count; number += 1) {
    const share = number / (count - 1);
    context.textAlign = number === 0 ? "left" : number === count - 1 ? "right" : "center";
    const position = Math.min(view.length - 1, Math.max(0, Math.floor(view.positions.position(share))));
    const x = view.frame.left + share * (view.frame.right - view.frame.left);
    context.fillText(view.nameOf(position), x, view.frame.axis);
  }
}

function paintTags(context, view) {
  let free = -Infinity;
  context.textAlign = "left";
  context.textBaseline = "top";
  for (const [position, name] of view.tags) {
    const x = xOf(view, position);
    if (position < view.from || position > view.to) continue;
    context.strokeStyle = view.palette.line;
    context.setLineDash([2, 3]);
    strokeBetween(context, x, view.frame.top - 10, x, view.frame.bottom);
    context.setLineDash([]);
    if (x > free && x + context.measureText(name).width < view.frame.right) {
      context.fillStyle = view.palette.muted;
      context.fillText(name, x + 3, 0);
      free = x + context.measureText(name).width + 12;
    }
  }
}

// The revisions at which a change can lie, shaded.
function paintDoubt(context, view) {
  for (const change of view.changes) {
    if (change.earliest === change.latest) continue;
    const from = Math.max(xOf(view, change.earliest), view.frame.left);
    const to = Math.min(xOf(view, change.latest + 1), view.frame.right);
    context.fillStyle = change.is_slower ? view.palette.slowerSoft : view.palette.fasterSoft;
    if (to > from) context.fillRect(from, view.frame.top, to - from, view.frame.bottom - view.frame.top);
  }
}

// A triangle above each change: it points up where the value grew.
function paintChanges(context, view) {
  for (const change of view.changes) {
    if (change.position < view.from || change.position > view.to) continue;
    const x = xOf(view, change.position);
    context.fillStyle = change.is_slower ? view.palette.slower : view.palette.faster;
    context.strokeStyle = context.fillStyle;
    paintTriangle(context, x, MARGIN.top - 6, change.is_slower);
    if (change.isFocus) {
      context.lineWidth = 1.5;
      strokeBetween(context, x, view.frame.top, x, view.frame.bottom);
    }
  }
}

function paintTriangle(context, x, y, isUp) {
  const height = isUp ? 8 : -8;
  context.beginPath();
  context.moveTo(x - 5, y + height / 2);
  context.lineTo(x + 5, y + height / 2);
  context.lineTo(x, y - height / 2);
  context.closePath();
  context.fill();
}

function paintCursor(context, view) {
  for (const [position, style] of [[view.pinned, view.palette.ink], [view.hovered, view.palette.muted]]) {
    if (position === null || position < view.from || position >= view.to) continue;
    const x = xOf(view, position + 0.5);
    context.strokeStyle = style;
    context.lineWidth = 1;
    strokeBetween(context, x, view.frame.top, x, view.frame.strips + view.lines.length * STRIP);
  }
  if (view.dragged) {
    context.fillStyle = view.palette.muted;
    context.globalAlpha = 0.25;
    const [from, to] = view.dragged;
    context.fillRect(Math.min(from, to), view.frame.top, Math.abs(to - from), view.frame.bottom - view.frame.top);
    context.globalAlpha = 1;
  }
}
