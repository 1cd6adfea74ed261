import { expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { traceparentOf } from '../../../../src/contract/trace-context.js';
import { agentIdentity } from '../../../../src/edge/call/invite-agent.js';

const callId = '5d7ff3c2-0d1a-4d2c-9c1f-2c2d8a1f8f10';

const headersOf = (traceSample: number | undefined): object => {
  const call = {
    state: { id: callId, organization: 'org', maximumSeconds: 60 },
    deps: {
      secrets: new SecretBox([generateSecretKey()]),
      settings: { call: { agentAnswerSeconds: 30, ringSeconds: 60, traceSample } },
    },
    log: { warn: () => {} },
  } as never;
  return agentIdentity(call, { organization: 'org', header: () => undefined }).token ?? {};
};

it('gives agents no trace context unless the operator wants it', () => {
  expect(Object.keys(headersOf(undefined))).toEqual(['X-Demarc-Token']);
});

it.each([
  [1, '01'],
  [0, '00'],
])('gives agents the trace context of the call at a share of %s', (share, flags) => {
  expect(headersOf(share)).toMatchObject({ traceparent: traceparentOf(callId, 'agent', share) });
  expect(traceparentOf(callId, 'agent', share).slice(-2)).toBe(flags);
});
