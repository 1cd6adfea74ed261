import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/seeded-random.js';
import type { Timer } from '../../../../src/engine/clock.js';
import type {
  ClientTransactionUser,
  SentAck,
  ServerTransaction,
} from '../../../../src/engine/transaction/transaction.js';
import type { Protocol } from '../../../../src/engine/transport/flow.js';
import { respondTo } from '../../../../src/sip/response.js';
import { FaultyLink } from '../../../../src/testkit/faulty-link.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { Fixture, ourRequest, peerAddress, RecordingCaller, respond, target } from './fixture.js';

const nothingLeft = { client: 0, server: 0, lingeringClient: 0, lingeringServer: 0, boundToFlows: 0 };

/** What the callee does with a call, chosen by its Call-ID. */
type Plan = 'answers' | 'refuses' | 'rings';

/** A callee that owns the 2xx timers, as dialogs do (RFC 3261 §13.3.1.4). */
class Callee {
  readonly invites = new Map<string, ServerTransaction>();
  readonly answered = new Set<string>();
  readonly acknowledged = new Set<string>();
  readonly requests: string[] = [];
  private readonly repeats = new Map<string, Timer>();

  constructor(private readonly f: Fixture) {
    f.user.onRequest = (transaction) => this.request(transaction);
    f.user.onCancel = (invite) => respond(invite, 487);
  }

  acks(): void {
    for (const { message } of this.f.user.acks.splice(0)) {
      const callId = message.headers.get('Call-ID')!;
      this.acknowledged.add(callId);
      this.repeats.get(callId)?.cancel();
    }
  }

  private request(transaction: ServerTransaction): void {
    const callId = transaction.received.message.headers.get('Call-ID')!;
    if (!transaction.isInvite) {
      this.requests.push(callId);
      this.f.clock.after(200, () => respond(transaction, 200));
      return;
    }
    if (this.invites.has(callId)) throw new Error(`INVITE ${callId} came up twice.`);
    this.invites.set(callId, transaction);
    const plan = callId.split('-')[0] as Plan;
    this.f.clock.after(100, () => !transaction.isFinal && respond(transaction, 180));
    if (plan === 'rings') return;
    this.f.clock.after(2_000, () => {
      if (transaction.isFinal) return;
      respond(transaction, plan === 'answers' ? 200 : 486);
      if (plan === 'answers') {
        this.answered.add(callId);
        this.repeat(callId, transaction, 500);
      }
    });
  }

  private repeat(callId: string, transaction: ServerTransaction, interval: number): void {
    const timer = this.f.clock.after(interval, () => {
      if (this.acknowledged.has(callId) || transaction.isTerminated) return;
      transaction.retransmit2xx();
      this.repeat(callId, transaction, Math.min(interval * 2, 4_000));
    });
    this.repeats.set(callId, timer);
  }
}

class Caller extends RecordingCaller implements ClientTransactionUser {
  private ack: SentAck | undefined;

  constructor(
    private readonly f: Fixture,
    private readonly protocol: Protocol,
    readonly callId: string,
  ) {
    super();
  }

  override final(...[response]: Parameters<RecordingCaller['final']>): void {
    super.final(response);
    if (response.response.status !== 200) return;
    const ack = ourRequest('ACK', [], ';tag=x');
    ack.headers.set('Call-ID', this.callId);
    this.ack = this.f.layer.sendAck(ack, { targets: [target(this.protocol)] });
  }

  override further2xx(...[response]: Parameters<RecordingCaller['further2xx']>): void {
    super.further2xx(response);
    this.ack!.resend();
  }
}

