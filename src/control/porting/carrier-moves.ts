import type { CarrierReport } from './carriers/carrier.js';
import type { WantedMove } from './planned-moves.js';

const moveNames = {
  in_progress: ['progress'],
  completed: ['complete'],
  failed: ['fail'],
  canceled: ['cancel'],
  submitted: [],
} as const;

const defaultReasons = {
  progress: 'The losing carrier works on it.',
  complete: 'The number was ported.',
  fail: 'The losing carrier refused.',
  cancel: 'The carrier canceled it.',
} as const;

/** The moves that follow from what the carrier reports of each number. */
export const movesOf = ({ numbers }: Pick<CarrierReport, 'numbers'>): WantedMove[] =>
  numbers.flatMap(({ number, status, reason }) =>
    moveNames[status].map((move) => ({ number, move, reason: reason ?? defaultReasons[move] })),
  );
