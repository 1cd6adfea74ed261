/** The state machine of number porting: every state, every move, and who may make it. */

export const portStatuses = [
  'waiting_for_signature',
  'submitted',
  'in_progress',
  'completed',
  'failed',
  'canceled',
] as const;
/** Of a port request, and of each of its numbers. */
export type PortStatus = (typeof portStatuses)[number];

export const actors = ['customer', 'signer', 'carrier', 'operator', 'service'] as const;
/** Who makes a move. */
export type Actor = (typeof actors)[number];

interface MoveRule {
  readonly from: readonly PortStatus[];
  readonly to: PortStatus;
  readonly by: readonly Actor[];
}

/** One row for each move of a number. A move that has no row for the present state is refused. */
export const moves = {
  sign: { from: ['waiting_for_signature'], to: 'submitted', by: ['signer', 'operator'] },
  progress: { from: ['submitted'], to: 'in_progress', by: ['carrier', 'operator'] },
  complete: { from: ['submitted', 'in_progress'], to: 'completed', by: ['carrier', 'operator'] },
  fail: {
    from: ['waiting_for_signature', 'submitted', 'in_progress'],
    to: 'failed',
    by: ['carrier', 'operator', 'service'],
  },
  cancel: {
    from: ['waiting_for_signature', 'submitted', 'in_progress'],
    to: 'canceled',
    by: ['customer', 'carrier', 'operator'],
  },
} as const satisfies Record<string, MoveRule>;
export type Move = keyof typeof moves;

export const moveNames = Object.keys(moves) as [Move, ...Move[]];

/** No further move is possible. */
export const isFinal = (status: PortStatus): boolean => !canMoveFrom(status);

const canMoveFrom = (status: PortStatus): boolean =>
  Object.values<MoveRule>(moves).some(({ from }) => from.includes(status));

/** The state after the move; undefined: this actor cannot make it from there. */
export function stateAfter(status: PortStatus, move: Move, actor: Actor): PortStatus | undefined {
  const rule: MoveRule = moves[move];
  return rule.from.includes(status) && rule.by.includes(actor) ? rule.to : undefined;
}

/** The moves that the actor can make from there. */
export const movesFrom = (status: PortStatus, actor: Actor): Move[] =>
  moveNames.filter((move) => stateAfter(status, move, actor) !== undefined);

/**
 * The state of a request follows from those of its numbers: it is over when all of them are, and completed when at least one
 * number was ported.
 */
export function requestStatus(numbers: readonly PortStatus[]): PortStatus {
  const has = (status: PortStatus): boolean => numbers.includes(status);
  if (has('waiting_for_signature')) return 'waiting_for_signature';
  if (has('in_progress')) return 'in_progress';
  if (has('submitted')) return has('completed') ? 'in_progress' : 'submitted';
  if (has('completed')) return 'completed';
  return has('failed') ? 'failed' : 'canceled';
}
