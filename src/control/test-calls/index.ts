import type { Area } from '../area.js';
import { testCallRoutes } from './routes.js';

/** Calls that test a trunk. */
export const testCallsArea: Area = {
  name: 'test-calls',
  create: ({ redis }) => ({ routes: testCallRoutes(redis) }),
};
