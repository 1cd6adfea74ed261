import { hasBadAudio } from '../../../contract/audio-defect.js';
import type { EndReason } from '../../../contract/call-record.js';
import { capitalized, spoken } from '../../parts/format.js';

/** Short labels for lists and headlines; the contract has the full explanations. */
const words: Partial<Readonly<Record<EndReason, string>>> = {
  stopped: 'Ended by the API',
  target_hung_up: 'Transfer target hung up',
  refused_draining: 'Edge was shutting down',
  refused_too_many_hops: 'Too many hops',
  refused_loop: 'Loop',
  refused_unknown_number: 'Unknown number',
  refused_source: 'Source not allowed',
  refused_credentials: 'Wrong or no credentials',
  refused_guessing: 'Too many wrong credentials',
  refused_limit: 'Limit exceeded',
  refused_unavailable: 'Configuration unavailable',
  refused_media: 'SDP offer not acceptable',
  refused_bad_request: 'Bad request',
  agent_refused: 'Refused by the agent',
  agent_unreachable: 'Agent unreachable',
  agent_no_answer: 'Agent did not answer',
  agent_lost: 'Agent lost during the call',
  trunk_refused: 'Refused by the trunk',
  trunk_unreachable: 'Trunk unreachable',
  trunk_no_answer: 'No answer',
  media_timeout: 'Media timeout',
  one_way_audio: 'One-way audio',
  dead_air: 'Dead air: no audio at all',
  ack_timeout: 'No ACK',
  max_duration: 'Maximum duration reached',
  drained: 'Edge was shutting down',
  edge_lost: 'Edge died',
  order_not_taken: 'Not dialled: no edge took it',
  order_expired: 'Not dialled: queue timeout',
};

export const endReasonWords = (reason: string): string =>
  (words as Readonly<Record<string, string | undefined>>)[reason] ?? capitalized(spoken(reason));

interface EndedAs {
  readonly outcome: string;
  readonly end_reason: string;
  readonly continued_as?: string | null;
}

/** The state of an ended call: one in which a side was not heard, or that another edge began again, is neither completed nor failed. */
export function shownOutcome(call: EndedAs): string {
  if (call.continued_as) return 'continued';
  return hasBadAudio(call) ? call.end_reason : call.outcome;
}

/** `503 Refused by the trunk`; of an answered call its end alone. */
export const failureWords = ({
  sip_status,
  end_reason,
}: {
  readonly sip_status: number | null;
  readonly end_reason: string;
}): string =>
  `${sip_status === null || sip_status < 300 ? '' : `${sip_status} `}${endReasonWords(end_reason)}`;
