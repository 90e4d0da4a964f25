// The table: one item for each client, route, window and region.
//
// A global table settles writes to one item in two regions by keeping the later one, which would lose the
// other region's count. So each region counts in items of its own.
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type AttributeValue,
} from "@aws-sdk/client-dynamodb";

const DEAD_CONNECTION = new Set(["ECONNRESET", "EPIPE"]);

export type Item = Record<string, AttributeValue>;

export interface Counted {
  /** Whether the request was counted; if not, there was no room. */
  counted: boolean;
  /** What the window holds now. */
  count: number;
}

/** The table gave no answer, or one that is none. Only this is what a limit's `failure` is about. */
export class StoreFailure extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
  }
}

export class Store {
  constructor(
    private readonly client: DynamoDBClient,
    private readonly table: string,
    private readonly timeout: number,
  ) {}

  /** Counts one request if the window holds less than `room`: check and count are one atomic write. */
  async count(key: string, window: string, room: number, expires: number): Promise<Counted> {
    const command = new UpdateItemCommand({
      TableName: this.table,
      Key: { client: { S: key }, window: { S: window } },
      UpdateExpression: "ADD #count :one SET #expires = :expires",
      // Without room not even the first request of a window may pass.
      ConditionExpression: room > 0 ? "attribute_not_exists(#count) OR #count < :room" : "#count < :room",
      ExpressionAttributeNames: { "#count": "count", "#expires": "expires" },
      ExpressionAttributeValues: {
        ":one": { N: "1" },
        ":room": { N: String(room) },
        ":expires": { N: String(expires) },
      },
      ReturnValues: "UPDATED_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    try {
      const answer = await this.patiently((abortSignal) => this.client.send(command, { abortSignal }));
      return { counted: true, count: Number(answer.Attributes?.["count"]?.N) };
    } catch (failure) {
      const error = failure instanceof StoreFailure ? failure.cause : failure;
      if (!(error instanceof ConditionalCheckFailedException)) throw failure;
      const held = error.Item?.["count"]?.N;
      return { counted: false, count: held === undefined ? Math.max(0, room) : Number(held) };
    }
  }

  async read(key: string, window: string): Promise<Item | undefined> {
    const command = new GetItemCommand({
      TableName: this.table,
      Key: { client: { S: key }, window: { S: window } },
      ConsistentRead: true,
    });
    const answer = await this.patiently((abortSignal) => this.client.send(command, { abortSignal }));
    return answer.Item;
  }

  /**
   * Waits no longer than the timeout, and tries again at once on a connection that was kept open and has died
   * since, as it happens while an instance is frozen between two requests. If the store had taken the first
   * try after all, the request counts twice: a client then gets one request less, never one more.
   */
  private async patiently<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(this.timeout);
    try {
      return await send(signal);
    } catch (error) {
      if (!DEAD_CONNECTION.has((error as { code?: string }).code ?? "")) throw new StoreFailure(error);
    }
    return send(signal).catch((error: unknown) => {
      throw new StoreFailure(error);
    });
  }
}

/** The SDK's own retries are off: their pauses do not end with the timeout. */
export function storeClient(region: string, timeout: number): DynamoDBClient {
  return new DynamoDBClient({
    region,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: timeout, requestTimeout: timeout },
  });
}
