import { describe, expect, it } from 'vitest';
import { type CallResult, defectOf, describeCall } from '../../../../dev/call/call-report.js';

const result = (fields: Partial<CallResult> = {}): CallResult => ({
  answers: undefined,
  uri: 'sip:12025550100@127.0.0.1',
  messages: [],
  ownAddresses: new Set(),
  codec: 'PCMU/8000',
  srtpSuite: 'AES_CM_128_HMAC_SHA1_80',
  packets: { sent: 301, received: 300 },
  agentTone: { seconds: 2, from: 0, gap: 0 },
  echo: { seconds: 3.9, from: 2, gap: 0 },
  failure: undefined,
  ...fields,
});

describe('a call of the softphone', () => {
  it.each([
    [301, 300],
    // Five packets at the ends of a short call.
    [51, 46],
    [301, 286],
    // The agent was ready first.
    [301, 305],
  ])('with %i packets sent and %i received is good', (sent, received) => {
    expect(defectOf(result({ packets: { sent, received } }))).toBeUndefined();
  });

  it.each([
    [2_000, 516, '74 %'],
    [301, 285, '5 %'],
    [51, 45, '12 %'],
    [300, 0, '100 %'],
  ])('with %i packets sent and %i received is not, though both tones were heard', (sent, received, share) => {
    const broken = result({ packets: { sent, received } });
    expect(defectOf(broken)).toContain(`${share} of the audio packets were lost`);
    expect(describeCall(broken, { agent: 440, own: 1_000 })).toContain('TOO FEW');
  });

  it('without echo, or failed, is reported so first', () => {
    expect(defectOf(result({ echo: { seconds: 0.1, from: 2, gap: 0 } }))).toContain('did not go both ways');
    expect(defectOf(result({ failure: '486 Busy Here' }))).toBe('486 Busy Here');
  });

  it('counts the packets of digits, which the agent does not send back while it answers, not as lost', () => {
    const packets = { sent: 537, received: 471 };
    expect(defectOf(result({ packets }))).toContain('12 %');
    const heard = { seconds: 1, from: 3, gap: 0 };
    expect(
      defectOf(result({ packets, answers: { digits: 3, found: heard, nothing: heard } })),
    ).toBeUndefined();
    expect(defectOf(result({ packets, answers: { digits: 1, found: heard, nothing: heard } }))).toContain(
      '12 %',
    );
  });
});
