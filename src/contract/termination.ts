import type { EndReason } from './call-record.js';

/**
 * Termination classes of calls, for statistics: `completed` and `cancelled` are the callers' own;
 * `refused` is our policy; `rejected` is the other side's decision; `failed` needs an operator.
 */
export const terminationClasses = ['completed', 'cancelled', 'refused', 'rejected', 'failed'] as const;
export type TerminationClass = (typeof terminationClasses)[number];

const failures: ReadonlySet<EndReason> = new Set([
  'agent_unreachable',
  'agent_lost',
  'trunk_unreachable',
  'media_failed',
  'media_timeout',
  'one_way_audio',
  'dead_air',
  'ack_timeout',
  'session_expired',
  'drained',
  'engine_lost',
  'edge_lost',
  'order_not_taken',
  'internal_error',
  'refused_unavailable',
]);

/** Termination class of a call, one of five for statistics. */
export function terminationClass(reason: EndReason, isAnswered: boolean): TerminationClass {
  if (failures.has(reason)) return 'failed';
  if (isAnswered) return 'completed';
  if (reason.startsWith('refused_') || reason === 'order_expired') return 'refused';
  return reason.endsWith('_refused') || reason.endsWith('_no_answer') ? 'rejected' : 'cancelled';
}
