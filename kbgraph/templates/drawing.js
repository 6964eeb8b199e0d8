"use strict";
// Everything from the corpus reaches the page by textContent or as text on the canvas: it is never markup.
const data = JSON.parse(document.getElementById("data").textContent);
const words = JSON.parse(document.getElementById("words").textContent);
const room = document.getElementById("net"), panel = document.getElementById("panel"), search = document.getElementById("search");
const kinds = new Map(data.kinds.map(kind => [kind.kind, kind]));
const known = new Map(data.nodes.map(node => [node.id, node]));
const rank = new Map(data.nodes.map((node, at) => [node.id, at]));
const hidden = new Set();
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Boxes must not grow beyond what the layout counts on, whatever font the reader has.
const LINE = 180, face = getComputedStyle(document.body).fontFamily, pen = document.createElement("canvas").getContext("2d");
pen.font = `14px ${face}`;
function cut(text) {
  let signs = [...text];
  while (pen.measureText(signs.join("")).width > LINE) signs = [...signs.slice(0, signs.at(-1) === "…" ? -2 : -1), "…"];
  return signs.join("");
}
const told = edge => [`${known.get(edge.from).name} → ${known.get(edge.to).name}`, edge.name, ...edge.places].filter(Boolean).join("\n");
// An edge within a column is an arc beside it, or it would run behind the boxes; one that leads back is bent.
function bend(edge) {
  const from = known.get(edge.from), to = known.get(edge.to), far = Math.abs(to.y - from.y);
  if (from.x === to.x) return far > 60 ? { type: "curvedCW", roundness: Math.min(Math.max(200 / far, 0.2), 1) } : false;
  return to.x > from.x || data.focus
    ? { type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 } : { type: "curvedCW", roundness: 0.2 };
}
const nodes = new vis.DataSet(data.nodes.map(node => ({
  id: node.id, x: node.x, y: node.y, group: node.kind, label: node.short.split("\n").map(cut).join("\n"),
  title: [node.name, kinds.get(node.kind).name, node.place].filter(Boolean).join("\n"),
})));
const edges = new vis.DataSet(data.edges.map((edge, at) => ({
  id: at, from: edge.from, to: edge.to, width: Math.min(0.8 + edge.weight / 2, 5), title: told(edge), smooth: bend(edge),
})));
const view = new vis.DataView(nodes, { filter: node => !hidden.has(node.group) });
const look = kind => ({
  shape: "box", color: { background: kind.colour, border: kind.colour, highlight: { background: kind.colour, border: css("--mark") }, hover: { background: kind.colour, border: css("--mark") } },
  shapeProperties: { borderRadius: kind.radius }, font: { color: "#ffffff", size: 14, align: "left", face },
});
const options = () => ({
  autoResize: false, physics: false, layout: { improvedLayout: false },
  interaction: { hover: true, tooltipDelay: 150, keyboard: { enabled: true, bindToWindow: false } },
  nodes: { borderWidth: 1, borderWidthSelected: 3, labelHighlightBold: false, margin: { top: 4, bottom: 4, left: 8, right: 8 }, widthConstraint: { minimum: LINE } },
  groups: Object.fromEntries(data.kinds.map(kind => [kind.kind, look(kind)])),
  edges: {
    arrows: { to: { enabled: true, scaleFactor: 0.5 } }, selectionWidth: 1, hoverWidth: 1, arrowStrikethrough: false,
    color: { color: css("--edge"), highlight: css("--mark"), hover: css("--mark") },
  },
});
const net = new vis.Network(room, { nodes: view, edges }, options());
room.querySelector(".vis-network").tabIndex = 0;

// vis-network scales what is shown when its room changes, and draws in a later frame what it is told to fit. So the page
// watches the room alone, and sizes, fits and draws at once. Whoever has zoomed or dragged keeps that view.
let moved = false;
function fit(only) {
  net.redraw();
  net.fit({ nodes: only || view.getIds(), minZoomLevel: 0.02, maxZoomLevel: 1.2 });
  net.redraw();
}
new ResizeObserver(() => moved ? net.redraw() : fit()).observe(room);
net.on("zoom", () => { moved = true; });
net.on("dragStart", () => { moved = true; });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { net.setOptions(options()); mark(chosen); net.redraw(); });

