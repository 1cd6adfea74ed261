import type { Area } from '../area.js';
import { analyticsRoutes } from './analytics/analytics-routes.js';
import { resealAgentKeys } from './scenarios/agent-keys.js';
import { scenarioRoutes } from './scenarios/scenario-routes.js';
import { templateRoutes } from './scenarios/template-routes.js';

export type { EndedRun, RunOrder, Runs } from './runs/run-order.js';

/** Agent testing: `/v1/agent-testing`. */
export const agentTestingArea: Area = {
  name: 'agent-testing',
  create: (deps) => ({
    accountRoutes: (server, given) => {
      scenarioRoutes(server, given);
      templateRoutes(server, given);
      analyticsRoutes(server, given);
    },
    reseal: () => resealAgentKeys(deps),
  }),
};
