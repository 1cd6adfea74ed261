import type { Area } from '../area.js';
import { usageRoutes } from './routes.js';

export { usageRoutes };

/** Calls, minutes and peaks by day. */
export const usageArea: Area = { name: 'usage', create: () => ({ accountRoutes: usageRoutes }) };
