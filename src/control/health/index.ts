import type { Area } from '../area.js';
import { readFailover } from './failover/failover-state.js';
import { failoverRoutes } from './failover/routes.js';
import { healthConsumer } from './health-consumer.js';
import { ProbeRequests } from './probe-requests.js';
import { RegistrationStates } from './registrations/registration-states.js';
import { healthRoutes } from './routes.js';

export {
  endpointNamesOf,
  type HealthStatus,
  healthSchema,
  readChecks,
  readDocuments,
  readEndpointNames,
  readStatuses,
  readTrends,
  statusOf,
  statusOfTrunk,
} from './number-health.js';
export { type RegistrationCounts, RegistrationStates } from './registrations/registration-states.js';
export { registrationIds, stateOf } from './registrations/view.js';
export type { Trend } from './trend.js';

/** Health of the customers' servers now and over time, registrations at them, and which of them is in use. */
export const healthArea: Area = {
  name: 'health',
  create: ({ database, redis, connect, log }) => {
    const health = healthRoutes(
      new ProbeRequests(redis),
      (document) => readFailover(redis, document),
      new RegistrationStates(redis),
    );
    const failover = failoverRoutes(redis);
    return {
      routes: (server, deps) => {
        health(server, deps);
        failover(server, deps);
      },
      // Longer than a blocking read.
      services: [healthConsumer({ database, reader: connect('demarc-control-health', 10_000), log })],
    };
  },
};
