import type { RtpSide } from '../../contract/call-record.js';
import type { MediaSummary } from '../media/media-session.js';
import type { MediaStatistics } from '../media/rtp-statistics.js';
import type { CallState, Ending } from './call-state.js';

/** End reasons of calls in which people normally talked. */
const usual: ReadonlySet<Ending['reason']> = new Set([
  'caller_hung_up',
  'callee_hung_up',
  'agent_hung_up',
  'stopped',
  'max_duration',
]);

/**
 * Corrects the ending of a call in which a side was never heard: such a call has failed, although a party hung up normally.
 * `by` is kept. Applies only to calls without transfers that were not on hold at their end, if rtpengine counted both sides.
 * @param shortestMilliseconds in a shorter call a side need not have spoken
 */
export function endingByAudio(
  state: CallState,
  ending: Ending,
  media: MediaSummary | null,
  statistics: MediaStatistics | undefined,
  shortestMilliseconds: number,
): Ending {
  const { answeredAt, endedAt, agentDialogId, transfers, direction } = state;
  const lasted = answeredAt === null || endedAt === null ? 0 : endedAt - answeredAt;
  const isJudged =
    usual.has(ending.reason) &&
    lasted >= shortestMilliseconds &&
    agentDialogId !== null &&
    transfers.length === 0 &&
    media?.isFlowing === true;
  if (!isJudged || !statistics?.trunk || !statistics.agent) return ending;
  const party = direction === 'inbound' ? 'caller' : 'callee';
  const { trunk: ofTrunk, agent: ofAgent } = media.refusedSources ?? {};
  const trunk =
    refusedDefect(statistics.trunk, party, ofTrunk) ??
    defectOf(statistics.trunk, party, media.suite === null, media.unlearned?.includes('trunk'));
  const agent =
    refusedDefect(statistics.agent, 'agent', ofAgent) ??
    defectOf(statistics.agent, 'agent', true, media.unlearned?.includes('agent'));
  if (trunk === undefined && agent === undefined) return ending;
  const reason = trunk !== undefined && agent !== undefined ? 'dead_air' : 'one_way_audio';
  const detail = [trunk, agent, ending.detail].filter((each) => each !== undefined).join(' ');
  return { ...ending, reason, detail };
}

/** Undefined: the side was heard. */
function defectOf(
  { packets_received: packets, errors }: RtpSide,
  side: string,
  isPlain: boolean,
  isUnlearned = false,
): string | undefined {
  if (packets > 0) return undefined;
  if (errors === 0) return `The ${side} sent no audio.`;
  if (!isPlain) return `None of the ${errors} packets of the ${side} could be decrypted.`;
  const fact = `None of the ${errors} packets of the ${side} came from the address in its SDP.`;
  return isUnlearned ? `${fact} Symmetric RTP has no effect: it requires rtpengine 26 or later.` : fact;
}

/** The packets that arrived while the source was learned count as received. */
function refusedDefect({ errors }: RtpSide, side: string, source: string | undefined): string | undefined {
  if (source === undefined || errors === 0) return undefined;
  const allowed = side === 'agent' ? 'in DEMARC_AGENT_SOURCES' : 'that of its signaling';
  return `The packets of the ${side} came from ${source}, which is neither the address in its SDP nor ${allowed}.`;
}