async function run(seed: number, protocol: Protocol, loss: number) {
  const clock = new ManualClock();
  const near = new Fixture({}, clock);
  const far = new Fixture({}, clock, peerAddress);
  const faults = { loss, duplication: 0.1, delay: [5, 700] as const };
  const link = new FaultyLink(clock, seededRandom(seed), faults, near, far);
  const callee = new Callee(far);
  const callers: Caller[] = [];
  const optionsCallers: RecordingCaller[] = [];
  const plans: Plan[] = ['answers', 'refuses', 'rings'];
  for (let i = 0; i < 30; i++) {
    const caller = new Caller(near, protocol, `${plans[i % 3]}-${i}`);
    callers.push(caller);
    const invite = ourRequest();
    invite.headers.set('Call-ID', caller.callId);
    const transaction = near.layer.send(invite, { targets: [target(protocol)] }, caller);
    // Cancelled before, while and after the callee answers; those that only ring always.
    if (i % 3 === 2 || i % 5 === 0) clock.after((i % 7) * 500, () => transaction.cancel([]));
    const next = ourRequest('OPTIONS');
    next.headers.set('Call-ID', `options-${i}`);
    optionsCallers.push(new RecordingCaller());
    near.layer.send(next, { targets: [target(protocol)] }, optionsCallers.at(-1)!);
    await clock.advance(150);
    callee.acks();
  }
  for (let second = 0; second < 240; second++) {
    await clock.advance(1_000);
    callee.acks();
  }
  return { clock, near, far, link, callee, callers, optionsCallers };
}

describe('two layers over a faulty link', () => {
  it.each(Array.from({ length: 15 }, (_, index) => index + 1))(
    'over UDP that loses a quarter, seed %i',
    async (seed) => {
      const { clock, near, far, link, callee, callers, optionsCallers } = await run(seed, 'udp', 0.25);
      expect(link.lost).toBeGreaterThan(50);
      expect(new Set(callee.requests).size).toBe(callee.requests.length);
      for (const caller of callers) {
        expect(caller.finals).toHaveLength(1);
        const [final] = caller.finals;
        const sent = callee.invites.get(caller.callId)?.lastResponse?.status;
        // Whatever the link did, both ends agree on how the call ended, unless the final never came through.
        if (final!.fabricated === undefined) expect(final!.response.status).toBe(sent);
        if (caller.status === 200) expect(callee.acknowledged).toContain(caller.callId);
      }
      for (const transaction of optionsCallers) expect(transaction.finals).toHaveLength(1);
      const finals = [...callers, ...optionsCallers].map(({ finals: [final] }) => final!);
      expect(finals.filter(({ fabricated }) => fabricated !== undefined).length).toBeLessThan(6);
      expect(near.layer.counts).toEqual(nothingLeft);
      expect(far.layer.counts).toEqual(nothingLeft);
      expect(clock.pendingTimers).toBe(0);
    },
  );

  it.each([1, 2, 3])('over TCP without one retransmission or fabricated final, seed %i', async (seed) => {
    const { clock, near, far, callee, callers, optionsCallers } = await run(seed, 'tcp', 0);
    for (const { finals } of [...callers, ...optionsCallers]) {
      expect(finals).toHaveLength(1);
      expect(finals[0]!.fabricated).toBeUndefined();
    }
    for (const caller of callers) {
      expect(caller.status).toBe(callee.invites.get(caller.callId)!.lastResponse!.status);
    }
    expect(new Set(callers.map(({ status }) => status))).toEqual(new Set([200, 486, 487]));
    expect(near.layer.statistics.retransmissionsReceived).toBe(0);
    expect(near.layer.counts).toEqual(nothingLeft);
    expect(far.layer.counts).toEqual(nothingLeft);
    expect(clock.pendingTimers).toBe(0);
  });
});

it('a response made from a request matches at the sending layer over any faulty link', async () => {
  const clock = new ManualClock();
  const near = new Fixture({}, clock);
  const { caller } = near.send(ourRequest('MESSAGE'), { targets: [target()] });
  const [sent] = near.transport.take();
  if (sent!.message.kind !== 'request') throw new Error('Not a request.');
  const response = respondTo(sent!.message, 202, { toTag: 'x' });
  // RFC 3581: the server wrote into our Via.
  response.headers.setFirst(
    'Via',
    `${response.headers.get('Via')!.replace(';rport', ';rport=5060;received=203.0.113.9')}`,
  );
  near.layer.receive({ message: response, flow: sent!.flow, size: 0, at: 0 });
  expect(caller.status).toBe(202);
});
