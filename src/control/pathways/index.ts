import type { Area } from '../area.js';
import { pathwayRoutes } from './routes.js';
import { pathwayVersionRoutes } from './version-routes.js';

export type {
  Comparison,
  PathwayDocument,
  PathwayEdge,
  PathwayNode,
  PathwayNodeOf,
} from './document.js';
export { isFinal, pathwayDocumentSchema, withoutLayout } from './document.js';
export { checkDocument } from './document-check.js';
export { compareDocuments, type DocumentChange, documentChangeSchema } from './document-diff.js';
export {
  checkPathways,
  type PathwayReference,
  type PathwayToFollow,
  pathwayFields,
  readFollowed,
  readNumberPathways,
} from './followed-pathways.js';
export { noteFollower } from './followers.js';
export type { PathwayVersionRow } from './pathway-storage.js';
export { pathways } from './pathway-storage.js';
export { makePathwayVersionLive, promotePathwayVersion } from './promotion.js';
export { placeholdersIn, substitute, webhookStatus } from './variables.js';
export { changeVersion, forkVersion } from './version-storage.js';

/** Pathways: `/v1/pathways`. */
export const pathwaysArea: Area = {
  name: 'pathways',
  create: ({ promotionGates, wakeDeliveries }) => ({
    accountRoutes: (server, deps) => {
      pathwayRoutes(server, deps);
      pathwayVersionRoutes(server, deps, () => ({ gates: promotionGates(), promoted: wakeDeliveries }));
    },
  }),
};
