// A real store for the tests: dynalite in this process, or whatever DYNAMODB_ENDPOINT names.
import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, PutItemCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { Store, type Item } from "../src/store.js";

// dynalite has no types of its own.
const dynalite = require("dynalite") as (options: object) => HttpServer;

/** Milliseconds: an emulator under 200 callers is slow, and a request that gave up would count as let through. */
const PATIENCE = 60_000;

export interface Table {
  store: Store;
  client: DynamoDBClient;
  name: string;
  port: number;
  put: (client: string, window: string, item: Item) => Promise<void>;
  /** Stops the store. */
  stop: () => Promise<void>;
}

export function clientFor(port: number, timeout = PATIENCE): DynamoDBClient {
  return new DynamoDBClient({
    region: "us-east-1",
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: "testing", secretAccessKey: "testing" },
    maxAttempts: 1,
    requestHandler: { connectionTimeout: timeout, requestTimeout: timeout, httpAgent: { maxSockets: 200 } },
  });
}

let made = 0;

export async function table(): Promise<Table> {
  const given = process.env["DYNAMODB_ENDPOINT"];
  let server: HttpServer | undefined;
  let port: number;
  if (given === undefined) {
    server = dynalite({ createTableMs: 0 });
    server.keepAliveTimeout = 0; // no connection closes because a test takes its time
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  } else {
    port = Number(new URL(given).port);
  }
  const client = clientFor(port);
  const name = `limits-${process.pid}-${++made}`;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "client", AttributeType: "S" },
        { AttributeName: "window", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "client", KeyType: "HASH" },
        { AttributeName: "window", KeyType: "RANGE" },
      ],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.2 } as never, { TableName: name });
  return {
    store: new Store(client, name, PATIENCE),
    client,
    name,
    port,
    put: async (key, window, item) => {
      await client.send(new PutItemCommand({ TableName: name, Item: { client: { S: key }, window: { S: window }, ...item } }));
    },
    stop: async () => {
      if (given !== undefined) await client.send(new DeleteTableCommand({ TableName: name })).catch(() => undefined);
      client.destroy();
      if (server !== undefined) await new Promise((done) => server.close(done));
    },
  };
}

interface Proxy {
  port: number;
  stop: () => void;
}

/** A proxy to the store; `send` passes on what a viewer's connection says. */
async function proxy(port: number, send: (viewer: Socket, store: Socket) => (data: Buffer) => void): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const server = createServer((viewer) => {
    const store = connect(port, "127.0.0.1");
    for (const socket of [viewer, store]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    viewer.on("data", send(viewer, store));
    store.pipe(viewer);
    viewer.on("close", () => store.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A proxy that answers late: bytes to the store wait for `delay` milliseconds. */
export async function slowProxy(port: number, delay: () => number): Promise<Proxy> {
  return proxy(port, (_, store) => (data) => {
    setTimeout(() => store.writable && store.write(data), delay()).unref();
  });
}

/** A proxy whose connections each carry one request and then die at the next, as kept ones do after a pause. */
export async function forgetfulProxy(port: number): Promise<Proxy & { deaths: () => number }> {
  let deaths = 0;
  const forgetful = await proxy(port, (viewer, store) => {
    let requests = 0;
    return (data) => {
      if (data.subarray(0, 5).toString() === "POST " && ++requests > 1) {
        deaths++;
        viewer.resetAndDestroy();
        store.destroy();
      } else store.write(data);
    };
  });
  return { ...forgetful, deaths: () => deaths };
}
