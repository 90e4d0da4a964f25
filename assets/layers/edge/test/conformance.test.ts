import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Algorithm } from "../src/config-type.js";
import { Limiter } from "../src/limiter.js";
import { table, type Table } from "./table.js";

interface Case {
  name: string;
  algorithm: Algorithm;
  limit: number;
  /** Seconds. */
  window: number;
  requests: { at_ms: number; key: string; allowed: boolean; remaining: number; reset_ms: number }[];
}

/** From `dist/test` and from `test`. */
const folder = [join(__dirname, "../../conformance"), join(__dirname, "../conformance")].find((it) => {
  try {
    return readdirSync(it).some((file) => file.endsWith(".json"));
  } catch {
    return false;
  }
});

let store: Table;
before(async () => {
  store = await table();
});
after(() => store.stop());

assert.ok(folder !== undefined, "no folder of conformance vectors");
for (const file of readdirSync(folder).filter((it) => it.endsWith(".json")).sort()) {
  const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as Case[];
  // Other limiters' vectors may lie beside these.
  const ours = cases.filter((it) => it.algorithm === "fixed-window" || it.algorithm === "sliding-window");
  for (const [at, vector] of ours.entries()) {
    // Once with one instance, once with another instance for each request: what one remembers is only a short cut.
    for (const instances of ["one instance", "an instance for each request"]) {
      test(`${file}: ${vector.algorithm}: ${vector.name} (${instances})`, async () => {
        const region = `${file}-${at}-${instances}`;
        const fresh = (): Limiter => new Limiter(store.store, region, vector.window);
        let limiter = fresh();
        let latest = 0;
        for (const [number, { at_ms, key, ...expected }] of vector.requests.entries()) {
          // The clock's memory is an instance's own.
          latest = Math.max(latest, at_ms);
          if (instances !== "one instance") limiter = fresh();
          const time = instances === "one instance" ? at_ms : latest;
          const question = { key, algorithm: vector.algorithm, limit: vector.limit, band: 1 };
          const { verdict, remaining, reset } = await limiter.decide(question, time);
          const decided = { allowed: verdict === "allowed", remaining, reset_ms: reset };
          assert.deepEqual(decided, expected, `request ${number} at ${at_ms} of ${key}`);
        }
      });
    }
  }
}
