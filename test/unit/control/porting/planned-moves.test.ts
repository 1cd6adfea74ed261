import { describe, expect, it } from 'vitest';
import { planMoves, type WantedMove } from '../../../../src/control/porting/planned-moves.js';
import type { Actor, PortStatus } from '../../../../src/control/porting/port-status.js';

const plan = (statuses: Readonly<Record<string, PortStatus>>, wanted: WantedMove[], actor: Actor) =>
  planMoves(
    Object.entries(statuses).map(([number, status]) => ({ number, status })),
    wanted,
    actor,
  );

describe('planned moves of a port', () => {
  it('move every number when none is named', () => {
    expect(
      plan(
        { '14155550100': 'waiting_for_signature', '14155550101': 'waiting_for_signature' },
        [{ move: 'sign', reason: 'Signed.' }],
        'signer',
      ),
    ).toEqual({
      moves: [
        { number: '14155550100', from: 'waiting_for_signature', to: 'submitted', reason: 'Signed.' },
        { number: '14155550101', from: 'waiting_for_signature', to: 'submitted', reason: 'Signed.' },
      ],
      moved: ['14155550100', '14155550101'],
      status: 'submitted',
      reason: 'Signed.',
    });
  });

  it('move only the number that is named', () => {
    const { moves, moved, status } = plan(
      { '14155550100': 'submitted', '14155550101': 'submitted' },
      [{ number: '14155550101', move: 'progress', reason: 'Accepted.' }],
      'carrier',
    );
    expect(moves).toEqual([
      { number: '14155550101', from: 'submitted', to: 'in_progress', reason: 'Accepted.' },
    ]);
    expect(moved).toEqual(['14155550101']);
    expect(status).toBe('in_progress');
  });

  it('change nothing for a number that is not of the request', () => {
    const { moves, moved, status } = plan(
      { '14155550100': 'submitted' },
      [{ number: '14155550199', move: 'complete', reason: 'Ported.' }],
      'carrier',
    );
    expect([moves, moved, status]).toEqual([[], [], 'submitted']);
  });

  it.each<[string, PortStatus, WantedMove['move'], Actor]>([
    ['a webhook that came twice', 'in_progress', 'progress', 'carrier'],
    ['a late webhook', 'completed', 'progress', 'carrier'],
    ['a second signature', 'submitted', 'sign', 'signer'],
    ['a customer who completes it', 'submitted', 'complete', 'customer'],
    ['a carrier that signs', 'waiting_for_signature', 'sign', 'carrier'],
    ['a cancel after the end', 'completed', 'cancel', 'customer'],
    ['a failure after a cancel', 'canceled', 'fail', 'carrier'],
  ])('change nothing with %s', (_, status, move, actor) => {
    expect(plan({ '14155550100': status }, [{ move, reason: 'Again.' }], actor)).toEqual({
      moves: [],
      moved: [],
      status,
      reason: 'Again.',
    });
  });

  it('move those numbers that can, and leave the others where they are', () => {
    const { moves, moved, status } = plan(
      { '1': 'completed', '2': 'submitted', '3': 'failed' },
      [{ move: 'cancel', reason: 'Canceled on request.' }],
      'customer',
    );
    expect(moves).toEqual([
      { number: '2', from: 'submitted', to: 'canceled', reason: 'Canceled on request.' },
    ]);
    expect([moved, status]).toEqual([['2'], 'completed']);
  });

  it('move a number through several states, each from where the one before left it', () => {
    const { moves, moved, status } = plan(
      { '1': 'submitted' },
      [
        { number: '1', move: 'progress', reason: 'Accepted.' },
        { number: '1', move: 'progress', reason: 'Accepted again.' },
        { number: '1', move: 'complete', reason: 'Ported.' },
      ],
      'carrier',
    );
    expect(moves).toEqual([
      { number: '1', from: 'submitted', to: 'in_progress', reason: 'Accepted.' },
      { number: '1', from: 'in_progress', to: 'completed', reason: 'Ported.' },
    ]);
    expect([moved, status]).toEqual([['1'], 'completed']);
  });

  it('give the request the first reason that is not empty', () => {
    const reasonOf = (...reasons: string[]): string =>
      plan(
        { '1': 'submitted' },
        reasons.map((reason) => ({ move: 'progress' as const, reason })),
        'carrier',
      ).reason;
    expect(reasonOf('', 'Second.', 'Third.')).toBe('Second.');
    expect(reasonOf('First.', 'Second.')).toBe('First.');
    expect(reasonOf('', '')).toBe('');
    expect(reasonOf()).toBe('');
  });
});
