import type { RouteGroup } from '../http/api-server.js';
import { bulkRoutes } from './bulk-routes.js';
import { changingRoutes } from './changing-routes.js';
import { checkRoutes } from './check-routes.js';
import { proofRoutes } from './proof-routes.js';
import { readingRoutes } from './reading-routes.js';

/** The endpoints below `/v1/sip` that change or read configurations. */
export const trunkRoutes: RouteGroup = (server, deps) => {
  changingRoutes(server, deps);
  bulkRoutes(server, deps);
  proofRoutes(server, deps);
  checkRoutes(server, deps);
  readingRoutes(server, deps);
};
