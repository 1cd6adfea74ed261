import { describe, expect, it } from 'vitest';
import {
  allConfirmed,
  confirmedBodies,
  keyOf,
  toggled,
  toggledScenario,
} from '../../../../../src/dashboard/pages/testing/suite-choice.js';
import { targetOf } from '../../../../../src/dashboard/pages/testing/targets.js';
import {
  emptyStep,
  emptyVoice,
  voiceBody,
  voiceDraft,
} from '../../../../../src/dashboard/pages/testing/voice-draft.js';

describe('how a scenario is run as a call', () => {
  it('is left to the defaults where nothing was changed', () => {
    expect(voiceBody(emptyVoice)).toBeNull();
    expect(voiceDraft(null)).toBe(emptyVoice);
  });

  it('names only what differs', () => {
    expect(voiceBody({ ...emptyVoice, language: ' ', destination: ' sip:a@x ' })).toEqual({
      destination: 'sip:a@x',
      language: 'en-US',
      end_of_turn_ms: 700,
      reply_timeout_ms: 10_000,
      max_duration_seconds: 300,
    });
    expect(voiceBody({ ...emptyVoice, speed: 1.5, speaker: 'anna', callerNumber: '+1' })).toMatchObject({
      speed: 1.5,
      speaker: 'anna',
      caller_number: '+1',
    });
  });

  it('has the conditions of the line as soon as one of them is set', () => {
    const conditions = (draft: object) => voiceBody({ ...emptyVoice, seed: 2, ...draft })!.conditions;
    expect(conditions({})).toBeUndefined();
    const none = { gain_db: 0, loss_share: 0, jitter_ms: 0, seed: 2 };
    expect(conditions({ gain: -6 })).toEqual({ ...none, gain_db: -6 });
    expect(conditions({ loss: 2.5 })).toEqual({ ...none, loss_share: 0.025 });
    expect(conditions({ jitter: 30 })).toEqual({ ...none, jitter_ms: 30 });
    expect(conditions({ noise: 'street' })).toEqual({ ...none, noise: { kind: 'street', level_dbov: -40 } });
  });

  it('has what the caller does, by turn or by the words that it hears', () => {
    const steps = [
      { ...emptyStep, digits: ' 12# ' },
      { ...emptyStep, heard: ' press one ', action: 'silence_ms', milliseconds: 2_000 },
      { ...emptyStep, turn: 3, action: 'hold_ms' },
    ] as const;
    expect(voiceBody({ ...emptyVoice, steps })!.steps).toEqual([
      { turn: 1, digits: '12#' },
      { when_heard: 'press one', silence_ms: 2_000 },
      { turn: 3, hold_ms: 5_000 },
    ]);
  });

  it('has an interruption where one is wanted', () => {
    expect(voiceBody({ ...emptyVoice, interruption: 'Stop' })).not.toHaveProperty('barge_in');
    expect(voiceBody({ ...emptyVoice, interrupts: true, interruption: ' Stop ' })!.barge_in).toEqual({
      turn: 0,
      after_ms: 1_000,
      text: 'Stop',
    });
  });

  it.each([
    [{ destination: 'sip:a@x', speaker: 'anna', speed: 0.8, callerNumber: '+1415' }],
    [{ gain: 3, loss: 1.25, jitter: 20, seed: 9, noise: 'babble', noiseLevel: -30 }],
    [{ interrupts: true, interruptedTurn: 2, interruptsAfter: 500, interruption: 'Stop' }],
    [
      {
        steps: [
          { ...emptyStep, digits: '1' },
          { ...emptyStep, heard: 'hello', action: 'silence_ms', milliseconds: 300 },
          { ...emptyStep, turn: 4, action: 'hold_ms', milliseconds: 900 },
        ],
      },
    ],
  ])('is the same after the API has stored it: %o', (changes) => {
    const draft = { ...emptyVoice, ...(changes as object) };
    expect(voiceDraft(voiceBody(draft))).toEqual(draft);
  });
});

describe('the assertions of a generated suite', () => {
  const assertion = (name: string) => ({
    type: 'X',
    name,
    config: {},
    is_required: true,
    weight: 1,
    id: 'left out',
  });
  const suite = [
    { scenario: { name: 'first', assertions: [assertion('a'), assertion('b')] } },
    { scenario: { name: 'second', assertions: [assertion('c')] } },
  ] as never;

  it('are confirmed one by one, or all of a scenario', () => {
    const all = allConfirmed(suite);
    expect([...all]).toEqual(['0.0', '0.1', '1.0']);
    expect([...toggledScenario(all, suite, 0)]).toEqual(['1.0']);
    const some = toggled(all, [keyOf(0, 1)]);
    expect([...some]).toEqual(['0.0', '1.0']);
    expect(toggledScenario(some, suite, 0)).toEqual(all);
    expect(all.size).toBe(3);
  });

  it('are created with their scenario, and a scenario without one is not', () => {
    const bodies = confirmedBodies(suite, new Set(['0.1']));
    expect(bodies).toEqual([
      { name: 'first', assertions: [{ type: 'X', name: 'b', config: {}, is_required: true, weight: 1 }] },
    ]);
  });
});

describe('what is tested', () => {
  const targets = [
    { kind: 'pathway', id: 'p1', name: 'Orders' },
    { kind: 'persona', id: 's1', name: 'Anna' },
  ] as const;

  it('has the name and page of its pathway, else of its persona', () => {
    expect(targetOf({ pathway_id: 'p1', persona_id: 's1' }, targets)).toEqual({
      name: 'Orders',
      href: '/pathways/p1',
    });
    expect(targetOf({ pathway_id: null, persona_id: 's1' }, targets)).toEqual({
      name: 'Anna',
      href: '/personas/s1',
    });
    expect(targetOf({ pathway_id: 'p2', persona_id: null }, targets)!.name).toBe('Pathway');
    expect(targetOf({ pathway_id: null, persona_id: 's2' }, targets)!.name).toBe('Persona');
    expect(targetOf({ pathway_id: null, persona_id: null }, targets)).toBeUndefined();
  });
});
