import type { Area } from '../area.js';
import { usageRoutes } from './routes.js';
import { UsageWatch } from './usage-watch.js';

export { usageRoutes };

/** Calls, minutes and peaks by day, number and agent, and notices before a limit of the organization is reached. */
export const usageArea: Area = {
  name: 'usage',
  create: ({ database, settings, fleet, wakeDeliveries, log }) => ({
    accountRoutes: usageRoutes,
    services: [new UsageWatch({ database, settings, fleet, queued: wakeDeliveries, log })],
  }),
};
