// Fills the page from its document.

function addSummary(page) {
  document.title = page.title;
  byId("title").textContent = page.title;
  byId("scope").textContent = page.scope;
  byId("sentence").textContent = page.sentence;
  byId("counts").append(...page.counts.map(countCard));
  byId("warnings").append(...page.warnings.map((text) => element("p", { class: "warning" }, text)));
}

function countCard(count) {
  const side = !count.number ? "" : count.is_alarm ? "alarm" : count.is_slower === null ? "" : count.is_slower ? "slower" : "faster";
  const sign = { slower: "▲ ", faster: "▼ " }[side] ?? "";
  return element(
    "li",
    {},
    element("div", { class: `count ${side}`, title: count.meaning }, element("b", {}, sign + count.number.toLocaleString("en")), element("span", { class: "small" }, count.name)),
  );
}

function addLeftOut(section, page) {
  if (!page.left_out.length) return;
  section.hidden = false;
  const items = page.left_out.map((text) => element("li", {}, text));
  section.append(element("h2", { id: "left-out-title" }, "What was not measured, and why"), element("ul", { class: "plain" }, ...items));
}

function addFacts(section, page) {
  const value = (fact) => (fact.is_command ? commandLine(fact.text) : fact.text);
  section.append(element("h2", { id: "facts-title" }, "About this report"), definitions(page.facts.map((fact) => [fact.name, value(fact)])));
}

// The theme that was chosen in the system, until another is chosen here.
function addTheme(repaint) {
  const button = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const use = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Use ${theme === "dark" ? "light" : "dark"} colours`);
    repaint();
  };
  button.addEventListener("click", () => use(isDark() ? "light" : "dark"));
  dark.addEventListener("change", () => use(dark.matches ? "dark" : "light"));
  use(dark.matches ? "dark" : "light");
}

function followAddress(open) {
  const go = () => {
    const key = location.hash.startsWith("#change-") ? decodeURIComponent(location.hash.slice("#change-".length)) : null;
    const row = open(key);
    if (row) row.scrollIntoView({ block: "nearest" });
  };
  window.addEventListener("hashchange", go);
  go();
}

function start() {
  const page = JSON.parse(byId("document").textContent);
  const source = { page, library: library(page), plots: new Set() };
  addTheme(() => source.plots.forEach((plot) => plot.redraw()));
  addSummary(page);
  const open = addChanges(byId("changes"), source);
  addCases(byId("cases"), page);
  addMatrices(byId("matrices"), page);
  addHistories(byId("histories"), source);
  addLeftOut(byId("left-out"), page);
  addFacts(byId("facts"), page);
  followAddress(open);
}

start();
