import type { Area } from '../area.js';
import { resealSigningSecrets } from '../deliveries/webhook/secrets.js';
import { webhookRoutes } from './routes.js';

/** Webhook endpoints, the secret for the webhooks of orders and alerts, and deliveries. */
export const webhooksArea: Area = {
  name: 'webhooks',
  create: (deps) => ({
    routes: webhookRoutes(deps.wakeDeliveries),
    reseal: () => resealSigningSecrets(deps),
  }),
};
