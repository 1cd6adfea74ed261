import { beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/edge/call/call.js';
import { endingOnThrow, fail } from '../../../../src/edge/call/fail.js';
import { MediaRefused } from '../../../../src/edge/media/media-refused.js';
import { MediaUnavailable } from '../../../../src/edge/media/rtpengine-pool.js';

/** What the call did, in order. */
let steps: unknown[];
let isRecorded: boolean;
beforeEach(() => {
  steps = [];
  isRecorded = true;
});

interface Setup {
  readonly agent?: boolean;
  readonly offered?: boolean;
  readonly answeredAt?: Date | null;
  readonly agentSipCallId?: string | null;
}

const call = ({
  agent = false,
  offered = false,
  answeredAt = null,
  agentSipCallId = null,
}: Setup = {}): Call =>
  ({
    dialogs: { agent: agent ? {} : undefined },
    legs: { offered: { agent: offered ? {} : undefined } },
    state: { answeredAt, agentSipCallId, source: { address: '192.0.2.1' } },
    deps: {
      mediaFailures: { take: () => isRecorded },
      metrics: { callRefused: (reason: string, status: number) => steps.push([reason, status]) },
      settings: { drain: { retryAfterSeconds: 7 } },
    },
    log: { error: () => {} },
    noteRefusal: (options: unknown) => steps.push(options),
    end: (how: unknown, answer: unknown) => steps.push(how, answer),
  }) as unknown as Call;

describe('media that one side refuses', () => {
  const refusal = new MediaRefused('305 demarc "No answer"', 'The agent answered 200 without SDP.');

  it('is the fault of the offer before an answer', () => {
    fail(call(), refusal);
    expect(steps).toEqual([
      { reason: 'refused_media', by: 'edge', detail: refusal.detail },
      {
        answer: { status: 488, headers: { Warning: refusal.warning } },
        reason: 'SIP;cause=488;text="Not acceptable here"',
      },
    ]);
  });

  it.each<[string, Setup]>([
    ['the agent has a dialog', { agent: true }],
    ['the agent has answered with an offer', { offered: true }],
    ['the call is answered', { answeredAt: new Date(0) }],
  ])('is a failure of media when %s', (_when, setup) => {
    fail(call(setup), refusal);
    expect(steps[0]).toMatchObject({ reason: 'media_failed' });
  });
});

describe('a call without rtpengine', () => {
  const error = new MediaUnavailable('No rtpengine answers.');
  const unrecorded = [{ isUnrecorded: true }, ['media_failed', 503]];

  it('gets 503 with Retry-After', () => {
    fail(call(), error);
    expect(steps).toEqual([
      { reason: 'media_failed', by: 'edge', detail: 'No rtpengine answers.' },
      {
        answer: { status: 503, headers: { 'Retry-After': '7' } },
        reason: 'SIP;cause=503;text="Media not available"',
      },
    ]);
  });

  it('leaves no record when its source has had many', () => {
    isRecorded = false;
    fail(call(), error);
    expect(steps.slice(0, 2)).toEqual(unrecorded);
    expect(steps).toHaveLength(4);
  });

  it('leaves a record in any case once an agent was invited', () => {
    isRecorded = false;
    fail(call({ agentSipCallId: 'sip-2' }), error);
    expect(steps).toHaveLength(2);
  });
});

it.each([
  [new TypeError('broken'), 'broken'],
  ['text', 'text'],
])('ends the call alone with 500 for any other error (%s)', (error, detail) => {
  const begun = endingOnThrow(call(), (step: string) => {
    steps.push(step);
    throw error;
  });
  begun('begun');
  expect(steps).toEqual([
    'begun',
    { reason: 'internal_error', by: 'edge', detail },
    { answer: { status: 500 }, reason: 'SIP;cause=500;text="Internal error"' },
  ]);
});
