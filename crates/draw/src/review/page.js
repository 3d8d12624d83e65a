"use strict";
// The page shows one position at a time: after `at.ply` moves of the game and then `at.step` moves of the better line or
// of the answer to a move, if `at.line` names one. The better line starts before that move, the answer after it. A game
// that a player lost off the board has one more step after its last move: what the player did.
const data = JSON.parse(document.getElementById("data").textContent);
const { review, frames, lines } = data;
const moves = review.moves;
const end = review.ending.off_board;
const last = moves.length + (end ? 1 : 0);
const isEnd = (ply) => end !== null && ply === last;
const at = { ply: last, line: null, step: 0 };
const byId = (id) => document.getElementById(id);
const percent = (chance) => (chance === null ? "?" : Math.round(100 * chance) + " %");
const isError = (move) => ["inaccuracy", "mistake", "blunder"].includes(move.judgment);
const isGrave = (ply) => isEnd(ply) || ["mistake", "blunder"].includes(moves[ply - 1].judgment);

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

function drawBoard(frame, rings) {
  layer.replaceChildren();
  const ring = (cell, name, r) => layer.append(draw("circle", { cx: data.centers[cell][0], cy: data.centers[cell][1], r, class: name }));
  data.centers.forEach(([x, y], cell) => {
    const letter = frame.cells[cell];
    if (letter !== ".") {
      const stone = draw("g", { transform: `translate(${x} ${y})`, class: "stone" });
      stone.innerHTML = data.stones[nameOf(letter)];
      layer.append(stone);
    }
    if (frame.marks[cell] === "o") ring(cell, "rim", 15);
    if (frame.marks[cell] === "x") ring(cell, "gap", 4);
  });
  rings.hint.forEach((cell) => ring(cell, "hint", 20));
  rings.tried.forEach((cell) => ring(cell, "tried", 18));
}

function showBoard() {
  const none = { hint: [], tried: [] };
  if (at.line) return drawBoard(lines[at.ply - 1][at.line][at.step - 1], none);
  if (isEnd(at.ply)) return drawBoard(frames[moves.length], { hint: [], tried: data.tried });
  drawBoard(frames[at.ply], { hint: at.ply ? lines[at.ply - 1].hint : [], tried: [] });
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
  if (isEnd(at.ply)) {
    note.replaceChildren(...lastAct());
    // The last lines of a traceback say the most.
    note.querySelectorAll("pre").forEach((text) => (text.scrollTop = text.scrollHeight));
    return;
  }
  const move = moves[at.ply - 1];
  const title = make("p", {}, make("strong", { class: move.player + "-text" }, `${move.number}. ${move.player} ${move.move}`));
  if (move.judgment) title.append(" – ", make("span", { class: move.judgment }, move.judgment + (move.is_forced ? " (the only move)" : "")));
  if (move.seconds !== null) title.append(` – ${move.seconds.toFixed(3)} s`);
  let text = move.why ? move.why[0].toUpperCase() + move.why.slice(1) + "." : null;
  if (move.is_opening) text = "A random move of the match's opening.";
  else if (!move.judgment) text = "This move was not examined.";
  else if (!text) text = `${move.player === "red" ? "Red" : "Blue"}'s chance is ${percent(move.chance_after)}.`;
  note.replaceChildren(title, make("p", {}, text));
  const better = lineOf("Better (dashed rings):", "better", move.better);
  const answer = lineOf("The answer:", "answer", move.answer);
  if (better) note.append(better);
  if (answer) note.append(answer);
  if (at.line) note.append(make("div", { class: "line" }, make("button", { onclick: () => go(at.ply) }, "back to the game (Esc)")));
}

const reasonOf = (end) => end.reason.replaceAll("_", " ");

// What the player who lost off the board did.
function lastAct() {
  const number = end.number === null ? "" : `${end.number}. `;
  const name = make("strong", { class: end.player + "-text" }, number + end.player + (end.move === null ? "" : " " + end.move));
  const parts = [make("p", {}, name, " – ", make("span", { class: "blunder" }, reasonOf(end)))];
  const fault = review.ending.fault;
  if (fault) parts.push(make("pre", {}, fault.message));
  if (fault && fault.output) parts.push(make("p", {}, "Its last output:"), make("pre", {}, fault.output));
  if (data.tried.length) parts.push(make("p", {}, "The dashed red rings are the cells it named."));
  return parts;
}

// The graph: red's chance from below, blue's from above.
const graph = byId("graph");
const xOf = (ply) => (moves.length ? (600 * Math.min(ply, moves.length)) / moves.length : 300);
const yOf = (chance) => 160 * (1 - chance);
const cursor = draw("line", { y1: 0, y2: 160, class: "cursor" });

