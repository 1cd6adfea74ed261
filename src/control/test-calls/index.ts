import type { Area } from '../area.js';
import { testCallRoutes } from './routes.js';

/** Test calls through a trunk. */
export const testCallsArea: Area = {
  name: 'test-calls',
  create: ({ redis }) => ({ routes: testCallRoutes(redis) }),
};
