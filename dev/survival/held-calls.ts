import { setTimeout as sleep } from 'node:timers/promises';
import { formatHostPort } from '../../src/sip/uri.js';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { PeerCall } from '../../test/support/peer-call.js';
import { TonePhone } from '../tone/tone-phone.js';
import type { CallSystem } from './call-system.js';

/** What came of the calls of one row. */
export interface Outcome {
  readonly calls: number;
  /** Still up, with audio both ways, after the event. */
  readonly up: number;
  /** Longest time without the tone in any call that was not on hold, in milliseconds. */
  readonly gap: number;
  /** From the event to the 200 of a call that was begun after it, in milliseconds. */
  readonly newCall: number;
  /** Until the peer of each call knew its new address, where there is one, in milliseconds. */
  readonly signaling?: number;
  /** Complete records, at most one of each call. */
  readonly records: number;
  readonly problems: readonly string[];
}

export interface Mix {
  readonly inbound: number;
  /** Held by the caller. */
  readonly held: number;
  /** Ordered calls. */
  readonly outbound: number;
  /** Being transferred by the caller: the target rings. */
  readonly transferred: number;
}

interface Transfer {
  readonly phone: TonePhone;
  readonly decline: () => Promise<void>;
}

/** Frequencies that a demo agent does not play; 20 ms of each are whole periods. */
const hertzOf = (index: number): number => 600 + 50 * index;
const packetsToHear = 10;
const newCallMilliseconds = 60_000;
const settleMilliseconds = 3_500;
/** For the outcome of a transfer, once its target has declined. */
const outcomeMilliseconds = 10_000;
/** Longer than a lease, and the pauses before a refused re-INVITE is repeated. */
const moveMilliseconds = 30_000;
/** Longer than any row. */
const patience = 600_000;
/** An extension at the number's own trunk, which the caller may transfer to. */
const transferTarget = '1001';

/** Calls of light phones with a tone that the demo agent echoes, so that one of them hears both directions of its audio. */
export class HeldCalls {
  private readonly all: TonePhone[] = [];
  private readonly heldOnes = new Set<TonePhone>();
  private readonly transfers: Transfer[] = [];
  private readonly problems: string[] = [];
  /** Ids of the ordered calls. */
  private readonly ordered = new Map<TonePhone, string>();
  /** The call that was begun after the event: it hears a greeting first. */
  private late: TonePhone | undefined;

  private constructor(
    private readonly system: CallSystem,
    private readonly number: string,
    private readonly peer: SipPeer,
  ) {}

  static async establish(system: CallSystem, mix: Mix): Promise<HeldCalls> {
    const peer = await system.caller();
    const calls = new HeldCalls(system, await system.number(peer), peer);
    for (let index = 0; index < mix.inbound + mix.held + mix.transferred; index++)
      calls.all.push(await TonePhone.dial(peer, calls.number, { hertz: hertzOf(index) }));
    for (let index = 0; index < mix.outbound; index++) await calls.order();
    const first = mix.inbound + mix.held;
    const many = calls.all.length;
    calls.all.push(...((await system.furtherCalls?.((index) => hertzOf(many + index))) ?? []));
    await Promise.all(calls.all.map((phone) => calls.heard(phone)));
    for (const phone of calls.all.slice(mix.inbound, mix.inbound + mix.held)) {
      calls.heldOnes.add(phone);
      calls.expect(await phone.turn('sendonly'), 200, 'hold');
    }
    for (const phone of calls.all.slice(first, first + mix.transferred)) await calls.beginTransfer(phone);
    return calls;
  }

  /**
   * Measures the calls from the event on until they are hung up.
   * @param event what happens; resolves when all that is to be started again is ready
   * @param after before they are hung up
   */
  async survive(event: () => Promise<void>, after = async () => {}): Promise<Outcome> {
    const began = performance.now();
    const happened = event();
    // Requests of peers that arrive while a process is down.
    const isElsewhere = this.system.laterCaller !== undefined;
    const asked = isElsewhere ? undefined : this.ask();
    const newCall = await this.newCall(began);
    await happened;
    await asked;
    const signaling = isElsewhere ? await this.moved(began) : undefined;
    if (isElsewhere) await this.ask();
    for (const transfer of this.transfers) await this.endTransfer(transfer);
    const left = began + settleMilliseconds - performance.now();
    if (left > 0) await sleep(left);
    for (const phone of this.heldOnes)
      this.expect(await phone.turn('sendrecv').catch(() => 408), 200, 'resume');
    if (!isElsewhere && this.all.some(({ moved }) => moved !== undefined))
      this.problems.push('a call has got another address');
    const isUp = await Promise.all(this.all.map((phone) => this.isHeard(phone)));
    const ended = performance.now();
    const gaps = this.all
      .filter((phone) => phone !== this.late && !this.heldOnes.has(phone))
      .filter((phone) => !this.transfers.some((transfer) => transfer.phone === phone))
      .map((phone) => phone.stream.longestGap(began, ended));
    await after();
    const records = await this.hangUp();
    return {
      calls: this.all.length,
      up: isUp.filter(Boolean).length,
      gap: Math.round(Math.max(...gaps)),
      newCall: Math.round(newCall),
      ...(signaling === undefined ? {} : { signaling: Math.round(signaling) }),
      records,
      problems: this.problems,
    };
  }

