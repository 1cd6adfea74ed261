import type { RouteGroup } from '../http/api-server.js';
import { deliveryRoutes } from './delivery-routes.js';
import { webhookEndpointRoutes } from './endpoint-routes.js';
import { secretRoutes } from './secret-routes.js';

/** The routes below `/v1/webhooks`. */
export const webhookRoutes =
  (wake: () => void): RouteGroup =>
  (server, deps) => {
    secretRoutes(server, deps);
    deliveryRoutes(server, { ...deps, wake });
    webhookEndpointRoutes(server, { ...deps, wake });
  };
