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
 * Who sent the request: the subject that an authorizer verified, and the source address. An authorizer of yours
 * has to give each customer a `principalId` of its own, or a `sub` in its context: with a constant one, such as
 * the `user` of many examples, all customers share one limit. Name another claim with a function of yours. Behind CloudFront
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
 * silent limit, and has to look like a success of `handler`. An answer that is no object with a `statusCode`
 * (an HTTP API takes texts and other values too) stays as it is, and so without headers.
 */
export function limited<E extends GatewayEvent, C, A = GatewayAnswer>(
  decide: Decide<E>,
  handler: (event: E, context: C) => Promise<A>,
  decoy: (event: E) => Promise<A | GatewayAnswer> = async () => ({ statusCode: 200, body: '{}' }),
): (event: E, context: C) => Promise<GatewayAnswer | Exclude<A, GatewayAnswer>> {
  return async (event, context) => {
    const decision = await decide(callerOf(event), event);
    if (!decision.allowed) {
      if (decision.silent && decision.reason === 'limited') return told(await decoy(event), {});
      return {
        statusCode: status(decision),
        headers: { 'Content-Type': 'application/json', ...headers(decision) },
        body: body(decision),
      };
    }
    return told(await handler(event, context), headers(decision));
  };
}

function told<A>(answer: A, more: Record<string, string>): GatewayAnswer | Exclude<A, GatewayAnswer> {
  if (isAnswer(answer)) return Object.keys(more).length === 0 ? answer : { ...answer, headers: { ...answer.headers, ...more } };
  return answer as Exclude<A, GatewayAnswer>;
}

function isAnswer(answer: unknown): answer is GatewayAnswer {
  return typeof answer === 'object' && answer !== null && 'statusCode' in answer;
}
