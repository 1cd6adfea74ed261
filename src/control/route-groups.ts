import type { Redis } from '../base/redis.js';
import { agentCredentialRoutes } from './agent-credentials/index.js';
import { alertRoutes } from './alerts/routes.js';
import { batchRoutes } from './batches/index.js';
import { callRoutes } from './calls/routes.js';
import type { Senders } from './deliveries/senders.js';
import { Discoveries } from './discovery/discoveries.js';
import { discoveryRoutes } from './discovery/routes.js';
import { readFailover } from './failover/failover-state.js';
import { failoverRoutes } from './failover/routes.js';
import { ProbeRequests } from './health/probe-requests.js';
import { healthRoutes } from './health/routes.js';
import { historyRoutes } from './history/routes.js';
import type { RouteGroup } from './http/api-server.js';
import { keyRoutes } from './keys/routes.js';
import { CallControls } from './live-calls/call-controls.js';
import { LiveCallReader } from './live-calls/live-call-reader.js';
import type { EventHub } from './noc/event-hub.js';
import type { FleetReader } from './noc/fleet-reader.js';
import { nocRoutes } from './noc/routes.js';
import type { Summaries } from './noc/summaries.js';
import type { Porting } from './porting/index.js';
import { RegistrationStates } from './registrations/registration-states.js';
import { sharedTrunkRoutes } from './shared-trunks/index.js';
import { testCallRoutes } from './test-calls/routes.js';
import { trunkRoutes } from './trunks/routes.js';
import { usageRoutes } from './usage/routes.js';
import { webhookRoutes } from './webhooks/index.js';

/** What every organization reaches, with and without the SIP entitlement. */
export const accountGroups: readonly RouteGroup[] = [keyRoutes, usageRoutes];

/** What the areas of the API read from and act on, beside what every area gets. */
export interface ApiSources {
  readonly redis: Redis;
  readonly fleet: FleetReader;
  readonly summaries: Summaries;
  readonly hub: EventHub;
  readonly senders: Senders;
  readonly porting: Porting;
}

/** Every area of the API, for the server and for its description alike. */
export function routeGroups({
  redis,
  fleet,
  summaries,
  hub,
  senders,
  porting,
}: ApiSources): readonly RouteGroup[] {
  return [
    trunkRoutes,
    agentCredentialRoutes,
    sharedTrunkRoutes,
    porting.routes,
    historyRoutes(new LiveCallReader(redis, fleet)),
    healthRoutes(
      new ProbeRequests(redis),
      (document) => readFailover(redis, document),
      new RegistrationStates(redis),
    ),
    failoverRoutes(redis),
    discoveryRoutes(new Discoveries(redis)),
    callRoutes(redis, new CallControls(redis, fleet)),
    batchRoutes(redis),
    testCallRoutes(redis),
    webhookRoutes,
    alertRoutes(senders),
    nocRoutes(summaries, hub),
  ];
}
