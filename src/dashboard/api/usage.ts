import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type Usage = api.Usage;
export type UsageQuery = api.GetUsageQuery;

/** Of the session's organization. */
export const readUsage = (period: UsageQuery, signal?: AbortSignal): Promise<Usage> =>
  ask(demarc.getUsage(period, { signal }));
