import { type Actor, type Move, type PortStatus, requestStatus, stateAfter } from './port-status.js';

export interface WantedMove {
  /** E.164 digits; undefined: every number of the request. */
  readonly number?: string;
  readonly move: Move;
  readonly reason: string;
}

/** One number's move from one state to the next. */
export interface PlannedMove {
  readonly number: string;
  readonly from: PortStatus;
  readonly to: PortStatus;
  readonly reason: string;
}

export interface MovePlan {
  /** In the order in which they are made; a number may move several times. */
  readonly moves: readonly PlannedMove[];
  /** Numbers that moved, each once. */
  readonly moved: readonly string[];
  /** The state of the request after all moves. */
  readonly status: PortStatus;
  /** Why the request as a whole moves: the first wanted move that says so. */
  readonly reason: string;
}

/** Which of the wanted moves are possible for this actor; the others, such as those of a webhook that came twice, change nothing. */
export function planMoves(
  numbers: readonly { readonly number: string; readonly status: PortStatus }[],
  wanted: readonly WantedMove[],
  actor: Actor,
): MovePlan {
  const statuses = new Map(numbers.map(({ number, status }) => [number, status]));
  const moves: PlannedMove[] = [];
  for (const { number: only, move, reason } of wanted) {
    for (const { number } of numbers) {
      if (only !== undefined && only !== number) continue;
      const from = statuses.get(number)!;
      const to = stateAfter(from, move, actor);
      if (to === undefined) continue;
      statuses.set(number, to);
      moves.push({ number, from, to, reason });
    }
  }
  return {
    moves,
    moved: [...new Set(moves.map(({ number }) => number))],
    status: requestStatus([...statuses.values()]),
    reason: wanted.map((move) => move.reason).find((text) => text !== '') ?? '',
  };
}
