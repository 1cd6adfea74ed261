import { describe, expect, it } from 'vitest';
import {
  type Actor,
  actors,
  isFinal,
  type Move,
  moveNames,
  movesFrom,
  type PortStatus,
  portStatuses,
  requestStatus,
  stateAfter,
} from '../../../../src/control/porting/port-status.js';

/** The whole state machine: the moves of each actor from each state. */
const table: Readonly<Record<PortStatus, Readonly<Record<Actor, readonly Move[]>>>> = {
  waiting_for_signature: {
    customer: ['cancel'],
    signer: ['sign'],
    carrier: ['fail', 'cancel'],
    operator: ['sign', 'fail', 'cancel'],
    service: ['fail'],
  },
  submitted: {
    customer: ['cancel'],
    signer: [],
    carrier: ['progress', 'complete', 'fail', 'cancel'],
    operator: ['progress', 'complete', 'fail', 'cancel'],
    service: ['fail'],
  },
  in_progress: {
    customer: ['cancel'],
    signer: [],
    carrier: ['complete', 'fail', 'cancel'],
    operator: ['complete', 'fail', 'cancel'],
    service: ['fail'],
  },
  completed: { customer: [], signer: [], carrier: [], operator: [], service: [] },
  failed: { customer: [], signer: [], carrier: [], operator: [], service: [] },
  canceled: { customer: [], signer: [], carrier: [], operator: [], service: [] },
};

describe('the state machine of a port', () => {
  it.each(portStatuses.flatMap((status) => actors.map((actor) => [status, actor] as const)))(
    'allows from %s what the %s may do',
    (status, actor) => {
      expect(movesFrom(status, actor)).toEqual(table[status][actor]);
      for (const move of moveNames)
        expect(stateAfter(status, move, actor) !== undefined).toBe(table[status][actor].includes(move));
    },
  );

  it.each<[Move, PortStatus]>([
    ['sign', 'submitted'],
    ['progress', 'in_progress'],
    ['complete', 'completed'],
    ['fail', 'failed'],
    ['cancel', 'canceled'],
  ])('leads with %s to %s', (move, to) => {
    const reached = portStatuses.flatMap((from) => actors.map((actor) => stateAfter(from, move, actor)));
    expect([...new Set(reached)].filter((state) => state !== undefined)).toEqual([to]);
  });

  it.each(portStatuses)('knows whether %s is final', (status) =>
    expect(isFinal(status)).toBe(['completed', 'failed', 'canceled'].includes(status)),
  );
});

describe('the state of a request', () => {
  it.each<[PortStatus, PortStatus[]]>([
    ['waiting_for_signature', ['waiting_for_signature']],
    ['waiting_for_signature', ['completed', 'in_progress', 'waiting_for_signature']],
    ['in_progress', ['in_progress', 'submitted', 'failed']],
    ['in_progress', ['completed', 'in_progress']],
    ['submitted', ['submitted']],
    ['submitted', ['failed', 'canceled', 'submitted']],
    ['in_progress', ['completed', 'submitted']],
    ['completed', ['completed']],
    ['completed', ['failed', 'completed', 'canceled']],
    ['failed', ['failed']],
    ['failed', ['canceled', 'failed']],
    ['canceled', ['canceled']],
  ])('is %s for numbers that are %j', (status, numbers) => {
    expect(requestStatus(numbers)).toBe(status);
    expect(requestStatus([...numbers].reverse())).toBe(status);
  });
});
