import type { Area } from '../area.js';
import { resealPasswords } from './reseal.js';
import { trunkRoutes } from './routes.js';
import { sharedTrunkRoutes } from './shared/routes.js';
import { resealTrunks } from './shared/trunk-storage.js';

export { attachWithin } from './attach.js';
export { trustedCertificatesSchema } from './trusted-certificates.js';
export { readDirections } from './wanted-directions.js';

/** Configurations attached to numbers, and trunks that several numbers share. */
export const trunksArea: Area = {
  name: 'trunks',
  create: (deps) => ({
    routes: (server, routeDeps) => {
      trunkRoutes(server, routeDeps);
      sharedTrunkRoutes(server, routeDeps);
    },
    reseal: async () => {
      const own = await resealPasswords(deps);
      const shared = await resealTrunks(deps);
      return {
        resealed: own.resealed + shared.resealed,
        unreadable: own.unreadable + shared.unreadable,
      };
    },
  }),
};
