// The handler and the middleware, with events as API Gateway sends them.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock, test } from 'node:test';

import type { Caller } from '../src/client.js';
import type { Decision } from '../src/decision.js';
import { callerOf, limited, type GatewayEvent } from '../src/gateway.js';
import { middleware } from '../src/middleware.js';

/** HTTP API, payload 2.0, with a JWT authorizer. */
const httpApi = {
  version: '2.0',
  routeKey: 'POST /orders',
  rawPath: '/orders',
  rawQueryString: '',
  headers: { 'x-forwarded-for': '203.0.113.66', 'x-user-id': 'somebody-else' },
  requestContext: {
    accountId: '123456789012',
    apiId: 'api-id',
    authorizer: { jwt: { claims: { sub: 'user-1', iss: 'https://idp.example.com' }, scopes: null } },
    http: {
      method: 'POST',
      path: '/orders',
      protocol: 'HTTP/1.1',
      sourceIp: '192.0.2.1',
      userAgent: 'agent',
    },
    requestId: 'id',
    stage: '$default',
    timeEpoch: 1_788_825_600_000,
  },
  isBase64Encoded: false,
};

/** REST API with a Cognito authorizer. */
const restApi = {
  resource: '/orders',
  path: '/orders',
  httpMethod: 'POST',
  headers: { 'X-Forwarded-For': '203.0.113.66' },
  requestContext: {
    accountId: '123456789012',
    authorizer: { claims: { sub: 'user-2', token_use: 'id' } },
    identity: { sourceIp: '198.51.100.9', userAgent: 'agent', cognitoIdentityId: null },
    resourcePath: '/orders',
    stage: 'prod',
  },
  body: null,
};

const base = { name: 'orders', limit: 50, windowSeconds: 3600 };
const passes: Decision = {
  ...base,
  allowed: true,
  reason: 'counted',
  remaining: 49,
  waitMs: 0,
  resetMs: 72_000,
};
const refused: Decision = {
  ...passes,
  allowed: false,
  reason: 'limited',
  remaining: 0,
  waitMs: 71_001,
  resetMs: 3_600_000,
};
const silent: Decision = { ...refused, silent: true };
const closed: Decision = { ...refused, reason: 'unavailable', waitMs: 1000, resetMs: 0 };

test('the caller is what was verified, never what a header says', () => {
  assert.deepEqual(callerOf(httpApi), { subject: 'user-1', address: '192.0.2.1' });
  assert.deepEqual(callerOf(restApi), { subject: 'user-2', address: '198.51.100.9' });
  const withoutToken = { ...restApi, requestContext: { ...restApi.requestContext, authorizer: null } };
  assert.deepEqual(callerOf(withoutToken), { subject: undefined, address: '198.51.100.9' });
  const hostile = { requestContext: { authorizer: { principalId: { toString: 'x' } } } };
  assert.deepEqual(callerOf(hostile), { subject: undefined, address: undefined });
});

test('a Lambda handler answers 429 with both families of headers, and the function is not reached', async () => {
  mock.timers.enable({ apis: ['Date'], now: 1_788_825_600_500 });
  let reached = 0;
  const handler = async (_: GatewayEvent, __: unknown) => {
    reached += 1;
    return { statusCode: 201, headers: { Location: '/orders/1' }, body: '{}' };
  };
  const through = await limited(async () => passes, handler)(httpApi, {});
  assert.equal(reached, 1);
  assert.deepEqual(through, {
    statusCode: 201,
    headers: {
      Location: '/orders/1',
      'X-RateLimit-Limit': '50',
      'X-RateLimit-Remaining': '49',
      'X-RateLimit-Reset': '1788825673', // at 672.5, and never too early
      'RateLimit-Policy': '"orders";q=50;w=3600',
      RateLimit: '"orders";r=49;t=72',
    },
    body: '{}',
  });
  const stopped = await limited(async () => refused, handler)(restApi, {});
  assert.equal(reached, 1);
  assert.equal(stopped.statusCode, 429);
  assert.equal(stopped.headers?.['Retry-After'], '72');
  assert.equal(stopped.headers?.['RateLimit'], '"orders";r=0;t=3600');
  assert.equal(JSON.parse(stopped.body ?? '').error, 'too_many_requests');
  mock.timers.reset();
  const unavailable = await limited(async () => closed, handler)(restApi, {});
  assert.equal(unavailable.statusCode, 503);
  assert.deepEqual(unavailable.headers, { 'Content-Type': 'application/json', 'Retry-After': '1' });
});

test('a silent limit shows in no answer', async () => {
  const answer = { statusCode: 201, body: '{"sent":true}' };
  const handler = async (_: GatewayEvent, __: unknown) => answer;
  const through = await limited(async () => ({ ...passes, silent: true }), handler)(restApi, {});
  const decoy = async () => answer;
  const stopped = await limited(async () => silent, handler, decoy)(restApi, {});
  assert.deepEqual(through, answer);
  assert.deepEqual(stopped, answer);
});

test('a value that may not become a key is a bad request', async () => {
  const handler = async (_: GatewayEvent, __: unknown) => ({ statusCode: 201 });
  const stopped = await limited(async () => ({ ...refused, reason: 'invalid' }), handler)(restApi, {});
  assert.deepEqual([stopped.statusCode, stopped.headers], [400, { 'Content-Type': 'application/json' }]);
});

test('an answer that is no object with a status stays as it is', async () => {
  const answered = async (answer: unknown): Promise<unknown> => limited(async () => passes, async () => answer)(httpApi, {});
  for (const answer of ['plain', '', undefined, null, 5, ['a'], { message: 'HTTP APIs make a 200 of it' }])
    assert.deepEqual(await answered(answer), answer);
  assert.equal((await limited(async () => refused, async () => 'plain')(httpApi, {}) as { statusCode: number }).statusCode, 429);
});

test('middleware does the same for a server of Node', async () => {
  const callers: Caller[] = [];
  const answers = [passes, refused, new Error('a fault')];
  const decide = async (caller: Caller) => {
    callers.push(caller);
    const answer = answers[callers.length - 1];
    if (!answer || answer instanceof Error) throw answer;
    return answer;
  };
  const limit = middleware(decide);
  const server = createServer((request, response) => {
    void limit(request, response, (error) => response.end(error ? 'error' : 'reached'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const headers = { 'X-Forwarded-For': '203.0.113.66' };
  const first = await fetch(url, { headers });
  assert.deepEqual([first.status, await first.text()], [200, 'reached']);
  assert.equal(first.headers.get('ratelimit'), '"orders";r=49;t=72');
  const second = await fetch(url, { headers });
  assert.deepEqual([second.status, second.headers.get('retry-after')], [429, '72']);
  assert.equal(await (await fetch(url)).text(), 'error');
  assert.deepEqual(callers[0], { address: '127.0.0.1' });
  server.close();
});
