import { describe, expect, it } from 'vitest';
import {
  predecessors,
  type SessionPhase,
  SessionState,
  SessionStateError,
  sessionPhases,
} from '../../../../src/edge/media/session-phase.js';

type Event = (state: SessionState<string>) => unknown;

const offer: Event = (state) => state.offer('next');
const agree: Event = (state) => state.agree('answered');
const withdraw: Event = (state) => state.withdraw();
const release: Event = (state) => state.release();

/** The shortest way from `idle`. */
const ways: Readonly<Record<SessionPhase, readonly Event[]>> = {
  idle: [],
  offered: [offer],
  agreed: [offer, agree],
  modifying: [offer, agree, offer],
  released: [release],
};

function stateIn(phase: SessionPhase): SessionState<string> {
  const state = new SessionState<string>();
  for (const event of ways[phase]) event(state);
  expect(state.phase).toBe(phase);
  return state;
}

describe('the phase of a media session', () => {
  it.each<[string, Event, Partial<Record<SessionPhase, SessionPhase>>]>([
    ['an offer', offer, { idle: 'offered', offered: 'offered', agreed: 'modifying', modifying: 'modifying' }],
    ['an answer', agree, { offered: 'agreed', agreed: 'agreed', modifying: 'agreed' }],
    ['a withdrawal', withdraw, { idle: 'idle', offered: 'idle', agreed: 'agreed', modifying: 'agreed' }],
    [
      'a release',
      release,
      { idle: 'released', offered: 'released', agreed: 'released', modifying: 'released' },
    ],
  ])('changes by %s only as the table allows', (_name, event, outcomes) => {
    for (const from of sessionPhases) {
      const state = stateIn(from);
      const to = from === 'released' ? 'released' : outcomes[from];
      if (to === undefined) expect(() => event(state), from).toThrow(SessionStateError);
      else event(state);
      expect(state.phase, from).toBe(to ?? from);
      if (to !== undefined && to !== from) expect(predecessors[to], `${from} to ${to}`).toContain(from);
    }
  });

  it('is reached from each predecessor in the table', () => {
    const reached = new Set<string>();
    for (const from of sessionPhases) {
      for (const event of [offer, agree, withdraw, release]) {
        const state = stateIn(from);
        try {
          event(state);
        } catch {
          continue;
        }
        reached.add(`${from} to ${state.phase}`);
      }
    }
    for (const to of sessionPhases)
      for (const from of predecessors[to]) expect(reached).toContain(`${from} to ${to}`);
  });
});

describe('the exchanges of a media session', () => {
  it('keep the agreed one in force until the next answer', () => {
    const state = new SessionState<string>();
    state.offer('first');
    expect([state.pending, state.agreed, state.answerable]).toEqual(['first', undefined, 'first']);
    state.agree('first');
    state.offer('second');
    expect([state.pending, state.agreed, state.answerable]).toEqual(['second', 'first', 'second']);
    state.agree('second');
    expect([state.pending, state.agreed, state.answerable]).toEqual([undefined, 'second', 'second']);
  });

  it('are restored to the agreed one when an offer is withdrawn', () => {
    const state = stateIn('modifying');
    expect(state.withdraw()).toBe(true);
    expect([state.phase, state.pending, state.agreed]).toEqual(['agreed', undefined, 'answered']);
    expect(state.withdraw()).toBe(false);
  });

  it('ignore what rtpengine answers after the release, which happens once', () => {
    const state = stateIn('agreed');
    expect([state.release(), state.release()]).toEqual([true, false]);
    state.offer('late');
    state.agree('late');
    expect(state.withdraw()).toBe(false);
    expect([state.phase, state.pending, state.agreed]).toEqual(['released', undefined, 'answered']);
  });
});
