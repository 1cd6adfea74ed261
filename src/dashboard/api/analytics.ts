import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type EnhancedAnalytics = api.EnhancedTestAnalytics;

/** @param days up to now, 1 to 365 */
export const readAnalytics = (
  pathwayId: string,
  days: number,
  signal?: AbortSignal,
): Promise<EnhancedAnalytics> => ask(demarc.getEnhancedTestAnalytics({ pathwayId }, { days }, { signal }));
