"use strict";
// The page shows one position at a time: after `at.ply` moves of the game and then `at.step` moves of the better line or
// of the answer to a move, if `at.line` names one. The better line starts before that move, the answer after it.
const data = JSON.parse(document.getElementById("data").textContent);
const { review, frames, lines } = data;
const moves = review.moves;
const last = frames.length - 1;
const at = { ply: last, line: null, step: 0 };
const byId = (id) => document.getElementById(id);
const percent = (chance) => (chance === null ? "?" : Math.round(100 * chance) + " %");
const isError = (move) => ["inaccuracy", "mistake", "blunder"].includes(move.judgment);
const isGrave = (move) => ["mistake", "blunder"].includes(move.judgment);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function draw(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// The stones are drawn on a layer above the empty board.
const board = byId("board").querySelector("svg");
const layer = draw("g", {});
board.append(layer);

function nameOf(letter) {
  const isRed = letter < "a";
  const power = letter.charCodeAt(0) - (isRed ? 65 : 97) + 1;
  return (isRed ? "r" : "b") + power;
}

function drawBoard(frame, before, hinted) {
  layer.replaceChildren();
  data.centers.forEach(([x, y], cell) => {
    const letter = frame[cell];
    const isNew = before !== null && before[cell] !== letter;
    if (letter !== ".") {
      const stone = draw("g", { transform: `translate(${x} ${y})`, class: "stone" });
      stone.innerHTML = data.stones[nameOf(letter)];
      layer.append(stone);
      if (isNew) layer.append(draw("circle", { cx: x, cy: y, r: 15, class: "rim" }));
    } else if (isNew) {
      layer.append(draw("circle", { cx: x, cy: y, r: 4, class: "gap" }));
    }
    if (hinted && hinted[0][cell] !== hinted[1][cell]) {
      layer.append(draw("circle", { cx: x, cy: y, r: 20, class: "hint" }));
    }
  });
}

// The position at which a line of a move starts.
const baseOf = (ply, line) => frames[line === "better" ? ply - 1 : ply];

function showBoard() {
  if (at.line) {
    const played = lines[at.ply - 1][at.line];
    drawBoard(played[at.step - 1], at.step < 2 ? baseOf(at.ply, at.line) : played[at.step - 2], null);
    return;
  }
  const better = at.ply ? lines[at.ply - 1].better : [];
  const hint = better.length ? [frames[at.ply - 1], better[0]] : null;
  drawBoard(frames[at.ply], at.ply ? frames[at.ply - 1] : null, hint);
}

function lineOf(title, name, texts) {
  const shown = lines[at.ply - 1][name];
  if (!shown.length) return null;
  const row = make("div", { class: "line" }, title);
  shown.forEach((_, idx) => {
    const isNow = at.line === name && at.step === idx + 1;
    row.append(make("button", { class: isNow ? "now" : "", onclick: () => go(at.ply, name, idx + 1) }, texts[idx]));
  });
  return row;
}

function showNote() {
  const note = byId("note");
  if (at.ply === 0) {
    const chance = review.red_chances[0];
    note.replaceChildren(make("p", {}, "The start" + (chance === null ? "." : `: red's chance is ${percent(chance)}.`)));
    return;
  }
  const move = moves[at.ply - 1];
  const title = make("p", {}, make("strong", { class: move.player + "-text" }, `${move.number}. ${move.player} ${move.move}`));
  if (move.judgment) title.append(" – ", make("span", { class: move.judgment }, move.judgment + (move.is_forced ? " (the only move)" : "")));
  if (move.seconds !== null) title.append(` – ${move.seconds.toFixed(3)} s`);
  let text = move.why ? move.why[0].toUpperCase() + move.why.slice(1) + "." : null;
  if (move.is_opening) text = "A random move of the match's opening.";
  else if (!move.judgment) text = "This move was not reviewed.";
  else if (!text) text = `${move.player === "red" ? "Red" : "Blue"}'s chance is ${percent(move.chance_after)}.`;
  note.replaceChildren(title, make("p", {}, text));
  const better = lineOf("Better (dashed rings):", "better", move.better);
  const answer = lineOf("The answer:", "answer", move.answer);
  if (better) note.append(better);
  if (answer) note.append(answer);
  if (at.line) note.append(make("div", { class: "line" }, make("button", { onclick: () => go(at.ply) }, "back to the game (Esc)")));
}

// The graph: red's chance from below, blue's from above.
const graph = byId("graph");
const xOf = (ply) => (last ? (600 * ply) / last : 300);
const yOf = (chance) => 160 * (1 - chance);
const cursor = draw("line", { y1: 0, y2: 160, class: "cursor" });

function drawGraph() {
  graph.append(draw("rect", { width: 600, height: 160, class: "blue" }));
  const known = review.red_chances.map((chance, ply) => [ply, chance]).filter(([, chance]) => chance !== null);
  if (known.length) {
    const points = known.map(([ply, chance]) => `${xOf(ply).toFixed(1)},${yOf(chance).toFixed(1)}`);
    const [first, end] = [known[0][0], known[known.length - 1][0]];
    points.unshift(`${xOf(first).toFixed(1)},160`);
    points.push(`${xOf(end).toFixed(1)},160`);
    graph.append(draw("polygon", { points: points.join(" "), class: "red" }));
  }
  graph.append(draw("line", { x1: 0, x2: 600, y1: 80, y2: 80, class: "even" }));
  moves.forEach((move, idx) => {
    const chance = review.red_chances[idx + 1];
    if (!isError(move) || chance === null) return;
    const dot = draw("circle", { cx: xOf(idx + 1), cy: yOf(chance), r: 5, class: move.judgment });
    const title = draw("title", {});
    title.textContent = `${move.number}. ${move.player} ${move.move}: ${move.judgment}`;
    dot.append(title);
    graph.append(dot);
  });
  graph.append(cursor);
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * last));
  });
}

