import type { Area } from '../area.js';
import { resealPersonaAgents } from './persona-agent.js';
import { personaRoutes } from './routes.js';
import { versionRoutes } from './version-routes.js';

export type { AgentOfOrder } from './call-agent.js';
export { checkAgents, readNumberAgents, withLiveAgents } from './live-agents.js';
export { personas } from './persona-storage.js';
export { makeDraftLive, promoteDraft } from './promotion.js';

/** Personas: `/v1/personas`. */
export const personasArea: Area = {
  name: 'personas',
  create: (deps) => ({
    reseal: () => resealPersonaAgents(deps),
    accountRoutes: (server, given) => {
      personaRoutes(server, given);
      const { promotionGates, wakeDeliveries } = deps;
      versionRoutes(server, given, () => ({ gates: promotionGates(), promoted: wakeDeliveries }));
    },
  }),
};
