import type { Redis } from '../../base/redis.js';
import type { CallErasure } from '../area.js';
import type { ControlDeps } from '../http/api-server.js';

/** What the area's routes work with. */
export interface ContactsDeps extends ControlDeps {
  readonly redis: Redis;
  readonly callErasures: () => readonly CallErasure[];
}
