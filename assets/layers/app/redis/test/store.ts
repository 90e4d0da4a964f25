import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createClient, createCluster } from 'redis';

import { ofClient, type Connection } from '../src/connection.js';
import { Limiter } from '../src/limiter.js';
import { BUCKET, script, SLIDING, type Script } from '../src/scripts.js';
import type { Config } from '../src/types.js';
import { Proxy } from './proxy.js';

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a redis-server that keeps nothing. */
async function serve(port: number, folder: string, ...more: string[]): Promise<ChildProcess> {
  const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
  const server = spawn('redis-server', [...options, ...more], { stdio: 'ignore' });
  const isThere = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  while (!(await isThere())) {
    if (server.exitCode !== null) throw new Error('redis-server does not start');
    await sleep(20);
  }
  return server;
}

async function stopped(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill();
  await gone;
}

/** A redis-server of its own, and a proxy before it that can be slow. */
export class Store {
  private constructor(
    private readonly folder: string,
    private readonly server: ChildProcess,
    readonly proxy: Proxy,
    readonly client: ReturnType<typeof createClient>,
  ) {}

  static async start(): Promise<Store> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'limits-redis-'));
    const server = await serve(port, folder);
    const proxy = await Proxy.before(port);
    const client = createClient({ url: `redis://127.0.0.1:${proxy.port}`, disableOfflineQueue: true });
    client.on('error', () => undefined);
    const store = new Store(folder, server, proxy, client);
    await client.connect();
    return store;
  }

  /** One server that is a cluster by itself: it refuses commands whose keys are of several slots. */
  static async cluster() {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'limits-redis-'));
    const announced = ['--cluster-announce-ip', '127.0.0.1', '--cluster-port', String(await freePort())];
    const server = await serve(port, folder, '--cluster-enabled', 'yes', ...announced);
    const url = `redis://127.0.0.1:${port}`;
    const node = createClient({ url });
    await node.connect();
    await node.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
    while (!String(await node.sendCommand(['CLUSTER', 'INFO'])).includes('cluster_state:ok')) await sleep(20);
    node.destroy();
    const client = createCluster({ rootNodes: [{ url }] });
    client.on('error', () => undefined);
    await client.connect();
    const end = async () => {
      client.destroy();
      await stopped(server);
      rmSync(folder, { recursive: true, force: true });
    };
    return { client, end };
  }

  /** One more connection. */
  async another() {
    const client = createClient({ url: `redis://127.0.0.1:${this.proxy.port}`, disableOfflineQueue: true });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  get connection(): Connection {
    return ofClient(this.client);
  }

  /** A limiter whose scripts take the server's time from a key, which `setClock` writes. */
  onClock(config: Config): Limiter {
    const asked = "redis.call('TIME')";
    const onClock = ({ text }: Script) => script(text.replace(asked, "redis.call('LRANGE', 'clock', 0, 1)"));
    const parts = { sliding: onClock(SLIDING), bucket: onClock(BUCKET) };
    return new Limiter(config, this.connection, parts);
  }

  async setClock(milliseconds: number): Promise<void> {
    const seconds = Math.floor(milliseconds / 1000);
    const rest = (milliseconds - seconds * 1000) * 1000;
    await this.client.multi().del('clock').rPush('clock', [String(seconds), String(rest)]).exec();
  }

  /** The server is gone, as when the store is down. */
  async stop(): Promise<void> {
    await stopped(this.server);
  }

  async end(): Promise<void> {
    this.client.destroy();
    this.proxy.cut();
    this.proxy.server.close();
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
