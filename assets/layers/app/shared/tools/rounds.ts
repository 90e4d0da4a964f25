/** Runs ways in turns, so that all see the same machine, and prints the median of each beside its bare one. */
export async function compare(
  rounds: number,
  pairs: { name: string; bare: () => Promise<unknown>; limited: () => Promise<unknown> }[],
): Promise<void> {
  const taken = new Map<string, number[]>();
  const ways = pairs.flatMap(({ name, bare, limited }) => [
    { name: `bare ${name}`, way: bare },
    { name, way: limited },
  ]);
  for (let round = -20; round < rounds; round++) {
    for (const { name, way } of ways) {
      const started = performance.now();
      await way();
      if (round < 0) continue;
      const times = taken.get(name) ?? [];
      times.push(performance.now() - started);
      taken.set(name, times);
    }
  }
  const median = (name: string) => {
    const times = (taken.get(name) ?? []).sort((one, other) => one - other);
    return times[Math.floor(times.length / 2)] ?? 0;
  };
  for (const { name } of pairs) {
    const [bare, limited] = [median(`bare ${name}`), median(name)];
    const share = ((limited / bare - 1) * 100).toFixed(1);
    console.log(
      `${name.padEnd(16)} ${limited.toFixed(2).padStart(7)} ms  bare ${bare.toFixed(2).padStart(7)} ms  ${share.padStart(6)} %`,
    );
  }
}
