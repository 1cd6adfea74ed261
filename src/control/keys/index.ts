import type { Area } from '../area.js';
import { keyRoutes } from './routes.js';

export { keyRoutes };

/** API keys of an organization. */
export const keysArea: Area = { name: 'keys', create: () => ({ accountRoutes: keyRoutes }) };