function fillPlayers() {
  const both = ["red", "blue"].map((color) => review.players[color]);
  const share = (value) => (value === null ? "–" : value.toFixed(1) + " %");
  const rows = [
    ["accuracy", (player) => share(player.accuracy)],
    ["best", (player) => player.counts.best],
    ["good", (player) => player.counts.good],
    ["inaccuracies", (player) => player.counts.inaccuracy],
    ["mistakes", (player) => player.counts.mistake],
    ["blunders", (player) => player.counts.blunder],
    ["average loss", (player) => share(player.average_loss === null ? null : 100 * player.average_loss)],
  ];
  if (both.some((player) => player.time)) {
    rows.push(["time", (player) => (player.time ? `${player.time.total.toFixed(3)} s, ${player.time.mean.toFixed(3)} s per move` : "–")]);
    rows.push(["longest", (player) => (player.time ? `${player.time.longest.toFixed(3)} s, move ${player.time.longest_move}` : "–")]);
  }
  const head = ["red", "blue"].map((color, idx) => make("th", { class: color + "-text" }, both[idx].name ?? color));
  byId("players").append(make("thead", {}, make("tr", {}, make("th"), ...head)));
  const body = make("tbody");
  for (const [name, value] of rows) {
    body.append(make("tr", {}, make("th", {}, name), ...both.map((player) => make("td", {}, String(value(player))))));
  }
  byId("players").append(body);
}

const buttons = [];

function fillMoves() {
  // Red's moves are on the left, even if blue made the first.
  if (moves.length && moves[0].player === "blue") byId("moves").append(make("li"));
  moves.forEach((move, idx) => {
    const sign = move.judgment ? data.signs[move.judgment] : "";
    const number = make("span", { class: "number" }, move.number + ".");
    const text = make("span", { class: isError(move) ? move.judgment : "" }, move.move + sign);
    const button = make("button", { onclick: () => go(idx + 1) }, number, text);
    buttons.push(button);
    byId("moves").append(make("li", {}, button));
  });
}

function fillWords() {
  byId("ending").textContent = review.ending.words;
  const turn = moves.find((move) => move.number === review.turning_point);
  if (turn) {
    const link = make("button", { onclick: () => go(moves.indexOf(turn) + 1) }, `${turn.number}. ${turn.move}`);
    byId("turning").append("The game turned with ", link, ` of ${turn.player}: from then on ${review.ending.winner} was ahead.`);
  }
  const whole = review.is_complete ? "" : " The first moves were not reviewed.";
  byId("footer").textContent = `${review.analyst} searched each position (${review.limits}).${whole} Keys: ← → Home End, ↑ ↓ between mistakes, b for the better line.`;
}

// The next mistake or blunder in a direction; null if there is none.
function errorFrom(ply, direction) {
  for (let next = ply + direction; 1 <= next && next <= last; next += direction) {
    if (isGrave(moves[next - 1])) return next;
  }
  return null;
}

function go(ply, line = null, step = 0) {
  at.ply = Math.min(Math.max(ply, 0), last);
  const shown = line && at.ply ? lines[at.ply - 1][line].length : 0;
  at.line = shown ? line : null;
  at.step = shown ? Math.min(Math.max(step, 1), shown) : 0;
  showBoard();
  showNote();
  byId("slider").value = at.ply;
  cursor.setAttribute("x1", xOf(at.ply));
  cursor.setAttribute("x2", xOf(at.ply));
  buttons.forEach((button, idx) => button.classList.toggle("now", idx + 1 === at.ply));
  const list = byId("moves");
  const now = buttons[at.ply - 1];
  if (now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  byId("error-back").disabled = errorFrom(at.ply, -1) === null;
  byId("error-next").disabled = errorFrom(at.ply, 1) === null;
  const place = "#" + at.ply + (at.line ? `-${at.line}-${at.step}` : "");
  if (location.hash !== place) history.replaceState(null, "", place);
}

function move(direction) {
  if (!at.line) return go(at.ply + direction);
  const step = at.step + direction;
  if (step < 1) return go(at.ply);
  go(at.ply, at.line, step);
}

function jump(direction) {
  const ply = errorFrom(at.ply, direction);
  if (ply !== null) go(ply);
}

// A fragment such as #12 or #12-better-1 opens that position.
function goToAddress() {
  const found = /^#(\d+)(?:-(better|answer)-(\d+))?$/.exec(location.hash);
  if (found) go(Number(found[1]), found[2] ?? null, Number(found[3] ?? 0));
  else go(errorFrom(0, 1) ?? 0);
}

const keys = {
  ArrowLeft: () => move(-1),
  ArrowRight: () => move(1),
  ArrowUp: () => jump(-1),
  ArrowDown: () => jump(1),
  Home: () => go(0),
  End: () => go(last),
  Escape: () => go(at.ply),
  b: () => go(at.ply, "better", 1),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
byId("first").addEventListener("click", keys.Home);
byId("back").addEventListener("click", keys.ArrowLeft);
byId("next").addEventListener("click", keys.ArrowRight);
byId("last").addEventListener("click", keys.End);
byId("error-back").addEventListener("click", keys.ArrowUp);
byId("error-next").addEventListener("click", keys.ArrowDown);
byId("slider").max = last;
byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
window.addEventListener("hashchange", goToAddress);
drawGraph();
fillPlayers();
fillMoves();
fillWords();
goToAddress();
