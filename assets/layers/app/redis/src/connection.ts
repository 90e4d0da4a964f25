import type { Script } from './scripts.js';

/** Sends one command. `key` is the one that says which node of a cluster has to answer. */
export interface Connection {
  send(key: string | undefined, command: string[]): Promise<unknown>;
}

/** A client of the package `redis`: `createClient({ url, disableOfflineQueue: true })`. */
export function ofClient(client: {
  sendCommand(command: string[]): Promise<unknown>;
}): Connection {
  return { send: (_, command) => client.sendCommand(command) };
}

/** A cluster's: `createCluster({ rootNodes, … })`. */
export function ofCluster(client: {
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    command: string[],
  ): Promise<unknown>;
}): Connection {
  return { send: (key, command) => client.sendCommand(key, false, command) };
}

/** Runs a script by its name; the text goes along only where Redis does not know it (any more). */
export async function run(
  connection: Connection,
  script: Script,
  keys: string[],
  values: (string | number)[],
): Promise<number[]> {
  const rest = [String(keys.length), ...keys, ...values.map(String)];
  let answer: unknown;
  try {
    answer = await connection.send(keys[0], ['EVALSHA', script.sha, ...rest]);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    answer = await connection.send(keys[0], ['EVAL', script.text, ...rest]);
  }
  if (!Array.isArray(answer)) throw new Error('the script gave no list');
  return answer.map(Number);
}

/**
 * Removes keys of a scenario that the policy does not have any more, by SCAN: KEYS would stop the server
 * for everybody. How many were removed. In a cluster, once for each of its masters.
 */
export async function cleanUp(
  connection: Connection,
  prefix: string,
  scenario: string,
): Promise<number> {
  let cursor = '0';
  let removed = 0;
  do {
    const match = `${prefix}:{${scenario}}:*`;
    const scan = ['SCAN', cursor, 'MATCH', match, 'COUNT', '500'];
    const [next, keys] = (await connection.send(undefined, scan)) as [string, string[]];
    // All of them have the scenario's tag: one slot, one command.
    if (keys.length > 0) removed += Number(await connection.send(keys[0], ['UNLINK', ...keys]));
    cursor = String(next);
  } while (cursor !== '0');
  return removed;
}
