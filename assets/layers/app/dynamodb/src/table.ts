import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';

import type { Bucket } from './bucket.js';

/** A bucket as it lies in the table. */
export interface Stored {
  bucket: Bucket;
  /** The window that its parts belong to, in seconds: a limit may have been changed since. */
  windowSeconds: number;
  version: number;
}

type Item = Record<string, AttributeValue>;

const number = (item: Item, name: string) => {
  const value = Number(item[name]?.N);
  if (!Number.isSafeInteger(value)) throw new Error(`the item has no whole number \`${name}\``);
  return value;
};
const n = (value: number): AttributeValue => ({ N: String(value) });

/** The only calls that are made: GetItem, PutItem, UpdateItem, each of one item. */
export class Table {
  constructor(
    private readonly client: DynamoDBClient,
    private readonly name: string,
  ) {}

  /** The bucket, as the last write left it. */
  async read(key: string, signal: AbortSignal): Promise<Stored | undefined> {
    const { Item: item } = await this.client.send(
      new GetItemCommand({ TableName: this.name, Key: { id: { S: key } }, ConsistentRead: true }),
      { abortSignal: signal },
    );
    return (
      item && {
        bucket: { parts: number(item, 'parts'), at: number(item, 'at') },
        windowSeconds: number(item, 'windowSeconds'),
        version: number(item, 'version'),
      }
    );
  }

  /** Writes the bucket if nobody has since `version` was read; false if somebody has. */
  async write(
    key: string,
    stored: Omit<Stored, 'version'>,
    version: number | undefined,
    expires: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const unchanged =
      version === undefined
        ? { ConditionExpression: 'attribute_not_exists(id)' }
        : {
            ConditionExpression: '#version = :version',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':version': n(version) },
          };
    const item: Item = {
      id: { S: key },
      parts: n(stored.bucket.parts),
      at: n(stored.bucket.at),
      windowSeconds: n(stored.windowSeconds),
      version: n((version ?? 0) + 1),
      expires: n(expires),
    };
    const put = new PutItemCommand({ TableName: this.name, Item: item, ...unchanged });
    return this.holds(() => this.client.send(put, { abortSignal: signal }));
  }

  /** Adds one to a counter that is below `limit`; what it is then, or `undefined` if it was not. */
  async countUp(
    key: string,
    limit: number,
    expires: number,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const update = new UpdateItemCommand({
      TableName: this.name,
      Key: { id: { S: key } },
      UpdateExpression: 'ADD #count :one SET #expires = :expires',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
      ExpressionAttributeNames: { '#count': 'count', '#expires': 'expires' },
      ExpressionAttributeValues: { ':one': n(1), ':limit': n(limit), ':expires': n(expires) },
      ReturnValues: 'UPDATED_NEW',
    });
    let counted: number | undefined;
    await this.holds(async () => {
      const { Attributes: item } = await this.client.send(update, { abortSignal: signal });
      counted = number(item ?? {}, 'count');
    });
    return counted;
  }

  /** Whether the condition of a write held. Other errors are errors. */
  private async holds(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
