import type { EndReason } from '../../contract/call-record.js';
import { isAnswerOfCallee } from '../../contract/concerned.js';

/** How an ended call counts towards the failure rate of its trunk. */
export type CallClass = 'failed' | 'succeeded' | 'ignored';

/**
 * `failed`: the caller's PBX, the trunk or the agent prevented the conversation. `ignored`: says nothing about the trunk:
 * refused strangers and floods, routing errors, our own deployments and failures. All other calls took place, or ended
 * normally.
 */
const classes: Readonly<Record<EndReason, CallClass>> = {
  caller_hung_up: 'succeeded',
  agent_hung_up: 'succeeded',
  callee_hung_up: 'succeeded',
  target_hung_up: 'succeeded',
  transferred: 'succeeded',
  caller_cancelled: 'succeeded',
  stopped: 'succeeded',
  test_completed: 'succeeded',
  max_duration: 'succeeded',
  trunk_no_answer: 'succeeded',
  refused_draining: 'ignored',
  refused_too_many_hops: 'ignored',
  refused_loop: 'ignored',
  refused_unknown_number: 'ignored',
  refused_source: 'ignored',
  refused_credentials: 'ignored',
  refused_guessing: 'ignored',
  refused_bad_request: 'ignored',
  refused_limit: 'ignored',
  refused_unavailable: 'ignored',
  drained: 'ignored',
  engine_lost: 'ignored',
  edge_lost: 'ignored',
  order_not_taken: 'ignored',
  order_expired: 'ignored',
  internal_error: 'ignored',
  refused_media: 'failed',
  agent_refused: 'failed',
  agent_unreachable: 'failed',
  agent_no_answer: 'failed',
  agent_lost: 'failed',
  trunk_refused: 'failed',
  trunk_unreachable: 'failed',
  media_failed: 'failed',
  media_timeout: 'failed',
  one_way_audio: 'failed',
  dead_air: 'failed',
  ack_timeout: 'failed',
  session_expired: 'failed',
};

/** @param sipStatus final status of the trunk's INVITE */
export function classOf(reason: EndReason, sipStatus: number | null): CallClass {
  if (isAnswerOfCallee(reason, sipStatus)) return 'succeeded';
  return classes[reason] ?? 'ignored';
}
