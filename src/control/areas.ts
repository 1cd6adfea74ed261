import { agentCredentialsArea } from './agent-credentials/index.js';
import { agentTestingArea } from './agent-testing/index.js';
import { agentsArea } from './agents/index.js';
import { alertsArea } from './alerts/index.js';
import type { Area, AreaDeps, CallErasure, Service } from './area.js';
import { callsArea } from './calls/index.js';
import { contactsArea } from './contacts/index.js';
import { discoveryArea } from './discovery/index.js';
import { healthArea } from './health/index.js';
import type { RouteGroup } from './http/api-server.js';
import { keysArea } from './keys/index.js';
import { knowledgeArea } from './knowledge/index.js';
import { membersArea } from './members/index.js';
import { nocArea } from './noc/index.js';
import { operatorsArea } from './operators/index.js';
import { pathwaysArea } from './pathways/index.js';
import { personasArea } from './personas/index.js';
import { portingArea } from './porting/index.js';
import type { PromotionGate } from './promotions/promotion-gate.js';
import type { Resealed } from './secrets/secret-rotation.js';
import { sightingsArea } from './sightings/index.js';
import { testCallsArea } from './test-calls/index.js';
import { trunksArea } from './trunks/index.js';
import { usageArea } from './usage/index.js';
import { webhooksArea } from './webhooks/index.js';

/** Every area of the API, in the order in which their services start. */
export const areas: readonly Area[] = [
  keysArea,
  membersArea,
  usageArea,
  operatorsArea,
  trunksArea,
  agentCredentialsArea,
  portingArea,
  healthArea,
  discoveryArea,
  sightingsArea,
  personasArea,
  pathwaysArea,
  agentsArea,
  callsArea,
  contactsArea,
  testCallsArea,
  knowledgeArea,
  agentTestingArea,
  webhooksArea,
  alertsArea,
  nocArea,
];

/** The combined contributions of all areas. */
export interface CreatedAreas {
  readonly routes: readonly RouteGroup[];
  readonly accountRoutes: readonly RouteGroup[];
  readonly publicRoutes: readonly RouteGroup[];
  readonly basicRoutes: readonly RouteGroup[];
  readonly services: readonly Service[];
  readonly reseals: readonly (() => Promise<Resealed>)[];
}

export function createAreas(deps: Omit<AreaDeps, 'promotionGates' | 'callErasures'>): CreatedAreas {
  const promotionGates = (): readonly PromotionGate[] =>
    created.flatMap(({ promotionGates: gates }) => gates ?? []);
  const callErasures = (): readonly CallErasure[] =>
    created.flatMap(({ callErasures: erasures }) => erasures ?? []);
  const created = areas.map((area) => area.create({ ...deps, promotionGates, callErasures }));
  return {
    routes: created.flatMap(({ routes }) => routes ?? []),
    accountRoutes: created.flatMap(({ accountRoutes }) => accountRoutes ?? []),
    publicRoutes: created.flatMap(({ publicRoutes }) => publicRoutes ?? []),
    basicRoutes: created.flatMap(({ basicRoutes: routes }) => routes ?? []),
    services: created.flatMap(({ services }) => services ?? []),
    reseals: created.flatMap(({ reseal }) => reseal ?? []),
  };
}
