import type { Area } from '../area.js';
import { Discoveries } from './discoveries.js';
import { discoveryRoutes } from './routes.js';

/** Discovers what a server supports before a trunk is attached to it. */
export const discoveryArea: Area = {
  name: 'discovery',
  create: ({ redis }) => ({ routes: discoveryRoutes(new Discoveries(redis)) }),
};
