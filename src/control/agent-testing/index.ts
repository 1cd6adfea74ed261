import type { Area } from '../area.js';

export type { EndedRun, RunOrder, Runs } from './runs/run-order.js';

/** Agent testing: `/v1/agent-testing`. */
export const agentTestingArea: Area = {
  name: 'agent-testing',
  create: () => ({}),
};
