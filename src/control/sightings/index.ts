import type { Area } from '../area.js';
import { sightingRoutes } from './routes.js';
import { Visibility } from './visibility.js';

export { type SightingView, viewOf } from './view.js';
export { Visibility } from './visibility.js';

/** What arrives from customers' PBXs, for people who set one up. */
export const sightingsArea: Area = {
  name: 'sightings',
  create: ({ database, redis }) => ({ routes: sightingRoutes(redis, new Visibility(database)) }),
};
