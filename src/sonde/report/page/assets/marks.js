// How the revisions of a series are known: marks in the plot, and the strip below it.

// A dot for a measured revision, an upright tick for one that is proven equal, a cross for a failed one.
function paintMarks(context, view, line) {
  const width = (view.frame.right - view.frame.left) / (view.to - view.from);
  if (width < DOT_FROM) return;
  context.fillStyle = line.colour;
  context.strokeStyle = line.colour;
  context.lineWidth = 1.5;
  eachRow(view, line.course, (start, end, row) => {
    const y = yOf(view, (line.course.low[row] + line.course.high[row]) / 2 - line.offset);
    for (let position = Math.max(start, Math.floor(view.from)); position < Math.min(end, view.to); position += 1) {
      const middle = xOf(view, position + 0.5);
      paintMark(context, view, line.course.states[row], middle, y);
    }
  });
}

function paintMark(context, view, states, x, y) {
  if (states & FAILED) {
    paintCross(context, view.palette.failed, x, view.frame.bottom - 5, 3.5);
  } else if (states & MEASURED) {
    context.beginPath();
    context.arc(x, y, 3, 0, 2 * Math.PI);
    context.fill();
  } else if (states & PROVEN) {
    strokeBetween(context, x, y - 4.5, x, y + 4.5);
  }
}

function paintCross(context, style, x, y, size) {
  context.save();
  context.strokeStyle = style;
  context.lineWidth = 1.8;
  strokeBetween(context, x - size, y - size, x + size, y + size);
  strokeBetween(context, x - size, y + size, x + size, y - size);
  context.restore();
}

// Below the plot: full where measured, half as high where proven equal, red where failed, empty elsewhere.
function paintStrip(context, view, line, lane) {
  const top = view.frame.strips + lane * STRIP;
  context.fillStyle = view.palette.panel;
  context.fillRect(view.frame.left, top, view.frame.right - view.frame.left, STRIP - 2);
  for (const slice of line.slices) {
    const from = Math.max(slice.from, view.frame.left);
    const width = Math.max(Math.min(slice.to, view.frame.right) - from, 1);
    paintState(context, view, line, slice.states, from, width, top);
  }
}

function paintState(context, view, line, states, x, width, top) {
  const height = STRIP - 2;
  if (states & FAILED) {
    context.fillStyle = view.palette.failed;
    context.fillRect(x, top + height - 3, width, 3);
  }
  if (states & MEASURED) {
    context.fillStyle = line.colour;
    context.fillRect(x, top, width, states & FAILED ? height - 3 : height);
  } else if (states & PROVEN) {
    context.fillStyle = line.colour;
    context.globalAlpha = 0.45;
    context.fillRect(x, top + 2, width, height - 4);
    context.globalAlpha = 1;
  }
}
