import type { RouteGroup } from '../http/api-server.js';
import { deliveryRoutes } from './delivery-routes.js';
import { webhookEndpointRoutes } from './endpoints/routes.js';
import { secretRoutes } from './secret-routes.js';

/** `/v1/webhooks`: endpoints, the secret for the webhooks of orders and alerts, and what was sent. */
export const webhookRoutes: RouteGroup = (server, parts) => {
  secretRoutes(server, parts);
  deliveryRoutes(server, parts);
  webhookEndpointRoutes(server, parts);
};
