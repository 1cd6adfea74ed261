import type { Area } from '../area.js';
import { personaRoutes } from './routes.js';
import { versionRoutes } from './version-routes.js';

export { checkAgents, readNumberPersonas, withLivePersonas } from './live-persona.js';
export { personas } from './persona-storage.js';
export { makeDraftLive, promoteDraft } from './promotion.js';
export { type References, readKnowledge } from './references.js';

/** Personas: `/v1/personas`. */
export const personasArea: Area = {
  name: 'personas',
  create: ({ promotionGates, wakeDeliveries }) => ({
    accountRoutes: (server, deps) => {
      personaRoutes(server, deps);
      versionRoutes(server, deps, () => ({ gates: promotionGates(), promoted: wakeDeliveries }));
    },
  }),
};
