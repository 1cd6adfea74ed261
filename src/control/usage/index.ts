import type { Area } from '../area.js';
import { usageRoutes } from './routes.js';

export { countDays } from './call-days.js';

/** Calls, minutes and peaks by day. */
export const usageArea: Area = { name: 'usage', create: () => ({ accountRoutes: usageRoutes }) };
