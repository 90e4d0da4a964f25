// What the limiter takes beyond one bare round trip to the store: the median of many, in turns, so that both see the
// same machine. The store is dynalite behind a proxy that takes 5 ms, about what DynamoDB takes in its own region.
import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { Config } from "../src/config-type.js";
import { Store } from "../src/store.js";
import { viewerRequest } from "../src/viewer-request.js";
import { requestEvent } from "../test/events.js";
import { sample } from "../test/sample.js";
import { clientFor, slowProxy, table } from "../test/table.js";

const ROUNDS = Number(process.argv[2] ?? 400);

async function main(): Promise<void> {
  const behind = await table();
  const proxy = await slowProxy(behind.port, () => 5);
  const client = clientFor(proxy.port);
  const store = new Store(client, behind.name, 5_000);
  const limits = { anonymous: 1e9, authenticated: 1e9, free: 1e9, pro: 1e9 };
  const config: Config = {
    ...sample,
    global: { ...sample.global, limits },
    routes: sample.routes.map((route) => ({ ...route, limits })),
  };
  let now = 1_800_000_020_000;
  const handler = viewerRequest(config, { store, region: "us-east-1", now: () => now, write: () => undefined });
  const bare = (): Promise<unknown> =>
    client.send(
      new UpdateItemCommand({
        TableName: behind.name,
        Key: { client: { S: "bare" }, window: { S: "0" } },
        UpdateExpression: "ADD #count :one SET #expires = :expires",
        ConditionExpression: "attribute_not_exists(#count) OR #count < :room",
        ExpressionAttributeNames: { "#count": "count", "#expires": "expires" },
        ExpressionAttributeValues: { ":one": { N: "1" }, ":room": { N: "1000000000" }, ":expires": { N: "1800000180" } },
        ReturnValues: "UPDATED_NEW",
      }),
    );
  const ways: Record<string, () => Promise<unknown>> = {
    "bare UpdateItem": bare,
    "fixed window": () => handler(requestEvent()),
    "sliding window": () => handler(requestEvent({ uri: "/api/search" })),
    "sliding window, client not met yet": () => {
      now += 60_000;
      return handler(requestEvent({ uri: "/api/search" }));
    },
  };
  const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = -20; round < ROUNDS; round++)
    for (const [name, way] of Object.entries(ways)) {
      const started = performance.now();
      await way();
      if (round >= 0) times.get(name)?.push(performance.now() - started);
    }
  const median = (name: string): number => (times.get(name) ?? []).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  const base = median("bare UpdateItem");
  for (const name of times.keys()) {
    const share = ((median(name) / base - 1) * 100).toFixed(1);
    process.stdout.write(`${name.padEnd(36)} ${median(name).toFixed(2).padStart(7)} ms  ${share.padStart(6)} %\n`);
  }
  proxy.stop();
  client.destroy();
  await behind.stop();
}

void main();
