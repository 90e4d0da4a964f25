// Arithmetic of the two algorithms, in whole milliseconds: no I/O, no clock, no rounding errors.
import type { Algorithm } from "./config-type.js";

export interface Window {
  /** Number of the window since 1970. */
  index: number;
  elapsed: number;
  length: number;
}

export function windowAt(now: number, length: number): Window {
  const index = Math.floor(now / length);
  return { index, elapsed: now - index * length, length };
}

/**
 * How many requests the current window may hold at this moment. The fixed window knows nothing of the one
 * before; the sliding estimate takes that one's requests as spread evenly and charges the share of them
 * that is still within the last window's length. Rounded so that the estimate never exceeds the limit.
 */
export function room(algorithm: Algorithm, limit: number, previous: number, window: Window): number {
  if (algorithm === "fixed-window") return limit;
  return limit - Math.ceil((previous * (window.length - window.elapsed)) / window.length);
}

/** Milliseconds until the window ends. */
export function untilEnd(window: Window): number {
  return window.length - window.elapsed;
}

/**
 * Milliseconds until one more request fits, if nobody sends another one. `count` is what the current
 * window holds and cannot shrink, so the answer can only be too early, never too late.
 */
export function untilFree(
  algorithm: Algorithm,
  limit: number,
  previous: number,
  count: number,
  window: Window,
): number {
  if (algorithm === "fixed-window") return untilEnd(window);
  const { length, elapsed } = window;
  // Moment within a window from which `older` requests of the window before leave `free` places.
  const moment = (older: number, free: number): number =>
    older === 0 ? 0 : Math.max(0, length - Math.floor((free * length) / older));
  if (count < limit) {
    const at = moment(previous, limit - count - 1);
    if (at < length) return Math.max(1, at - elapsed);
  }
  return untilEnd(window) + moment(count, limit - 1);
}
