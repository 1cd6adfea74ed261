import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type Usage = api.Usage;
export type UsageQuery = api.GetUsageQuery;

export type UsageGroups = api.GetUsageBreakdownAnswer['data']['groups'];
export type BreakdownQuery = api.GetUsageBreakdownQuery;

/** Usage of one organization: the session's, or another one that an operator manages. */
export interface UsageSource {
  readonly read: (period: UsageQuery, signal?: AbortSignal) => Promise<Usage>;
  readonly readGroups: (wanted: BreakdownQuery, signal?: AbortSignal) => Promise<UsageGroups>;
}

/** Of the session's organization. */
export const ownUsage: UsageSource = {
  read: (period, signal) => ask(demarc.getUsage(period, { signal })),
  readGroups: async (wanted, signal) => (await ask(demarc.getUsageBreakdown(wanted, { signal }))).groups,
};
