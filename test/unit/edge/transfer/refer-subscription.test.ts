import { describe, expect, it } from 'vitest';
import { ReferSubscription } from '../../../../src/edge/transfer/refer-subscription.js';

function subscription(options: { id?: string; answer?: number } = {}) {
  const sent: { state: string; body: string; event: string }[] = [];
  const answers: ((status: number) => void)[] = [];
  let time = 0;
  const made = new ReferSubscription({
    send: ({ headers, body }) => {
      sent.push({ state: headers['Subscription-State']!, body: body.trim(), event: headers.Event! });
      return new Promise((resolve) => answers.push(resolve));
    },
    ...(options.id === undefined ? {} : { id: options.id }),
    expiresSeconds: 180,
    now: () => time,
  });
  const answer = async (status = 200): Promise<void> => {
    answers.shift()!(status);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { made, sent, answer, pass: (seconds: number) => (time += seconds * 1_000) };
}

describe('the subscription of a REFER', () => {
  it('begins with 100, sends one NOTIFY at a time, and ends with the final state', async () => {
    const { made, sent, answer, pass } = subscription();
    made.begin();
    pass(10);
    made.tell({ status: 180, reason: 'Ringing' });
    made.tell({ status: 183, reason: '' });
    expect(sent).toEqual([{ state: 'active;expires=180', body: 'SIP/2.0 100 Trying', event: 'refer' }]);
    await answer();
    expect(sent[1]).toMatchObject({ state: 'active;expires=170', body: 'SIP/2.0 183 Session Progress' });
    made.tell({ status: 200, reason: 'OK' });
    await answer();
    expect(sent[2]).toMatchObject({ state: 'terminated;reason=noresource', body: 'SIP/2.0 200 OK' });
    expect(made.isActive).toBe(false);
    made.tell({ status: 486, reason: '' });
    await answer();
    await made.quiet();
    expect(sent).toHaveLength(3);
  });

  it('carries the id of a later REFER and knows it again', () => {
    const { made, sent } = subscription({ id: '7' });
    made.begin();
    expect(sent[0]!.event).toBe('refer;id=7');
    expect(made.matches('refer;id=7')).toBe(true);
    expect(made.matches('refer;id=8')).toBe(false);
    expect(made.matches('presence')).toBe(false);
  });

  it('is refreshed, fetched and ended by SUBSCRIBE', async () => {
    const { made, sent, answer, pass } = subscription();
    made.begin();
    await answer();
    pass(100);
    expect(made.refresh(3_600)).toBe(180);
    expect(sent[1]).toMatchObject({ state: 'active;expires=180' });
    await answer();
    expect(made.refresh(0)).toBe(0);
    expect(sent[2]!.state).toMatch(/^terminated;reason=timeout/);
    await answer();
    made.tell({ status: 200, reason: 'OK' });
    expect(sent).toHaveLength(3);
  });

  it.each([481, 408])('stops when a NOTIFY is answered %d', async (status) => {
    const { made, sent, answer } = subscription();
    made.begin();
    made.tell({ status: 200, reason: 'OK' });
    await answer(status);
    expect(sent).toHaveLength(1);
    await made.quiet();
  });
});
