"use strict";
// All foreign text goes through textContent: nothing here writes HTML.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const number = (n) => n.toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const count = (n, one, many) => number(n) + " " + (n === 1 ? one : many);
  const percent = (part, whole) => {
    const share = whole ? (100 * part) / whole : 0;
    if (share > 0 && share < 0.1) return "< 0.1 %";
    if (share > 0 && share < 1) return share.toFixed(1) + " %";
    if (share < 100 && share > 99.9) return "> 99.9 %";
    if (share < 100 && share > 99) return share.toFixed(1) + " %";
    return Math.round(share) + " %";
  };

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);
  const show = (dot) => {
    const place = dot.getBoundingClientRect();
    tip.textContent = dot.dataset.tip;
    tip.hidden = false;
    const left = Math.min(place.left + 12, innerWidth - tip.offsetWidth - 8);
    tip.style.left = Math.max(8, left) + "px";
    tip.style.top = Math.max(8, place.top - tip.offsetHeight - 6) + "px";
  };
  const hide = () => { tip.hidden = true; };
  addEventListener("scroll", hide, { passive: true, capture: true });
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  // One stop of the tab key a chart; arrow keys walk from client to client.
  const walk = (chart) => {
    const dots = [...chart.querySelectorAll(".dots .dot")];
    if (!dots.length) return;
    chart.setAttribute("role", "group");
    let at = 0;
    dots.forEach((dot, place) => {
      const title = dot.querySelector("title");
      dot.dataset.tip = title.textContent;
      dot.setAttribute("role", "img");
      dot.setAttribute("aria-label", title.textContent);
      title.remove(); // one tooltip is enough
      dot.setAttribute("tabindex", place ? "-1" : "0");
      dot.addEventListener("pointerenter", () => show(dot));
      dot.addEventListener("pointerleave", hide);
      dot.addEventListener("focus", () => { at = place; show(dot); });
      dot.addEventListener("blur", hide);
      dot.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        const next = event.key === "Home" ? 0 : event.key === "End" ? dots.length - 1 : at + step;
        if (!dots[next]) return;
        event.preventDefault();
        dots[at].setAttribute("tabindex", "-1");
        dots[next].setAttribute("tabindex", "0");
        dots[next].focus();
      });
    });
  };

  const slide = (section, route) => {
    const box = section.querySelector(".slider");
    const input = box.querySelector("input");
    const output = box.querySelector("output");
    const chart = section.querySelector("svg.peaks");
    const line = chart.querySelector(".limit");
    const words = chart.querySelector(".limit-words");
    const { start, end, most } = chart.dataset;
    const own = route.steps.findIndex((step) => step[0] === route.limit);
    const marked = [...section.querySelectorAll("[data-peak]")];
    const who = box.querySelector(".who");
    const named = [...section.querySelectorAll("table.clients tbody tr:not([data-exempt])")]
      .map((row) => [+row.dataset.peak, row.cells[0].dataset.v]);
    const set = (place) => {
      const [limit, clients, requests] = route.steps[place];
      const share = Math.min(1, Math.log10(limit) / Math.log10(+most));
      line.setAttribute("transform", "translate(" + (+start + share * (end - start)).toFixed(1) + " 0)");
      words.textContent = (place === own && route.is === "ceiling" ? "ceiling " : "limit ") + number(limit);
      section.classList.toggle("moved", place !== own);
      for (const one of marked) {
        const over = +one.dataset.peak > limit && !("exempt" in one.dataset);
        one.classList.toggle("over", over);
        const mark = one.querySelector(".mark");
        if (mark) mark.textContent = "exempt" in one.dataset ? "tester" : over ? "limited" : "passes";
      }
      const more = clients - route.steps[own][1];
      const beside = place === own ? { pinned: "the pinned limit", proposed: "the proposed limit", ceiling: "the ceiling; no limit is proposed" }[route.is]
        : more > 0 ? number(more) + " more than at " + number(route.limit)
        : more < 0 ? number(-more) + " fewer than at " + number(route.limit)
        : "as many as at " + number(route.limit);
      const text = "At " + number(limit) + " requests in " + route.window + " s: " + number(clients) + " of "
        + count(route.clients, "client", "clients") + " limited (" + beside + "); they sent " + number(requests)
        + " of " + count(route.requests, "request", "requests") + " (" + percent(requests, route.requests) + ").";
      output.textContent = text;
      const between = named.filter(([peak]) => (peak > limit) !== (peak > route.limit));
      const shown = between.slice(0, 6).map(([peak, client]) => client + " (" + number(peak) + ")");
      const rest = Math.abs(more) - shown.length;
      if (shown.length && rest > 0) shown.push("and " + number(rest) + " more");
      who.textContent = shown.length ? (more > 0 ? "Limited now: " : "Passing now: ") + shown.join(", ") : "";
      output.dataset.limit = limit;
      output.dataset.clients = clients;
      input.value = place;
      input.setAttribute("aria-valuetext", number(limit) + " requests: " + count(clients, "client", "clients") + " limited");
    };
    input.max = route.steps.length - 1;
    input.addEventListener("input", () => set(+input.value));
    box.querySelector("button").addEventListener("click", () => { set(own); input.focus(); });
    addEventListener("beforeprint", () => set(own));
    set(own);
    box.hidden = false;
  };

  const sortable = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const value = (row, column) => row.cells[column].dataset.v;
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.textContent = "";
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const numeric = head.classList.contains("n");
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => {
          const [x, y] = [value(a, column), value(b, column)];
          const order = numeric ? x - y : x < y ? -1 : x > y ? 1 : 0;
          return down ? -order : order;
        });
        table.tBodies[0].append(...rows);
      });
    });
  };

  document.querySelectorAll("section.route").forEach((section, place) => {
    slide(section, data.routes[place]);
    section.querySelectorAll("svg.peaks").forEach(walk);
    section.querySelectorAll("table.clients").forEach(sortable);
  });
})();
