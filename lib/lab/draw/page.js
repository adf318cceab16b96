"use strict";
// Plays the rounds that the page carries as data. `position` is how many rounds are finished; between two positions
// the messages of a round are on their way.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const rounds = data.rounds.length;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const secondsPerRound = 1.6;
  let position = 0, playing = false, speed = 1, frame = 0, timer = 0;

  function drawn(parent, name, attributes, text) {
    const mark = document.createElementNS(parent.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) mark.setAttribute(key, value);
    if (text !== undefined) mark.textContent = text;
    return parent.appendChild(mark);
  }

  function cell(row, text, kind, tag = "td") {
    const made = document.createElement(tag);
    if (tag === "th") made.scope = row.parentElement.tagName === "THEAD" ? "col" : "row";
    made.textContent = text;
    if (kind) made.className = kind;
    return row.appendChild(made);
  }

  const path = (points) => "M" + points.map((point) => point.join(",")).join("L");
  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  // "block 3", "blocks 0-2,5"; no line ends behind a hyphen.
  const blocksText = (blocks) => `${/[-,…]/.test(blocks) ? "blocks" : "block"} ${blocks.replaceAll("-", "-\u2060")}`;

  // --- the picture, which stays; links and ways of a round come and go in layers
  const svg = element("picture");
  svg.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
  element("picture-title").textContent = data.title;
  element("about").textContent =
    `${data.topology}, ${plural(data.nodes, "node")}, routing ${data.routing}, ${plural(rounds, "round")}`;
  const links = data.links.map((points) =>
    drawn(svg, "path", { class: "link", d: path(points), "stroke-width": data.radius > 6 ? 1.5 : 0.8 }));
  const ways = drawn(svg, "g", { id: "ways" });
  const tokens = drawn(svg, "g", { id: "tokens" });
  const discs = data.vertices.map(([x, y, radius], vertex) =>
    drawn(svg, "circle", { class: vertex < data.nodes ? "node" : "switch", cx: x, cy: y, r: radius }));
  data.vertices.slice(0, data.nodes).forEach(([x, y, radius], rank) => {
    const size = Math.min(13, 1.7 * radius / Math.max(1.1, 0.64 * String(rank).length));
    if (size >= 6) drawn(svg, "text", { x, y, "font-size": size }, rank);
  });
  const labels = drawn(svg, "g", { id: "labels" });

  function showWays(round) {
    ways.replaceChildren();
    for (const message of round.messages) {
      if (message.path.length < 2) continue;
      drawn(ways, "path", {
        class: "way" + (message.combined ? " combined" : ""), d: path(message.path),
        stroke: `var(--hue-${message.hue})`, "stroke-width": Math.max(0.8, Math.min(2, data.radius / 6)),
      });
      drawHead(message);
    }
  }

  function drawHead(message) {
    const [tip, before] = [message.path.at(-1), message.path.at(-2)];
    const long = Math.max(3, Math.min(9, 0.75 * data.radius));
    const far = Math.hypot(tip[0] - before[0], tip[1] - before[1]) || 1;
    const [x, y] = [(tip[0] - before[0]) / far * long, (tip[1] - before[1]) / far * long];
    const at = (along, aside) => `${tip[0] - along * x - aside * y},${tip[1] - along * y + aside * x}`;
    drawn(ways, "path", { d: `M${at(0, 0)}L${at(1, 0.42)}L${at(1, -0.42)}Z`, fill: `var(--hue-${message.hue})` });
  }

  function showCongestion(round) {
    const hot = new Map(round ? round.congested : []);
    links.forEach((link, index) => {
      link.classList.toggle("hot", hot.has(index));
      link.setAttribute("stroke-width", hot.has(index) ? 5 : data.radius > 6 ? 1.5 : 0.8);
    });
    labels.replaceChildren();
    for (const { text, at: [x, y], size, hue } of round ? round.labels : [])
      drawn(labels, "text", {
        class: hue === null ? "load" : "blocks", x, y, "font-size": size,
        ...(hue === null ? {} : { style: `fill: var(--hue-${hue})` }),
      }, text);
  }

  function showLegend() {
    const list = element("legend");
    const entry = (text, kind, colour) => {
      const item = document.createElement("li"), sample = document.createElement("span");
      sample.className = `sample ${kind}`;
      if (colour) sample.style.borderColor = colour;
      item.append(sample, text);
      list.append(item);
    };
    data.legend.classes.forEach((text, hue) => entry(text, "stroke", `var(--hue-${hue})`));
    if (data.legend.combines && data.legend.replaces) entry("replaces", "stroke");
    if (data.legend.combines) entry("is combined", "stroke combined");
    if (!data.held) return;
    entry("holds something", "has");
    entry("has got something in this round", "new");
  }

  // --- what nodes hold: by node a map from block to the text of its contributions
  const start = () => Array.from({ length: data.nodes }, () => new Map());
  function heldAfter(count) {
    const held = start(), fresh = start();
    if (!data.held) return { held, fresh };
    for (const [node, block, text] of data.held.start) held[node].set(block, text);
    for (let round = 0; round < count; ++round)
      for (const [node, block, text] of data.held.rounds[round]) {
        held[node].set(block, text);
        if (round === count - 1) fresh[node].set(block, text);
      }
    return { held, fresh };
  }

  function intervals(blocks) {
    const parts = [];
    for (const block of blocks.sort((a, b) => a - b)) {
      const last = parts.at(-1);
      if (last && last[1] === block - 1) last[1] = block;
      else parts.push([block, block]);
    }
    return parts.map(([first, last]) => first === last ? `${first}` : `${first}-${last}`).join(",");
  }

  const widest = 16;
  function showHeld(count) {
    const table = element("held"), { held, fresh } = heldAfter(count);
    discs.slice(0, data.nodes).forEach((disc, rank) => {
      disc.classList.toggle("has", held[rank].size > 0);
      disc.classList.toggle("new", fresh[rank].size > 0);
    });
    table.tHead.replaceChildren();
    table.tBodies[0].replaceChildren();
    if (!data.held) {
      table.caption.textContent = "What the nodes hold is left out: there are too many blocks";
      return;
    }
    const each = data.held.blocks <= widest && !data.held.knowledge;
    table.caption.textContent = data.held.knowledge ? "Of whom each node knows that he has come"
      : each ? "Whose contributions each block, 0, 1, …, of a node has" : "Which blocks each node holds";
    const head = table.tHead.insertRow();
    cell(head, "node", "", "th");
    if (each) for (let block = 0; block < data.held.blocks; ++block) cell(head, block, "", "th");
    else cell(head, data.held.knowledge ? "nodes" : "blocks", "", "th");
    held.forEach((blocks, rank) => {
      const row = table.tBodies[0].insertRow();
      cell(row, rank, "", "th");
      const kind = (has, is) => is ? "new" : has ? "has" : "";
      if (each)
        for (let block = 0; block < data.held.blocks; ++block)
          cell(row, blocks.get(block) ?? "", kind(blocks.has(block), fresh[rank].has(block)));
      else
        cell(row, data.held.knowledge ? blocks.get(0) ?? "" : intervals([...blocks.keys()]),
             kind(blocks.size > 0, fresh[rank].size > 0));
    });
    if (!fits()) document.querySelector("main").append(table.parentElement);
  }

  // The table stands beside the picture, or below it once it has been wider than its place there.
  const fits = () => element("held").offsetWidth <= element("held").parentElement.clientWidth;
  window.addEventListener("resize", () => {
    document.querySelector(".facts").append(element("held").parentElement);
    if (!fits()) document.querySelector("main").append(element("held").parentElement);
  });

  // --- words and numbers of a round
  function timeText(seconds) {
    for (const [unit, name] of [[1, "s"], [1e-3, "ms"], [1e-6, "us"]])
      if (seconds >= unit) return `${Number((seconds / unit).toPrecision(4))} ${name}`;
    return seconds > 0 ? `${Number((seconds * 1e9).toPrecision(4))} ns` : "0";
  }

  // `part` of round `count`, from 1, is over.
  function showClock(count, part) {
    const body = element("clock").tBodies[0];
    data.runs.forEach((run, index) => {
      const time = count > 0 ? data.rounds[count - 1].times[index] : [0, 0];
      body.rows[index].cells[1].textContent =
        time ? timeText(time[0] + part * (time[1] - time[0])) : "not in this run";
    });
  }

  function prepareClock() {
    for (const run of data.runs) {
      const row = element("clock").tBodies[0].insertRow();
      cell(row, run.title, "", "th");
      cell(row, "");
      cell(row, `of ${timeText(run.seconds)}`);
    }
    element("clock").hidden = data.runs.length === 0;
  }

  const linkName = ([from, to]) => `${from}>${to}`;
  function showLoads(round) {
    const body = element("loads").tBodies[0];
    body.replaceChildren();
    element("loads").hidden = !round;
    if (!round) return;
    const most = 12;
    for (const [ends, load] of round.loads.slice(0, most)) {
      const row = body.insertRow();
      cell(row, linkName(ends), "", "th");
      cell(row, plural(load, "message"), load > 1 ? "congested" : "");
    }
    if (round.loads.length > most) cell(body.insertRow(), `and ${round.loads.length - most} more`, "", "th");
  }

  function spoken(count) {
    if (rounds === 0) return "No node sends anything.";
    if (count === 0) return `Before round 1 of ${rounds}.`;
    const round = data.rounds[count - 1], most = 16;
    const said = round.messages.slice(0, most).map((message) =>
      `${message.from} to ${message.to}${message.blocks ? ` (${blocksText(message.blocks)})` : ""}`).join(", ");
    const greatest = round.loads.length > 0 ? round.loads[0][1] : 0;
    const congestion = greatest > 1 ? `, a link carries ${greatest} of them` : "";
    const more = round.messages.length > most ? ` and ${round.messages.length - most} more` : "";
    return `${plural(round.messages.length, "message")}${congestion}: ${said}${more}.`;
  }

  function say(name, text) {
    if (element(name).textContent !== text) element(name).textContent = text;  // or else it is read aloud again
  }

  // Shows the messages of round `count`, from 1, and what is said of them; 0: before the first.
  function describe(count, underWay) {
    const round = count > 0 ? data.rounds[count - 1] : null;
    if (round) showWays(round);
    else ways.replaceChildren();
    showCongestion(round);
    showLoads(round);
    showClock(count, underWay ? 0 : 1);
    const name = rounds === 0 ? "No rounds" : count === 0 ? "Before round 1" : `Round ${count} of ${rounds}`;
    say("round", underWay ? `${name}, under way` : name);
    say("status", spoken(count));
    element("slider").setAttribute("aria-valuetext", name);
  }

  // Shows the state after `count` rounds.
  function show(count) {
    position = Math.max(0, Math.min(rounds, count));
    tokens.replaceChildren();
    describe(position, false);
    showHeld(position);
    element("slider").value = position;
    element("back").disabled = element("first").disabled = position === 0;
    element("forth").disabled = element("last").disabled = position === rounds;
    document.body.dataset.position = position;
    if (named() === position) return;
    try {
      history.replaceState(null, "", `#round=${position}`);
    } catch {
      // A page without an address of its own has no links to its rounds.
    }
  }

  // The round that the page's address names.
  const named = () => Number(/^#round=(\d+)$/.exec(location.hash)?.[1] ?? 0);

  // --- motion
  function stop() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    playing = false;
    tokens.replaceChildren();
    element("play").textContent = "Play";
    document.body.dataset.playing = "false";
  }

  // Moves the messages of the next round, all at once.
  function travel(done) {
    const round = data.rounds[position];
    const moving = round.messages.filter(({ path }) => path.length > 1).map((message, index) => {
      const way = ways.children[2 * index];
      const token = drawn(tokens, "circle", { class: "token", r: Math.max(2, data.radius * 0.36), fill: `var(--hue-${message.hue})` });
      return { way, token, length: way.getTotalLength() };
    });
    let begun;
    const advance = (now) => {
      begun ??= now;
      const part = Math.min(1, (now - begun) / 1000 * speed / secondsPerRound);
      for (const { way, token, length } of moving) {
        const at = way.getPointAtLength(part * length);
        token.setAttribute("cx", at.x);
        token.setAttribute("cy", at.y);
      }
      showClock(position + 1, part);
      if (part < 1) frame = requestAnimationFrame(advance);
      else done();
    };
    frame = requestAnimationFrame(advance);
  }

  function playOn() {
    if (position === rounds) return stop();
    const done = () => {
      show(position + 1);
      timer = setTimeout(playOn, 350 / speed);
    };
    describe(position + 1, true);
    if (still.matches) timer = setTimeout(done, secondsPerRound * 1000 / speed);
    else travel(done);
  }

  function toggle() {
    if (playing) {
      stop();
      return show(position);
    }
    if (position === rounds) show(0);
    playing = rounds > 0;
    if (!playing) return;
    element("play").textContent = "Pause";
    document.body.dataset.playing = "true";
    playOn();
  }

  function go(count) {
    stop();
    show(count);
  }

  element("slider").max = rounds;
  element("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  element("speed").addEventListener("change", (event) => { speed = Number(event.target.value); });
  element("play").addEventListener("click", toggle);
  element("first").addEventListener("click", () => go(0));
  element("back").addEventListener("click", () => go(position - 1));
  element("forth").addEventListener("click", () => go(position + 1));
  element("last").addEventListener("click", () => go(rounds));

  const keys = {
    " ": toggle,
    ArrowRight: () => go(position + 1),
    ArrowLeft: () => go(position - 1),
    Home: () => go(0),
    End: () => go(rounds),
  };
  // A focused control has its own use for some keys.
  const owns = (target, key) =>
    target.tagName === "SELECT" || (target.tagName === "BUTTON" && key === " ") ||
    (target.tagName === "INPUT" && key !== " ") || (target.classList.contains("scroll") && key !== " ");
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || owns(event.target, event.key)) return;
    event.preventDefault();
    act();
  });
  showLegend();
  prepareClock();
  stop();
  window.addEventListener("hashchange", () => go(named()));
  show(named());
})();