  private async ask(): Promise<void> {
    const [first, second] = this.all;
    await Promise.all([
      first?.refresh().then((status) => this.expect(status, 200, 'UPDATE')),
      second?.press('5').then((status) => this.expect(status, 200, 'INFO')),
    ]).catch((error: Error) => this.problems.push(error.message));
  }

  /** Milliseconds until the last of the callers knew where its call is. */
  private async moved(began: number): Promise<number> {
    const held = this.all.filter((phone) => phone !== this.late);
    await until(
      () => held.every(({ moved, isUp }) => moved !== undefined || !isUp),
      moveMilliseconds,
      're-INVITE with another Contact in each call',
    ).catch((error: Error) => this.problems.push(error.message));
    return Math.max(...held.map(({ movedAt = Number.POSITIVE_INFINITY }) => movedAt)) - began;
  }

  private async order(): Promise<void> {
    const taken = TonePhone.answer(this.peer, { hertz: hertzOf(this.all.length) });
    const id = await this.system.order(this.number);
    const phone = await taken;
    this.all.push(phone);
    this.ordered.set(phone, id);
  }

  /** The caller sends REFER (RFC 3515); the target rings, and does not answer. */
  private async beginTransfer(phone: TonePhone): Promise<void> {
    this.expect(await phone.refer(`sip:${transferTarget}@${formatHostPort(this.peer.host)}`), 202, 'REFER');
    const invite = await this.peer.expectRequest('INVITE', { milliseconds: 10_000 });
    const target = PeerCall.from(this.peer, invite.message);
    await target.respond(invite, 180);
    // Where the transfer is given up.
    void this.peer
      .expectRequest('CANCEL', { callId: target.callId, milliseconds: patience })
      .then(async (cancel) => {
        await target.respond(cancel, 200);
        await target.respond(invite, 487);
      })
      .catch(() => {});
    this.transfers.push({
      phone,
      decline: async () => {
        await target.respond(invite, 486).catch(() => {});
      },
    });
  }

  /** A transfer that the event has not ended is declined; the transferor must learn the outcome in any case. */
  private async endTransfer({ phone, decline }: Transfer): Promise<void> {
    if (phone.transferOutcome === undefined) await decline();
    await until(
      () => phone.transferOutcome !== undefined,
      outcomeMilliseconds,
      'NOTIFY with the outcome of the transfer',
    ).catch((error: Error) => this.problems.push(error.message));
    const status = phone.transferOutcome ?? 0;
    if (status < 300) this.problems.push(`the outcome of the transfer: ${status}`);
  }

  private async newCall(began: number): Promise<number> {
    const hertz = hertzOf(this.all.length);
    const end = began + newCallMilliseconds;
    const { laterCaller, newCaller } = this.system;
    const peer = (await (laterCaller ?? newCaller)?.()) ?? this.peer;
    for (;;) {
      const asked = performance.now();
      try {
        const phone = await TonePhone.dial(peer, this.number, { hertz });
        const answered = performance.now();
        this.all.push(phone);
        await this.heard(phone);
        this.late = phone;
        return answered - began;
      } catch (error) {
        if (performance.now() > end) throw error;
        await sleep(Math.max(0, 50 - (performance.now() - asked)));
      }
    }
  }

  private async heard({ stream }: TonePhone): Promise<void> {
    const before = stream.heardAt.length;
    await until(() => stream.heardAt.length >= before + packetsToHear, 15_000, `${stream.hertz} Hz`);
  }

  private async isHeard(phone: TonePhone): Promise<boolean> {
    if (!phone.isUp) return false;
    return this.heard(phone).then(
      () => true,
      () => false,
    );
  }

  private async hangUp(): Promise<number> {
    const callIds = this.all.map(({ call }) => call.callId);
    await Promise.all(this.all.filter(({ isUp }) => isUp).map((phone) => this.end(phone)));
    for (const phone of this.all) phone.close();
    const { complete, problems } = await this.system.records(callIds);
    this.problems.push(...problems);
    await this.system.ended().catch((error: Error) => this.problems.push(error.message));
    return complete;
  }

  private async end(phone: TonePhone): Promise<void> {
    const id = this.ordered.get(phone);
    if (id === undefined || this.system.end === undefined) {
      this.expect(await phone.hangUp().catch(() => 408), 200, 'BYE');
      return;
    }
    await this.system.end(id);
    await until(() => !phone.isUp, 10_000, 'BYE of the call that the API ended').catch((error: Error) =>
      this.problems.push(error.message),
    );
  }

  private expect(status: number, expected: number, what: string): void {
    if (status !== expected) this.problems.push(`${what}: ${status}`);
  }
}
