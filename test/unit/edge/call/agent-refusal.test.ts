import { describe, expect, it } from 'vitest';
import { refusalBy } from '../../../../src/edge/call/invite-agent.js';
import { isDecision, mapAgentFailure, mapInDialogFailure } from '../../../../src/edge/call/status-map.js';

const agentUri = 'sip:agent@192.0.2.9';

/** How a call ends when the agent's INVITE fails with that response; without an address the engine made it. */
function refusal(
  status: number,
  reason = '',
  headers: Readonly<Record<string, string>> = {},
  source = '192.0.2.9',
) {
  const res = { source_address: source, source_port: 5_060, status, get: (name: string) => headers[name] };
  const { ending, answer } = refusalBy({ status, reason, res }, agentUri);
  return { ...ending, ...answer, endReason: ending.reason, phrase: answer.reason };
}

describe('an agent that refuses', () => {
  it('ends the call with its status, phrase and own text', () => {
    const busy = { Reason: 'SIP;cause=486;text="On another call"' };
    expect(refusal(486, 'Busy Here', busy)).toMatchObject({
      endReason: 'agent_refused',
      by: 'agent',
      detail: 'The agent answered 486 Busy Here: On another call',
      status: 486,
      phrase: 'Busy Here',
      headers: { Reason: 'SIP;cause=486;text="On another call"' },
    });
  });

  it('keeps the text of a failure, which may name hosts, from the caller', () => {
    const failed = { Reason: 'SIP;cause=500;text="db-1.internal is down"' };
    const { detail, headers, status, phrase } = refusal(500, 'Server Error', failed);
    expect(detail).toContain('db-1.internal');
    expect([status, phrase]).toEqual([500, undefined]);
    expect(headers).toEqual({ Reason: 'SIP;cause=500;text="Server Error"' });
  });

  it('passes on causes of other protocols beside ours, none of SIP twice', () => {
    expect(refusal(486, 'Busy', { Reason: 'Q.850;cause=17' }).headers!.Reason).toBe(
      'SIP;cause=486;text="Busy", Q.850;cause=17',
    );
    expect(refusal(486, 'Busy', { Reason: 'Q.850;cause=17, SIP;cause=486' }).headers!.Reason).toBe(
      'SIP;cause=486;text="Busy"',
    );
  });

  it('says when to try again, where that is a number of seconds', () => {
    expect(refusal(480, '', { 'Retry-After': '60' }).headers).toMatchObject({ 'Retry-After': '60' });
    expect(refusal(480, '', { 'Retry-After': 'soon' }).headers).not.toHaveProperty('Retry-After');
    expect(refusal(480).headers).not.toHaveProperty('Retry-After');
  });

  it('names where a caller can object to a rejection by 608 alone', () => {
    const contact = { 'Call-Info': '<https://example.com>;purpose=jwscard' };
    expect(refusal(608, 'Rejected', contact).headers).toMatchObject(contact);
    expect(refusal(607, 'Unwanted', contact).headers).not.toHaveProperty('Call-Info');
    expect(refusal(608, 'Rejected', { 'Call-Info': 'a\r\nb' }).headers).not.toHaveProperty('Call-Info');
  });

  it('did not answer where it says 408', () => {
    expect(refusal(408, 'Request Timeout')).toMatchObject({ endReason: 'agent_no_answer', status: 504 });
  });
});

describe('an agent that is not reached', () => {
  it('is unreachable where the engine answered in its place', () => {
    expect(refusal(503, 'Service Unavailable', {}, '')).toMatchObject({
      endReason: 'agent_unreachable',
      by: 'edge',
      detail: `No answer from the agent at ${agentUri}: 503.`,
      status: 503,
      headers: { Reason: 'SIP;cause=503;text="Agent not available"' },
    });
    expect(refusalBy({ status: 408 }, agentUri)).toMatchObject({
      ending: { reason: 'agent_unreachable', by: 'edge' },
      answer: { status: 504 },
    });
  });

  it.each([
    ['the engine could not send the INVITE', new Error('no such transport'), 'no such transport'],
    ['nothing is known', undefined, 'not sent'],
  ])('is unreachable where %s', (_why, error, detail) => {
    const { ending, answer } = refusalBy(error, agentUri);
    expect(ending).toMatchObject({ reason: 'agent_unreachable', by: 'edge' });
    expect(ending.detail).toContain(detail);
    expect(answer.status).toBe(503);
  });
});

describe('the status for the caller', () => {
  it.each([
    [486, 486, true],
    [404, 404, true],
    [603, 603, true],
    [699, 600, true],
    [302, 502, false],
    [399, 502, false],
    [400, 500, false],
    [401, 500, false],
    [406, 488, false],
    [408, 504, false],
    [430, 480, false],
    [487, 480, false],
  ])('for %d of the agent is %d', (status, expected, keepsPhrase) => {
    expect(mapAgentFailure(status, false)).toMatchObject({ status: expected, keepsPhrase });
  });

  it('tells a decision of the agent from its failure', () => {
    expect([480, 486, 603].map(isDecision)).toEqual([true, true, true]);
    expect([404, 500, 503].map(isDecision)).toEqual([false, false, false]);
  });

  it.each([
    [488, 488],
    [491, 491],
    [415, 415],
    [405, 405],
    [501, 501],
    [408, 500],
    [481, 500],
    [420, 500],
  ])('of %d inside a dialog is %d in the other', (status, expected) => {
    expect(mapInDialogFailure(status)).toBe(expected);
  });
});
