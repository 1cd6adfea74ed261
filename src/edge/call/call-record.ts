import type { CallRecord, EndReason } from '../../contract/call-record.js';
import type { MediaSummary } from '../media/media-session.js';
import type { MediaStatistics } from '../media/rtp-statistics.js';
import type { Trace } from '../trace/trace-collector.js';
import type { CallState, Ending } from './call-state.js';
import { endingByAudio } from './ending-by-audio.js';

const isoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/**
 * The outcome of a call, from its end reason and whether it was answered. An answered call is completed, whatever ended it: the
 * callee must not be called again because the audio was bad, which the end reason says.
 */
export function outcomeOf(state: CallState, reason: EndReason): CallRecord['outcome'] {
  if (state.answeredAt !== null) return 'completed';
  if (reason === 'caller_cancelled' || reason === 'stopped') return 'cancelled';
  // Before the callee answered.
  if (reason === 'agent_hung_up' && state.direction === 'outbound') return 'cancelled';
  const isRefusal = reason.startsWith('refused_') || reason === 'agent_refused' || reason === 'trunk_refused';
  return isRefusal ? 'refused' : 'failed';
}

/** What was measured while the call was watched or bad; absent fields were not. */
export type Measurements = Pick<NonNullable<CallRecord['media']>, 'samples' | 'turns'>;

/** The fields of a call record that are known during the call. */
export function callFacts(
  edgeId: string,
  state: CallState,
  media: MediaSummary | null,
  statistics: MediaStatistics | undefined,
  trace: Trace,
  measured: Measurements = {},
) {
  const until = state.endedAt ?? Date.now();
  return {
    version: 1 as const,
    call_id: state.id,
    edge_id: edgeId,
    organization: state.organization,
    number: state.number,
    direction: state.direction,
    ...(state.testRunId === null ? {} : { test_run_id: state.testRunId }),
    from: state.from,
    to: state.to,
    source: { ...state.source },
    started_at: new Date(state.startedAt).toISOString(),
    ringing_at: isoOrNull(state.ringingAt),
    answered_at: isoOrNull(state.answeredAt),
    duration_milliseconds: state.answeredAt === null ? 0 : Math.max(0, Math.round(until - state.answeredAt)),
    sip_status: state.sipStatus,
    sip_reason: state.sipReason,
    detail: state.ending?.detail ?? null,
    media:
      media === null
        ? null
        : {
            node: media.node,
            trunk_codec: media.trunkCodec,
            agent_codec: media.agentCodec,
            srtp_suite: media.suite,
            ...(media.transcodingCause === undefined ? {} : { transcoded_because: media.transcodingCause }),
            trunk: statistics?.trunk ?? null,
            agent: statistics?.agent ?? null,
            ...measured,
          },
    attempts: [...state.attempts],
    sip_call_ids: { trunk: state.trunkSipCallId, agent: state.agentSipCallId },
    ...(state.transfers.length === 0 ? {} : { transfers: [...state.transfers] }),
    ...(state.adoptions.length === 0
      ? {}
      : {
          adoptions: state.adoptions.map(({ at, edge_id }) => ({ at: new Date(at).toISOString(), edge_id })),
        }),
    ...(state.mediaMoves.length === 0
      ? {}
      : { media_moves: state.mediaMoves.map((move) => ({ ...move, at: new Date(move.at).toISOString() })) }),
    ...(Object.keys(state.agentMetadata).length === 0 ? {} : { agent_metadata: state.agentMetadata }),
    trace: trace.entries,
    trace_truncated: trace.truncated,
  };
}

/**
 * The record of a call that has ended.
 * @param silentCallMilliseconds an answered call of at least this length fails if a side was never heard
 */
export function callRecord(
  edgeId: string,
  state: CallState,
  media: MediaSummary | null,
  statistics: MediaStatistics | undefined,
  trace: Trace,
  silentCallMilliseconds = 5_000,
  measured?: Measurements,
): CallRecord {
  const decided: Ending = state.ending ?? { reason: 'internal_error', by: 'edge' };
  const ending = endingByAudio(state, decided, media, statistics, silentCallMilliseconds);
  return {
    ...callFacts(edgeId, state, media, statistics, trace, measured),
    ...agentOf(state),
    detail: ending.detail ?? null,
    ended_at: new Date(state.endedAt ?? Date.now()).toISOString(),
    outcome: outcomeOf(state, ending.reason),
    ended_by: ending.by,
    end_reason: ending.reason,
  };
}

const longestAgent = 300;

/** Parameters of a SIP URI, and a password and the query of a URL, may be secrets. */
function agentOf({ agentUri }: CallState): { readonly agent?: string } {
  const agent = agentUri?.replace(/[;?#].*$/s, '').replace(/^(sips?:|\w+:\/\/)([^:@/]*):[^@/]*@/i, '$1$2@');
  return agent === undefined || agent === '' ? {} : { agent: agent.slice(0, longestAgent) };
}
