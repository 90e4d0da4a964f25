/** Where one request stands: who came before it on the same key, and what came of them. */
export interface Turn {
  /** Whether the store answered another request of the same client while this one waited for its turn. */
  contended(): boolean;
}

interface Line {
  last: Promise<unknown>;
  waiting: number;
  /** How many have been answered by the store. */
  answered: number;
}

/** One request of a key at a time: those of one process need not race for the item. */
export class Turns {
  private readonly lines = new Map<string, Line>();

  /** Runs when everybody before has been, and tells through `joined` where it stands. */
  take<T>(key: string, joined: (turn: Turn) => void, run: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { last: Promise.resolve(), waiting: 0, answered: 0 };
    this.lines.set(key, line);
    line.waiting += 1;
    const before = line.answered;
    joined({ contended: () => line.answered > before });
    const mine = line.last.then(run);
    const done = (answered: number) => () => {
      line.answered += answered;
      line.waiting -= 1;
      if (line.waiting === 0) this.lines.delete(key);
    };
    line.last = mine.then(done(1), done(0));
    return mine;
  }
}
