import type { Caller } from './client.js';
import { body, headers, status, type Decision } from './decision.js';

/** What is used of an event of API Gateway: REST API, or HTTP API (payload 2.0). */
export interface GatewayEvent {
  requestContext: {
    /** REST API: the address of the connection. */
    identity?: { sourceIp?: string | null };
    /** HTTP API: the same. */
    http?: { sourceIp?: string };
    /** Filled by an authorizer, after it has verified the token. */
    authorizer?: {
      claims?: { sub?: unknown };
      jwt?: { claims?: { sub?: unknown } };
      lambda?: { sub?: unknown } | null;
      principalId?: unknown;
    } | null;
  };
}

/** An answer of a Lambda function behind API Gateway. */
export interface GatewayAnswer {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Who sent the request: the subject that an authorizer verified, and the source address. Behind CloudFront
 * the source address is CloudFront's; let an authorizer demand a token there.
 */
export function callerOf(event: GatewayEvent): Caller {
  const { authorizer, identity, http } = event.requestContext;
  const subjects = [
    authorizer?.jwt?.claims?.sub,
    authorizer?.claims?.sub,
    authorizer?.lambda?.sub,
    authorizer?.principalId,
  ];
  return {
    subject: subjects.map(text).find((subject) => subject !== undefined),
    address: text(http?.sourceIp) ?? text(identity?.sourceIp),
  };
}

/** Decides about a caller, and his request where the limit is about more than him. */
export type Decide<R = unknown> = (caller: Caller, request: R) => Promise<Decision>;

/**
 * A Lambda handler that asks first. Rejected requests never reach `handler`. `decoy` answers those of a
 * silent limit, and has to look like a success of `handler`.
 */
export function limited<E extends GatewayEvent, C>(
  decide: Decide<E>,
  handler: (event: E, context: C) => Promise<GatewayAnswer>,
  decoy: (event: E) => Promise<GatewayAnswer> = async () => ({ statusCode: 200, body: '{}' }),
): (event: E, context: C) => Promise<GatewayAnswer> {
  return async (event, context) => {
    const decision = await decide(callerOf(event), event);
    if (!decision.allowed) {
      if (decision.silent && decision.reason === 'limited') return decoy(event);
      return {
        statusCode: status(decision),
        headers: { 'Content-Type': 'application/json', ...headers(decision) },
        body: body(decision),
      };
    }
    const answer = await handler(event, context);
    return { ...answer, headers: { ...answer.headers, ...headers(decision) } };
  };
}
