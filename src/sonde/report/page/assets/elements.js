// Elements of the page. Texts go in as text only, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

// An element with attributes, and with texts and elements in it. `on` holds listeners.
function element(name, attributes = {}, ...content) {
  return filled(document.createElement(name), attributes, content);
}

function drawn(name, attributes = {}, ...content) {
  return filled(document.createElementNS(SVG, name), attributes, content);
}

function filled(node, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
  node.append(...content.filter((each) => each !== null && each !== undefined));
  return node;
}

function byId(id) {
  return document.getElementById(id);
}

function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

// The value of a style variable, such as --ink.
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// A command, with a button that copies it.
function commandLine(text) {
  const code = element("code", {}, text);
  const button = element("button", { type: "button", on: { click: () => copy(text, code, button) } }, "Copy");
  return element("div", { class: "command" }, code, button);
}

async function copy(text, code, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // A browser may forbid it for a local file; then the text is selected instead.
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
}

function definitions(pairs) {
  const list = element("dl");
  for (const [name, value] of pairs) {
    if (value) list.append(element("dt", {}, name), element("dd", {}, value));
  }
  return list;
}

// Buttons of which one is pressed; `choose` gets the value of the one that was clicked.
function choice(label, values, chosen, choose) {
  const group = element("span", { class: "choice", role: "group", "aria-label": label });
  for (const [value, text] of values) {
    const pressed = () => {
      for (const other of group.children) other.setAttribute("aria-pressed", String(other === button));
      choose(value);
    };
    const button = element(
      "button",
      { type: "button", "aria-pressed": String(value === chosen), on: { click: pressed } },
      text,
    );
    group.append(button);
  }
  return group;
}

// A list to choose from; the first entry, with an empty value, stands for all.
function selection(label, all, values, choose) {
  const list = element("select", { on: { change: () => choose(list.value) } });
  list.append(element("option", { value: "" }, all));
  for (const value of values) list.append(element("option", { value }, value));
  return element("label", {}, label, list);
}

// A table with a head; cells that are numbers or marked so are aligned to the right.
function table(caption, head, rows, numbers = []) {
  const side = (column) => (numbers.includes(column) ? "number" : null);
  const cells = (row) => row.map((cell, at) => element("td", { class: side(at) }, cell));
  return element(
    "table",
    {},
    caption ? element("caption", {}, caption) : null,
    element("thead", {}, element("tr", {}, ...head.map((cell, at) => element("th", { scope: "col", class: side(at) }, cell)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))),
  );
}
