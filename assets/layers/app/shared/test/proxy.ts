import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy before a store on this machine that can be slow. */
export class Proxy {
  /** Milliseconds that every packet of an answer waits. */
  delayMs = 0;
  readonly port: number;
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly server: Server,
    store: number,
  ) {
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near: Socket) => this.pass(near, connect(store, '127.0.0.1')));
  }

  /** Before what listens on this port. */
  static async before(store: number): Promise<Proxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Proxy(server, store);
  }

  private pass(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.sockets.delete(socket));
    }
    // Packets stay in their order, however long each waits.
    let last = Promise.resolve();
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => {
      const waits = this.delayMs === 0 ? undefined : sleep(this.delayMs, undefined, { ref: false });
      last = last.then(() => waits).then(() => void (near.destroyed || near.write(bytes)));
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }

  /** Cuts every connection. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
