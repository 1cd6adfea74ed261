import type { Area } from '../area.js';
import { knowledgeRoutes } from './routes.js';

export { knowledgeBaseIds } from './bases.js';

/** Knowledge bases: `/v1/knowledge`. */
export const knowledgeArea: Area = {
  name: 'knowledge',
  create: () => ({
    accountRoutes: (server, given) => knowledgeRoutes(server, { ...given, wake: () => {} }),
  }),
};
