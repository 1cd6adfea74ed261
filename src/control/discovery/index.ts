import type { Area } from '../area.js';
import { Discoveries } from './discoveries.js';
import { discoveryRoutes } from './routes.js';

/** Finds out what a server speaks before a trunk is attached to it. */
export const discoveryArea: Area = {
  name: 'discovery',
  create: ({ redis }) => ({ routes: discoveryRoutes(new Discoveries(redis)) }),
};
