export { config } from './config.js';
export { cleanUp, ofClient, ofCluster } from './connection.js';
export { body, headers, status, type Decision } from './decision.js';
export { callerOf, limited } from './gateway.js';
export type { Asked } from './keys.js';
export { Limiter } from './limiter.js';
export { middleware } from './middleware.js';
