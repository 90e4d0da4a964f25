import assert from "node:assert/strict";
import { test } from "node:test";
import { room, untilEnd, untilFree, windowAt } from "../src/windows.js";

test("the first millisecond of a window belongs to it", () => {
  assert.deepEqual(windowAt(120_000, 60_000), { index: 2, elapsed: 0, length: 60_000 });
  assert.deepEqual(windowAt(119_999, 60_000), { index: 1, elapsed: 59_999, length: 60_000 });
});

test("the estimate charges the share of the previous window that is still in sight", () => {
  const at = (elapsed: number) => room("sliding-window", 100, 80, { index: 1, elapsed, length: 60_000 });
  assert.equal(at(0), 20);
  assert.equal(at(15_000), 40);
  assert.equal(at(15_001), 40, "80 * 44999 / 60000 = 59.9986…, rounded against the client");
  assert.equal(at(59_999), 99);
});

test("one more request fits at the very millisecond that untilFree names, and not before", () => {
  const length = 50;
  for (let limit = 1; limit <= 6; limit++)
    for (let previous = 0; previous <= 2 * limit; previous++)
      for (let elapsed = 0; elapsed < length; elapsed += 7)
        for (let count = 0; count <= 2 * limit; count++) {
          const window = { index: 9, elapsed, length };
          if (count < room("sliding-window", limit, previous, window)) continue; // not refused
          const fits = (wait: number): boolean => {
            const then = elapsed + wait;
            const passed = Math.floor(then / length);
            const [older, newer] = passed === 0 ? [previous, count] : passed === 1 ? [count, 0] : [0, 0];
            const inSight = (older * (length - (then % length))) / length;
            return newer + 1 + inSight <= limit + 1e-9;
          };
          let naive = 1;
          while (!fits(naive)) naive++;
          const told = untilFree("sliding-window", limit, previous, count, window);
          assert.equal(told, naive, JSON.stringify({ limit, previous, elapsed, count }));
        }
});

test("a fixed window is free again at its end", () => {
  const window = { index: 1, elapsed: 59_000, length: 60_000 };
  assert.equal(untilEnd(window), 1000);
  assert.equal(untilFree("fixed-window", 5, 0, 5, window), 1000);
  assert.equal(room("fixed-window", 5, 4, window), 5);
});
