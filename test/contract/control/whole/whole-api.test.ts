import { afterAll, describe } from 'vitest';
import { WholeApi } from './whole-api.js';

// One file: all of them share the server and the database. The hooks of each run before its own tests alone.
const areas = {
  alerts: () => import('./alerts.js'),
  calls: () => import('./calls.js'),
  contacts: () => import('./contacts.js'),
  deliveries: () => import('./deliveries.js'),
  'the delivery queue': () => import('./delivery-queue.js'),
  idempotency: () => import('./idempotency.js'),
  incidents: () => import('./incidents.js'),
  orders: () => import('./orders.js'),
  pathways: () => import('./pathways.js'),
  people: () => import('./people.js'),
  porting: () => import('./porting.js'),
  resources: () => import('./resources.js'),
  'test destinations': () => import('./test-destinations.js'),
  'test runs': () => import('./test-runs.js'),
  'test services': () => import('./test-services.js'),
  trunks: () => import('./trunks.js'),
};
for (const [name, register] of Object.entries(areas)) {
  describe(name, async () => {
    await register();
  });
}

afterAll(() => WholeApi.end());
