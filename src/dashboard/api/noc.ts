import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

/** The answer of `/v1/noc`. */

export type {
  CallEvent,
  CallFigures,
  CallGroup,
  CallSeries,
  EdgeSummary,
  Fleet,
  HealthHistory,
  LiveCall,
  LiveCalls,
  NocSummary as Summary,
  TrunkSummary,
} from '../../../clients/typescript/src/index.js';

export const windowNames = ['5m', '1h', '24h'] as const satisfies readonly (keyof NonNullable<
  api.CallFigures['windows']
>)[];
export type WindowName = (typeof windowNames)[number];
export type WindowFigures = api.WindowFigures;

export const seriesWindows = [
  '1h',
  '24h',
  '7d',
  '30d',
] as const satisfies readonly api.GetCallSeriesQuery['window'][];
export type SeriesWindow = (typeof seriesWindows)[number];

export type Scope = 'organization' | 'fleet';

export const readSummary = (): Promise<api.NocSummary> => ask(demarc.getSummary());

export const readCallSeries = (
  window: SeriesWindow,
  scope: Scope,
  signal?: AbortSignal,
): Promise<api.CallSeries> => ask(demarc.getCallSeries({ window, scope }, { signal }));

export type TrunkPage = api.ListTrunkHealthAnswer['data'] & Pick<api.ListTrunkHealthAnswer, 'next'>;
export type TrunkFilter = NonNullable<api.ListTrunkHealthQuery['state']>;

/** Trunks, worst first. */
export const readTrunkPage = async (
  page: api.ListTrunkHealthQuery,
  signal?: AbortSignal,
): Promise<TrunkPage> => {
  const answered = demarc.listTrunkHealth(page, { signal });
  const data = await ask(answered);
  return { ...data, next: (await answered).next };
};

export const healthWindows = [
  '24h',
  '7d',
  '30d',
] as const satisfies readonly api.GetHealthHistoryQuery['window'][];
export type HealthWindow = (typeof healthWindows)[number];

export const readHealthHistory = (
  phone_number: string,
  window: HealthWindow,
  signal?: AbortSignal,
): Promise<api.HealthHistory> => ask(demarc.getHealthHistory({ phone_number, window }, { signal }));
