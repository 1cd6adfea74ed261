import { describe, expect, it } from 'vitest';
import { movesOf } from '../../../../src/control/porting/carrier-moves.js';
import type { CarrierNumber } from '../../../../src/control/porting/carriers/carrier.js';

const moves = (status: CarrierNumber['status'], reason: string | null = null) =>
  movesOf({ numbers: [{ number: '14155550100', status, reason }] });

describe('moves that follow from a report of the carrier', () => {
  it.each<[CarrierNumber['status'], string, string]>([
    ['in_progress', 'progress', 'The losing carrier works on it.'],
    ['completed', 'complete', 'The number was ported.'],
    ['failed', 'fail', 'The losing carrier refused.'],
    ['canceled', 'cancel', 'The carrier canceled it.'],
  ])('make %s the move %s', (status, move, usual) => {
    expect(moves(status)).toEqual([{ number: '14155550100', move, reason: usual }]);
    expect(moves(status, 'Because.')).toEqual([{ number: '14155550100', move, reason: 'Because.' }]);
  });

  it('are none for a number that is only submitted', () => {
    expect(moves('submitted')).toEqual([]);
    expect(moves('submitted', 'Because.')).toEqual([]);
  });

  it('keep the order of the numbers', () => {
    const numbers: CarrierNumber[] = [
      { number: '1', status: 'completed', reason: null },
      { number: '2', status: 'submitted', reason: null },
      { number: '3', status: 'failed', reason: 'The name differs.' },
    ];
    expect(movesOf({ numbers }).map(({ number, move }) => [number, move])).toEqual([
      ['1', 'complete'],
      ['3', 'fail'],
    ]);
    expect(movesOf({ numbers: [] })).toEqual([]);
  });
});
