// What the limiter takes beyond bare calls to the store, behind one that takes 5 ms: `npm run overhead`.

import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

import type { Limit } from '../src/types.js';
import { Store, TABLE } from '../test/store.js';
import { compare } from './rounds.js';

const most = { limit: 1_000_000, windowSeconds: 86_400, client: 'subject', fail: 'closed' } as const;
const quota: Limit = { ...most, name: 'quota', algorithm: 'fixed_window' };
const bucket: Limit = { ...most, name: 'bucket', algorithm: 'token_bucket', burst: 1_000_000 };

const store = await Store.start();
store.proxy.delayMs = 5;
const limiter = store.limiter([quota, bucket]);
const { client } = store;
const id = { S: 'bare' };
const update = () =>
  client.send(
    new UpdateItemCommand({
      TableName: TABLE,
      Key: { id: { S: 'bare-quota' } },
      UpdateExpression: 'ADD #count :one SET #expires = :expires',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
      ExpressionAttributeNames: { '#count': 'count', '#expires': 'expires' },
      ExpressionAttributeValues: { ':one': { N: '1' }, ':limit': { N: '1000000' }, ':expires': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
const readAndWrite = async () => {
  await client.send(new GetItemCommand({ TableName: TABLE, Key: { id }, ConsistentRead: true }));
  const item = { id, parts: { N: '1' }, at: { N: '1' }, windowSeconds: { N: '1' }, version: { N: '1' } };
  await client.send(new PutItemCommand({ TableName: TABLE, Item: item }));
};
const ask = (name: string) => () => limiter.decide(name, { subject: 'somebody' });
await compare(Number(process.argv[2] ?? 400), [
  { name: 'fixed_window', bare: update, limited: ask('quota') },
  { name: 'token_bucket', bare: readAndWrite, limited: ask('bucket') },
]);
await store.stop();
