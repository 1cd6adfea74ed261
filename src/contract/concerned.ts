import type { EndReason } from './call-record.js';

/**
 * Whom the end of a call concerns. `none`: a conversation, or a call that a person did not take. `caller`: a mistake of the
 * sender, which the called organization cannot mend. `customer`: a setting, limit or PBX of the organization. `service`: the
 * agent runtime, the trunk's server or the network to them. `fleet`: Demarc itself.
 */
export const concernedParties = ['none', 'caller', 'customer', 'service', 'fleet'] as const;
export type ConcernedParty = (typeof concernedParties)[number];

const parties: Readonly<Record<EndReason, ConcernedParty>> = {
  caller_hung_up: 'none',
  agent_hung_up: 'none',
  callee_hung_up: 'none',
  target_hung_up: 'none',
  transferred: 'none',
  caller_cancelled: 'none',
  stopped: 'none',
  test_completed: 'none',
  max_duration: 'none',
  trunk_no_answer: 'none',
  refused_unknown_number: 'caller',
  refused_bad_request: 'caller',
  refused_loop: 'customer',
  refused_too_many_hops: 'customer',
  refused_source: 'customer',
  refused_credentials: 'customer',
  refused_guessing: 'customer',
  refused_limit: 'customer',
  refused_media: 'customer',
  order_expired: 'customer',
  ack_timeout: 'customer',
  media_timeout: 'customer',
  session_expired: 'customer',
  agent_refused: 'service',
  agent_unreachable: 'service',
  agent_no_answer: 'service',
  agent_lost: 'service',
  trunk_refused: 'service',
  trunk_unreachable: 'service',
  one_way_audio: 'service',
  dead_air: 'service',
  refused_draining: 'fleet',
  refused_unavailable: 'fleet',
  media_failed: 'fleet',
  drained: 'fleet',
  engine_lost: 'fleet',
  edge_lost: 'fleet',
  order_not_taken: 'fleet',
  internal_error: 'fleet',
};

/** Final statuses that describe the callee: unavailable, busy, declined, no such number. The trunk worked. */
const answersOfCallees: ReadonlySet<number> = new Set([
  404, 410, 480, 484, 486, 487, 600, 603, 604, 607, 608,
]);

/** Whether the trunk's final status describes the callee (RFC 3261 §21.4, §21.6), not the trunk. */
export const isAnswerOfCallee = (reason: EndReason, sipStatus: number | null): boolean =>
  reason === 'trunk_refused' && sipStatus !== null && answersOfCallees.has(sipStatus);

/**
 * Whom the end of a call concerns. Unlike the failure rate of a trunk, the verdict over a service leaves no end out.
 * @param sipStatus final status of the trunk's INVITE
 */
export const concernedBy = (reason: EndReason, sipStatus: number | null): ConcernedParty =>
  isAnswerOfCallee(reason, sipStatus) ? 'none' : (parties[reason] ?? 'fleet');
