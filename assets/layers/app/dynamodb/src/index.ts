export { config } from './config.js';
export { body, headers, status, type Decision } from './decision.js';
export type { Caller } from './client.js';
export { callerOf, limited } from './gateway.js';
export { Limiter } from './limiter.js';
export { middleware } from './middleware.js';
