import type { Area } from '../area.js';
import { AlertWatch } from './alert-watch.js';
import { maintenanceRoutes } from './maintenance/routes.js';
import { alertRoutes } from './routes.js';

export { type Contacts, noContacts, readContacts } from './contacts.js';
export { classOf } from './failures.js';
export { contactDeliveries } from './notices.js';
export { countActive, countAllActive, readToldBetween } from './read.js';

/** Trunk alerts and their recipients. */
export const alertsArea: Area = {
  name: 'alerts',
  create: ({ database, redis, settings, senders, wakeDeliveries, log }) => ({
    routes: (server, deps) => {
      maintenanceRoutes(server, deps);
      alertRoutes(senders)(server, deps);
    },
    services: [new AlertWatch({ database, redis, settings, queued: wakeDeliveries, log })],
  }),
};
