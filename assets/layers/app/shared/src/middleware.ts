import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from './client.js';
import { body, headers, status } from './decision.js';
import type { Decide } from './gateway.js';

/** The address of the connection. Behind a load balancer that is the balancer's: pass a function of yours. */
export const ofConnection = (request: IncomingMessage): Caller => ({
  address: request.socket.remoteAddress,
});

/**
 * Middleware for Express, Connect and plain `node:http`. `identify` says who sends a request, from what
 * has been verified before: such as `(request) => ({ subject: request.auth?.payload.sub, address: … })`.
 * `decoy` answers whoever a silent limit refuses, and has to look like a success.
 */
export function middleware<R extends IncomingMessage>(
  decide: Decide<R>,
  identify: (request: R) => Caller = ofConnection,
  decoy: (request: R, response: ServerResponse) => void = (_, response) => response.end('{}'),
): (request: R, response: ServerResponse, next: (error?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const decision = await decide(identify(request), request);
      for (const [name, value] of Object.entries(headers(decision))) response.setHeader(name, value);
      if (!decision.allowed) {
        if (decision.silent && decision.reason === 'limited') return decoy(request, response);
        response.statusCode = status(decision);
        response.setHeader('Content-Type', 'application/json');
        response.end(body(decision));
        return;
      }
    } catch (error) {
      next(error);
      return;
    }
    next();
  };
}
