import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

import type { Caller } from '../src/client.js';
import { Limiter, type Parts } from '../src/limiter.js';
import type { Limit } from '../src/types.js';
import { Proxy } from './proxy.js';

export const TABLE = 'limits';

/** A DynamoDB on this machine, and a proxy before it that can be slow. */
export class Store {
  readonly client: DynamoDBClient;

  private constructor(
    private readonly server: Server,
    readonly proxy: Proxy,
  ) {
    this.client = new DynamoDBClient({
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${proxy.port}`,
      credentials: { accessKeyId: 'testing', secretAccessKey: 'testing' },
      maxAttempts: 2,
    });
  }

  static async start(): Promise<Store> {
    const server = dynalite({ createTableMs: 0 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const store = new Store(server, await Proxy.before(port));
    await store.createTable();
    return store;
  }

  private async createTable(): Promise<void> {
    await this.client.send(
      new CreateTableCommand({
        TableName: TABLE,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    const isThere = async () => {
      const { Table } = await this.client.send(new DescribeTableCommand({ TableName: TABLE }));
      return Table?.TableStatus === 'ACTIVE';
    };
    while (!(await isThere())) await sleep(5);
  }

  /** One that waits long, for a machine that is busy; tests about time say so. */
  limiter(limits: readonly Limit[], parts: Parts = {}, timeoutMs = 60_000): Limiter {
    const config = { region: 'eu-central-1', table: TABLE, timeoutMs, limits };
    return new Limiter(config, { client: this.client, ...parts });
  }

  /** Gone, as when the store is down: nobody listens any more. */
  async stop(): Promise<void> {
    this.proxy.cut();
    for (const server of [this.proxy.server, this.server]) {
      const closed = once(server, 'close');
      server.close();
      await closed.catch(() => undefined);
    }
    this.client.destroy();
  }
}

/** A caller of the documentation's addresses. */
export const caller = (last: number): Caller => ({ address: `192.0.2.${last}` });
