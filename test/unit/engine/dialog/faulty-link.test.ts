import { expect, test } from 'vitest';
import { seededRandom } from '../../../../src/base/seeded-random.js';
import { standardTimers } from '../../../../src/engine/clock.js';
import { FaultyLink } from '../../../../src/testkit/faulty-link.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { expectNothingLeft, Fixture, ourAddress, peerAddress, sdp } from './fixture.js';

/**
 * An application as drachtio-srf would be: it acknowledges every final of its INVITEs, answers what comes in, and counts the
 * finals of what it sent.
 */
class Behaviour {
  readonly finals = new Map<string, number[]>();
  readonly dialogs = new Set<string>();

  constructor(
    readonly fixture: Fixture,
    private readonly random: () => number,
    private readonly answer: 'answers' | 'refuses' | 'rings',
  ) {
    const { application } = fixture;
    application.onResponse = ({ response, transactionId, dialogId }) => {
      const isInvite = response.headers.get('CSeq')?.endsWith('INVITE') === true;
      if (response.headers.has('RSeq') && response.status < 200)
        this.send(dialogId, 'PRACK', `RAck: ${response.headers.get('RSeq')} ${response.headers.get('CSeq')}`);
      if (response.status < 200) return;
      const finals = this.finals.get(transactionId);
      if (finals === undefined) throw new Error(`Final ${response.status} for nothing.`);
      finals.push(response.status);
      if (!isInvite) return;
      fixture.within(dialogId, 'ACK');
      if (response.status < 300) this.dialogs.add(dialogId);
    };
    application.onRequest = (delivered) => {
      const { message } = delivered.received;
      if (message.method === 'ACK' || message.method === 'CANCEL') return;
      if (message.method !== 'INVITE' || delivered.dialogId !== '') {
        this.later(50, () => fixture.respond(delivered, '200 OK', message.method === 'INVITE' ? sdp : ''));
        return;
      }
      const ringing = this.random() < 0.5 ? '183 Progress\r\nRequire: 100rel' : '180 Ringing';
      fixture.respond(delivered, ringing, ringing.startsWith('183') ? sdp : '');
      if (this.answer === 'rings') return;
      this.later(2_000, () => {
        const reply = fixture.respond(delivered, this.answer === 'answers' ? '200 OK' : '486 Busy Here', sdp);
        if (this.answer === 'answers' && reply.sent !== undefined) this.dialogs.add(reply.sent.dialogId);
      });
    };
  }

  later(most: number, run: () => void): void {
    this.fixture.clock.after(this.random() * most, run);
  }

  send(dialogId: string, method: string, headers = ''): void {
    const reply = this.fixture.within(dialogId, method, headers, method === 'INVITE' ? sdp : '');
    if (reply.sent !== undefined) this.finals.set(reply.transactionId, []);
  }

  /** Any action, in any order, on any existing dialog. */
  act(): void {
    for (const dialogId of this.dialogs) {
      this.send(dialogId, ['INFO', 'INVITE', 'UPDATE', 'OPTIONS'][Math.floor(this.random() * 4)]!);
    }
  }

  hangUp(): void {
    for (const dialogId of this.dialogs) this.send(dialogId, 'BYE');
  }
}

const seeds = Array.from({ length: 60 }, (_, seed) => seed + 1);

test.each(seeds)(
  'calls over a bad network, seed %i: one final for each request, nothing left',
  async (seed) => {
    const random = seededRandom(seed);
    const clock = new ManualClock();
    const left = new Fixture(['invite'], standardTimers, clock, ourAddress);
    const right = new Fixture(['invite'], standardTimers, clock, peerAddress);
    const faults = { loss: random() * 0.35, duplication: random() * 0.3, delay: [1, 400] as const };
    new FaultyLink(clock, random, faults, left, right);
    const answer = (['answers', 'answers', 'refuses', 'rings'] as const)[Math.floor(random() * 4)]!;
    const caller = new Behaviour(left, random, 'answers');
    const callee = new Behaviour(right, random, answer);
    const transport = random() < 0.3 ? ';transport=tcp' : '';
    const head = `INVITE sip:bob@${peerAddress}${transport} SIP/2.0\r\nSupported: 100rel`;
    const invite = left.request(head, sdp);
    caller.finals.set(invite.transactionId, []);
    if (answer === 'rings' || random() < 0.3)
      caller.later(6_000, () => {
        left.cancel(invite.transactionId);
      });
    for (let step = 0; step < 6; step++) {
      for (const side of [caller, callee]) if (random() < 0.6) side.later(20_000, () => side.act());
    }
    clock.after(25_000, () => caller.hangUp());
    clock.after(25_000 + random() * 100, () => random() < 0.5 && callee.hangUp());
    await clock.advance(120_000);
    for (const side of [caller, callee]) {
      for (const finals of side.finals.values()) expect(finals).toHaveLength(1);
    }
    await expectNothingLeft(left);
    await expectNothingLeft(right);
  },
);
