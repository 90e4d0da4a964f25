/** Milliseconds since 1970. */
export type Clock = () => number;

/** A clock that never goes back, whatever is done to the machine's: what was handed out stays handed out. */
export function neverBackwards(clock: Clock = Date.now): Clock {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    latest = Math.max(latest, clock());
    return latest;
  };
}
