import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type CallSummary = api.Call;
export type EndedCall = api.CallDetail;
/** The state its edge holds for a call that has no record yet. */
export type UnfinishedCall = api.LiveCallDetail;
export type CallDetail = EndedCall | UnfinishedCall;
export type {
  CallMedia,
  CallQuality,
  CallTurns,
  MediaSample,
  RtpSide,
  TraceMessage,
} from '../../../clients/typescript/src/index.js';

export const outcomes = [
  'completed',
  'cancelled',
  'refused',
  'failed',
] as const satisfies readonly api.Call['outcome'][];

type Query = api.ListCallRecordsQuery;
export type CallFilter = Omit<Query, 'limit' | 'after' | 'before' | 'metadata' | 'include_total'>;
export type CallPage = api.ListCallRecordsAnswer['data'];

/** `after`: id of the last call on the previous page. */
export const readCalls = (
  filter: CallFilter,
  page: Pick<Query, 'limit' | 'after' | 'include_total'>,
  signal?: AbortSignal,
): Promise<CallPage> => ask(demarc.listCallRecords({ ...filter, ...page }, { signal }));

export const readCall = (callId: string, signal?: AbortSignal): Promise<CallDetail> =>
  ask(demarc.getCallRecord({ call_id: callId }, {}, { signal }));

const callPath = (callId: string): string => `/v1/sip/calls/${encodeURIComponent(callId)}`;
export const captureAddress = (callId: string): string => `${callPath(callId)}?format=pcap`;
export const transcriptAddress = (callId: string): string => `${callPath(callId)}?format=text`;
