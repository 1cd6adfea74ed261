import type { Area } from '../area.js';
import { AlertWatch } from './alert-watch.js';
import { maintenanceRoutes } from './maintenance/routes.js';
import { NumberLimitWatch } from './number-limits/watch.js';
import { alertRoutes } from './routes.js';

export { type Contacts, noContacts, readContacts } from './contacts.js';
export { classOf } from './failures.js';
export { contactDeliveries } from './notices.js';
export { limitView } from './number-limits/notice.js';
export { alertPercent, percentOf } from './number-limits/share.js';
export { readNumberAlerts } from './number-limits/watch.js';
export { countActive, countAllActive, readNotifiedBetween } from './read.js';

/** Trunk alerts, alerts of numbers near their limits, and their recipients. */
export const alertsArea: Area = {
  name: 'alerts',
  create: ({ database, redis, settings, fleet, senders, wakeDeliveries, log }) => ({
    routes: (server, deps) => {
      maintenanceRoutes(server, deps);
      alertRoutes(senders)(server, deps);
    },
    services: [
      new AlertWatch({ database, redis, settings, queued: wakeDeliveries, log }),
      new NumberLimitWatch({ database, settings, fleet, queued: wakeDeliveries, log }),
    ],
  }),
};
