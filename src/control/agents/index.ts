import type { Area } from '../area.js';
import { agentRoutes } from './routes.js';

/** Web agents: `/v1/agents`. */
export const agentsArea: Area = {
  name: 'agents',
  create: () => ({ accountRoutes: agentRoutes }),
};