function line(parent, tag, text, cls) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (cls) element.className = cls;
  parent.append(element);
  return element;
}
function link(list, id, note) {
  const item = line(list, "li", ""), node = known.get(id);
  line(item, "button", `${kinds.get(node.kind).glyph} ${node.name}`, "link").addEventListener("click", () => choose(id, true));
  if (note) line(item, "div", note, "soft");
}
function index(found, head) {
  panel.replaceChildren();
  if (!data.nodes.length) return void line(panel, "p", words.none);
  line(panel, "h2", head).tabIndex = -1;
  for (const kind of data.kinds) {
    const own = found.filter(node => node.kind === kind.kind);
    if (!own.length) continue;
    line(panel, "h3", `${kind.name} ${own.length}`);
    const list = line(panel, "ul", "");
    for (const node of own) link(list, node.id);
  }
}
function show(id) {
  const node = known.get(id), around = new Map();
  panel.replaceChildren();
  line(panel, "button", `‹ ${words.all}`, "link soft").addEventListener("click", () => { clear(); panel.querySelector("h2").focus(); });
  line(panel, "h2", node.name).tabIndex = -1;
  line(panel, "p", [kinds.get(node.kind).name, node.level].filter(Boolean).join(" · "), "soft");
  if (node.place) line(panel, "p", node.place).id = "place";
  if (node.text && node.text !== node.name) line(panel, "p", node.text).id = "text";
  const key = line(panel, "p", node.url ? "" : node.key, "soft");
  if (node.url) Object.assign(line(key, "a", node.url), { href: node.url, target: "_blank", rel: "noopener noreferrer" });
  for (const edge of data.edges) {
    const away = edge.from === id, head = away ? `→ ${edge.name}` : `← ${edge.name}`;
    if (away || edge.to === id) around.set(head, [...(around.get(head) || []), [away ? edge.to : edge.from, edge.places.join("  ")]]);
  }
  for (const [head, others] of around) {
    line(panel, "h3", `${head} ${others.length}`);
    const list = line(panel, "ul", "");
    for (const [other, places] of others.sort((one, two) => rank.get(one[0]) - rank.get(two[0]))) link(list, other, places);
  }
}

let chosen = null;
function mark(id) {
  const near = new Set(id === null ? view.getIds() : [id, ...net.getConnectedNodes(id)]);
  nodes.update(data.nodes.map(node => ({ id: node.id, opacity: near.has(node.id) ? 1 : 0.35 })));
  edges.update(data.edges.map((edge, at) => ({ id: at, color: { opacity: id === null || edge.from === id || edge.to === id ? 1 : 0.15 } })));
}
function choose(id, fromPanel) {
  const kind = known.get(id).kind;
  if (hidden.has(kind)) toggle(kind, true);
  chosen = id;
  net.selectNodes([id]);
  mark(id);
  show(id);
  if (fromPanel) {
    net.moveTo({ position: net.getPosition(id), scale: Math.max(net.getScale(), 0.8) });
    net.redraw();
    moved = true;
    panel.querySelector("h2").focus();
  }
}
function clear() {
  chosen = null;
  net.unselectAll();
  mark(null);
  index(data.nodes, words.all);
}
function toggle(kind, on) {
  document.querySelectorAll("#legend input").forEach(box => { if (box.value === kind) box.checked = on; });
  on ? hidden.delete(kind) : hidden.add(kind);
  view.refresh();
  if (!moved) fit();
}
net.on("click", event => event.nodes.length ? choose(event.nodes[0], false) : clear());

const legend = document.querySelector("#legend ul");
for (const kind of data.kinds) {
  const label = line(line(legend, "li", ""), "label", "");
  const box = Object.assign(line(label, "input", ""), { type: "checkbox", checked: true, value: kind.kind });
  box.addEventListener("change", () => toggle(kind.kind, box.checked));
  const chip = line(label, "span", `${kind.glyph} ${kind.name}`, "key");
  Object.assign(chip.style, { background: kind.colour, borderRadius: `${kind.radius / 2}px` });
  line(label, "span", ` ${kind.count}`, "soft");
}

let hits = [], at = 0;
function find() {
  const wanted = search.value.trim().toLowerCase();
  if (!wanted) { hits = []; return clear(); }
  hits = data.nodes.filter(node => `${node.name}\n${node.key}\n${node.text}\n${node.place}`.toLowerCase().includes(wanted));
  at = 0;
  if (hits.length === 1) return choose(hits[0].id, false);
  chosen = null;
  mark(null);
  net.selectNodes(hits.map(node => node.id).filter(id => view.get(id)));
  index(hits, `${hits.length} ${words.found}`);
}
search.addEventListener("input", find);
search.addEventListener("keydown", event => {
  if (event.key !== "Enter" || !hits.length) return;
  choose(hits[at % hits.length].id, true);
  at += 1;
  search.focus();
});
document.getElementById("whole").addEventListener("click", () => { moved = false; fit(); });
document.addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === "Escape") { search.value = ""; clear(); moved = false; fit(); }
});

clear();
if (data.focus) show(data.focus);
