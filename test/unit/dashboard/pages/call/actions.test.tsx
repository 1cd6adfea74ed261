import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cancelWarmTransfer,
  completeWarmTransfer,
  hangUp,
  hold,
  type PlacedConversation,
  placeCall,
  resume,
  sendDigits,
  startWarmTransfer,
  transfer,
} from '../../../../../src/dashboard/api/call-actions.js';
import type { UnfinishedCall } from '../../../../../src/dashboard/api/calls.js';
import { justEnded } from '../../../../../src/dashboard/api/live.js';
import type { CallEvent } from '../../../../../src/dashboard/api/noc.js';
import { written } from '../../../../../src/dashboard/api/request.js';
import { session } from '../../../../../src/dashboard/api/session.js';
import { CallActions } from '../../../../../src/dashboard/pages/call/actions.js';
import { Placed } from '../../../../../src/dashboard/pages/trunks/place-call-panel.js';
import { rendered } from '../../rendered.js';
import { signInAs } from '../../visitor.js';

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
  justEnded.value = [];
});

const actions = (state: string, consultation: UnfinishedCall['consultation'] = null) =>
  rendered(<CallActions call={{ call_id: 'c1', state, consultation } as unknown as UnfinishedCall} />);

describe('the actions on a call', () => {
  it('are those that its state allows', () => {
    expect(actions('answered').all('button')).toEqual([
      'Hang up',
      'Hold',
      'Resume',
      'Listen',
      'Send digits',
      'Transfer',
    ]);
    expect(actions('ringing').all('button')).toEqual(['Cancel call']);
  });

  it.each([
    ['calling', 'Calling the target', ['Cancel transfer']],
    ['connecting', 'Connecting the agent', ['Cancel transfer']],
    ['consulting', 'Consultation', ['Complete transfer', 'Cancel transfer']],
    ['joining', 'Connecting the caller', []],
    ['returning', 'Returning to the agent', []],
  ] as const)('decide about a warm transfer that is %s', (stage, name, enabled) => {
    const shown = actions('answered', stage);
    expect(shown.text).toContain(name);
    expect(shown.all('button')).toEqual(['Hang up', 'Listen', 'Complete transfer', 'Cancel transfer']);
    const isEnabled = shown.elements('button').map(({ disabled }) => disabled !== true);
    expect(shown.all('button').filter((_, index) => index > 1 && isEnabled[index])).toEqual(enabled);
  });

  it('are disabled with the reason for a key that may only read', () => {
    signInAs({ scopes: ['calls:read'] });
    const shown = actions('answered');
    expect(shown.elements('button').every(({ disabled }) => disabled === true)).toBe(true);
    expect(shown.text).toContain('This key lacks the scope for it.');
  });

  it('are requests of the API', () => {
    const sent = [hangUp('c1'), hold('c1'), resume('c1'), sendDigits('c1', '1#')].map((request) =>
      written(request),
    );
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/calls/c1/stop',
      'POST /v1/calls/c1/hold',
      'POST /v1/calls/c1/resume',
      'POST /v1/calls/c1/dtmf',
    ]);
    expect(JSON.parse(written(transfer('c1', '+14155550199', undefined)).body!)).toEqual({
      target: '+14155550199',
    });
    expect(JSON.parse(written(transfer('c1', 'sip:x@y', 'refer')).body!)).toEqual({
      target: 'sip:x@y',
      mode: 'refer',
    });
    const warm = [
      startWarmTransfer('c1', '+14155550199'),
      completeWarmTransfer('c1'),
      cancelWarmTransfer('c1'),
    ];
    expect(warm.map((request) => written(request)).map(({ path, body }) => `${path} ${body ?? ''}`)).toEqual([
      '/v1/calls/c1/warm-transfer {"target":"+14155550199"}',
      '/v1/calls/c1/warm-transfer/complete ',
      '/v1/calls/c1/warm-transfer/cancel ',
    ]);
    const placed = (conversation?: PlacedConversation) =>
      JSON.parse(written(placeCall('+1', '+2', 'Say hello.', conversation)).body!);
    const order = { from: '+1', phone_number: '+2', task: 'Say hello.' };
    expect(placed()).toEqual(order);
    const conversation = { pathway_id: 'p', pathway_version: 3, voice: 'alto' };
    expect(placed({ ...conversation, agent: undefined })).toEqual({ ...order, ...conversation });
  });
});

describe('a placed call', () => {
  it('is queued until an edge dials it, and says how it ended', () => {
    expect(rendered(<Placed callId="c1" />).text).toMatch(/^Queued/);
    justEnded.value = [
      {
        call: { call_id: 'c1' },
        end: {
          outcome: 'failed',
          end_reason: 'trunk_refused',
          sip_status: 503,
          cause: 'Overloaded.',
          advice: 'Wait.',
        },
      } as unknown as CallEvent,
    ];
    expect(rendered(<Placed callId="c1" />).text).toBe(
      '503 Refused by the trunk SIP messages Overloaded. Wait.',
    );
  });
});
