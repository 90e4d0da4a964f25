// Opens a page in a headless Chromium and tells, as JSON on standard output, what happened to it.
//
//   node browser.mjs CHROMIUM PAGE.html [--move LIMIT]… [--shot light|dark|phone|print=FILE.webp]… [--key KEY] [--sort COLUMN]
//
// Speaks the DevTools protocol over a pipe (file descriptors 3 and 4 of the browser): no library is needed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [program, page, ...rest] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "ratewaf-browser-"));
const browser = spawn(program, [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
  "--font-render-hinting=none", "--force-color-profile=srgb", `--user-data-dir=${profile}`,
  "--remote-debugging-pipe", "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

const waiting = new Map();
const listeners = [];
let last = 0;
let rest_of_message = "";
browser.stdio[4].on("data", (chunk) => {
  const parts = (rest_of_message + chunk).split("\0");
  rest_of_message = parts.pop();
  for (const text of parts) {
    const message = JSON.parse(text);
    if (message.id) {
      const { done, fail } = waiting.get(message.id);
      message.error ? fail(new Error(JSON.stringify(message.error))) : done(message.result);
    } else {
      listeners.forEach((listener) => listener(message));
    }
  }
});
const send = (method, params = {}, sessionId) => new Promise((done, fail) => {
  waiting.set(++last, { done, fail });
  browser.stdio[3].write(JSON.stringify({ id: last, method, params, sessionId }) + "\0");
});

const found = { messages: [], requests: [], moves: [] };
const patience = setTimeout(() => { console.error("the browser does not answer"); end(3); }, 90_000);
const end = (code) => {
  clearTimeout(patience);
  browser.on("exit", () => {
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } catch {
      // A child of the browser still writes: the folder is a temporary one.
    }
    process.exit(code);
  });
  setTimeout(() => browser.kill("SIGKILL"), 5_000);
  send("Browser.close").catch(() => browser.kill("SIGKILL"));
};

const VIEWS = {
  light: { width: 1000, height: 1300, scheme: "light" },
  dark: { width: 1000, height: 1300, scheme: "dark" },
  phone: { width: 390, height: 844, scheme: "light", mobile: true, scale: 2, from: "section h3" },
  print: { width: 794, height: 1123, scheme: "light", media: "print", margin: "12mm" }, // as paper has
};

const main = async () => {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const tab = (method, params) => send(method, params, sessionId);
  let loaded;
  const load = new Promise((done) => { loaded = done; });
  listeners.push(({ method, params }) => {
    if (method === "Runtime.consoleAPICalled") {
      found.messages.push(params.args.map((one) => one.value ?? one.description).join(" "));
    } else if (method === "Runtime.exceptionThrown") {
      found.messages.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === "Log.entryAdded") {
      found.messages.push(params.entry.text);
    } else if (method === "Page.javascriptDialogOpening") {
      found.messages.push("dialog: " + params.message);
      tab("Page.handleJavaScriptDialog", { accept: false });
    } else if (method === "Fetch.requestPaused") {
      // Nothing but the page itself may be asked for; whatever else is, fails.
      const { url } = params.request;
      const own = url === pathToFileURL(resolve(page)).href;
      if (!own) found.requests.push(url);
      own ? tab("Fetch.continueRequest", { requestId: params.requestId })
        : tab("Fetch.failRequest", { requestId: params.requestId, errorReason: "AccessDenied" });
    } else if (method === "Network.requestWillBeSent") {
      const { url } = params.request;
      if (!url.startsWith("file:") && url !== "data:,") found.requests.push(url);
    } else if (method === "Page.loadEventFired") {
      loaded();
    }
  });
  for (const domain of ["Runtime", "Log", "Page", "Network"]) await tab(`${domain}.enable`);
  await tab("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
  await tab("Page.navigate", { url: pathToFileURL(resolve(page)).href });
  await load;
  const ask = async (expression) => {
    const answer = await tab("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description);
    return answer.result.value;
  };
  found.title = await ask("document.title");
  found.ran = await ask("String(window.ran)");
  found.elements = await ask("document.querySelectorAll('img, iframe, object, embed, form, base, [onerror], [onload], [onclick]').length");
  found.scripts = await ask("document.scripts.length");
  found.wide = await ask("document.documentElement.scrollWidth > innerWidth");
  found.unlabelled = await ask("[...document.querySelectorAll('button, input, svg[role]')].filter(one => !(one.labels?.length || one.textContent.trim() || one.getAttribute('aria-label'))).length");
  for (let at = 0; at < rest.length; at += 2) {
    const [flag, value] = [rest[at], rest[at + 1]];
    if (flag === "--move") {
      found.moves.push(await ask(`(() => {
        const input = document.querySelector(".slider input");
        const route = JSON.parse(document.getElementById("data").textContent).routes[0];
        input.value = route.steps.findIndex((step) => step[0] === ${Number(value)});
        input.dispatchEvent(new Event("input"));
        const output = document.querySelector(".slider output");
        return { limit: +output.dataset.limit, clients: +output.dataset.clients, words: output.textContent,
          over: [...document.querySelectorAll("table.clients tr.over")].map((row) => row.cells[0].dataset.v) };
      })()`));
    } else if (flag === "--shot") {
      const [name, file] = value.split("=");
      const view = VIEWS[name];
      await tab("Emulation.setDeviceMetricsOverride", {
        width: view.width, height: view.height, deviceScaleFactor: view.scale ?? 1, mobile: view.mobile ?? false,
      });
      await tab("Emulation.setEmulatedMedia", {
        media: view.media ?? "", features: [{ name: "prefers-color-scheme", value: view.scheme }],
      });
      const full = process.env.WHOLE === "1"; // the whole page, however long
      await ask(`document.body.style.padding = "${view.margin ?? ""}"`);
      await ask(`document.querySelector("${view.from ?? "body"}").scrollIntoView()`);
      const { data } = await tab("Page.captureScreenshot", {
        format: file.endsWith(".webp") ? "webp" : "png", quality: 80, captureBeyondViewport: full,
      });
      writeFileSync(file, Buffer.from(data, "base64"));
      found[name + "_is_wide"] = await ask("document.documentElement.scrollWidth > innerWidth");
    } else if (flag === "--key") {
      // Tab to the first mark of the chart, then walk.
      found.walked = await ask(`(() => {
        const first = document.querySelector(".dots .dot[tabindex='0']");
        first.focus();
        first.dispatchEvent(new KeyboardEvent("keydown", { key: "${value}", bubbles: true }));
        const tip = document.querySelector(".tip");
        return [document.activeElement.getAttribute("aria-label"), tip.hidden, tip.textContent];
      })()`);
    } else if (flag === "--sort") {
      found.sorted = await ask(`(() => {
        const table = document.querySelector("table.clients");
        const head = table.tHead.rows[0].cells[${Number(value)}];
        head.querySelector("button").click();
        return [head.getAttribute("aria-sort"), ...[...table.tBodies[0].rows].map((row) => row.cells[${Number(value)}].dataset.v)];
      })()`);
    }
  }
  console.log(JSON.stringify(found, null, 1));
};
main().then(() => end(0), (error) => { console.error(error); end(3); });