function drawGraph() {
  const known = review.red_chances.map((chance, ply) => [ply, chance]).filter(([, chance]) => chance !== null);
  const seen = known.length ? xOf(known[0][0]) : 600;
  graph.append(draw("rect", { x: seen, width: 600 - seen, height: 160, class: "blue" }));
  if (0 < seen) {
    graph.append(draw("rect", { width: seen, height: 160, class: "unseen" }));
    const text = draw("text", { x: Math.max(seen / 2, 50), y: 84, class: "unseen-text" });
    text.textContent = "not examined";
    graph.append(text);
  }
  if (known.length) {
    const points = known.map(([ply, chance]) => `${xOf(ply).toFixed(1)},${yOf(chance).toFixed(1)}`);
    const [first, end] = [known[0][0], known[known.length - 1][0]];
    points.unshift(`${xOf(first).toFixed(1)},160`);
    points.push(`${xOf(end).toFixed(1)},160`);
    graph.append(draw("polygon", { points: points.join(" "), class: "red" }));
  }
  graph.append(draw("line", { x1: seen, x2: 600, y1: 80, y2: 80, class: "even" }));
  moves.forEach((move, idx) => {
    const chance = review.red_chances[idx + 1];
    if (!isError(move) || chance === null) return;
    const dot = draw("circle", { cx: xOf(idx + 1), cy: yOf(chance), r: 5, class: move.judgment });
    const title = draw("title", {});
    title.textContent = `${move.number}. ${move.player} ${move.move}: ${move.judgment}`;
    dot.append(title);
    graph.append(dot);
  });
  if (end) {
    const chance = review.red_chances[moves.length];
    const dot = draw("circle", { cx: 594, cy: yOf(chance ?? 0.5), r: 5, class: "blunder" });
    const title = draw("title", {});
    title.textContent = `${end.player}: ${reasonOf(end)}`;
    dot.append(title);
    graph.append(dot);
  }
  graph.append(cursor);
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * moves.length));
  });
}

function fillPlayers() {
  const both = ["red", "blue"].map((color) => review.players[color]);
  const share = (value) => (value === null ? "–" : value.toFixed(1) + " %");
  const part = (player) => (player.n_judged && player.n_judged < player.n_moves ? ` (${player.n_judged} of ${player.n_moves} moves)` : "");
  const rows = [
    ["accuracy", (player) => share(player.accuracy) + part(player), "100 % if no move lost any chance to win; a move that loses 15 % counts half"],
    ["best", (player) => player.counts.best],
    ["good", (player) => player.counts.good],
    ["inaccuracies", (player) => player.counts.inaccuracy],
    ["mistakes", (player) => player.counts.mistake],
    ["blunders", (player) => player.counts.blunder],
    ["average loss", (player) => share(player.average_loss === null ? null : 100 * player.average_loss), "the chance to win that a move lost, on average"],
  ];
  if (both.some((player) => player.time)) {
    rows.push(["time", (player) => (player.time ? `${player.time.total.toFixed(3)} s (mean ${player.time.mean.toFixed(3)} s)` : "–")]);
    rows.push(["longest", (player) => (player.time ? `${player.time.longest.toFixed(3)} s, move ${player.time.longest_move}` : "–")]);
  }
  const head = ["red", "blue"].map((color, idx) => make("th", { class: color + "-text" }, both[idx].name ?? color));
  byId("players").append(make("thead", {}, make("tr", {}, make("th"), ...head)));
  const body = make("tbody");
  for (const [name, value, about] of rows) {
    body.append(make("tr", {}, make("th", about ? { title: about } : {}, name), ...both.map((player) => make("td", {}, String(value(player))))));
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
  if (!end) return;
  // In the column of the player, who may have failed while the opponent was to move.
  if (moves.length && moves[moves.length - 1].player === end.player) byId("moves").append(make("li"));
  const number = make("span", { class: "number" }, end.number === null ? "" : end.number + ".");
  const text = make("span", { class: "blunder" }, end.move === null ? reasonOf(end) : `${end.move} (${reasonOf(end)})`);
  const button = make("button", { onclick: () => go(last) }, number, text);
  buttons.push(button);
  byId("moves").append(make("li", {}, button));
}

function fillWords() {
  byId("ending").textContent = review.ending.words;
  const turn = moves.find((move) => move.number === review.turning_point);
  if (turn) {
    const link = make("button", { onclick: () => go(moves.indexOf(turn) + 1) }, `${turn.number}. ${turn.move}`);
    byId("turning").append("The game turned with ", link, ` of ${turn.player}: from then on ${review.ending.winner} was ahead.`);
  }
  const n = frames.length - review.n_examined;
  if (n) byId("partial").textContent = `The review was stopped: the first ${n === 1 ? "position was" : n + " positions were"} not examined.`;
  const which = n ? `the last ${review.n_examined} of ${frames.length} positions` : "each position";
  byId("footer").textContent = `${review.analyst} searched ${which} (${review.limits}). Keys: ← → Home End, ↑ ↓ between mistakes, b for the better line.`;
}

// The next mistake or blunder in a direction; null if there is none.
function errorFrom(ply, direction) {
  for (let next = ply + direction; 1 <= next && next <= last; next += direction) {
    if (isGrave(next)) return next;
  }
  return null;
}

function go(ply, line = null, step = 0) {
  at.ply = Math.min(Math.max(ply, 0), last);
  const shown = line && at.ply && !isEnd(at.ply) ? lines[at.ply - 1][line].length : 0;
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
