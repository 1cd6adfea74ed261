import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandStream } from '../../src/contract/keys.js';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import type { Stack } from '../../test/e2e/stack.js';
import { TonePhone } from '../tone/tone-phone.js';

/** What came of the calls of one row. */
export interface Outcome {
  readonly calls: number;
  /** Still up, with audio both ways, after the event. */
  readonly up: number;
  /** Longest time without the tone in any call that was not on hold, in milliseconds. */
  readonly gap: number;
  /** From the event to the 200 of a call that was begun after it, in milliseconds. */
  readonly newCall: number;
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
}

/** Frequencies that a demo agent does not play; 20 ms of each are whole periods. */
const hertzOf = (index: number): number => 600 + 50 * index;
const packetsToHear = 10;
const newCallMilliseconds = 60_000;
const settleMilliseconds = 3_500;

/** Calls of light phones with a tone that the demo agent echoes, so that one of them hears both directions of its audio. */
export class HeldCalls {
  private readonly all: TonePhone[] = [];
  private readonly heldOnes = new Set<TonePhone>();
  private readonly problems: string[] = [];
  /** The call that was begun after the event: it hears a greeting first. */
  private late: TonePhone | undefined;

  private constructor(
    private readonly stack: Stack,
    private readonly number: string,
    private readonly peer: SipPeer,
  ) {}

  static async establish(stack: Stack, mix: Mix): Promise<HeldCalls> {
    const peer = await stack.rawCaller();
    const trunk = { id: 'trunk', host: '127.0.0.1', port: peer.port, transport: 'tls' };
    const number = await stack.number({ outbound: [trunk] });
    const calls = new HeldCalls(stack, number, peer);
    for (let index = 0; index < mix.inbound + mix.held; index++)
      calls.all.push(await TonePhone.dial(peer, number, { hertz: hertzOf(index) }));
    for (let index = 0; index < mix.outbound; index++) await calls.order();
    await Promise.all(calls.all.map((phone) => calls.heard(phone)));
    for (const phone of calls.all.slice(mix.inbound, mix.inbound + mix.held)) {
      calls.heldOnes.add(phone);
      calls.expect(await phone.turn('sendonly'), 200, 'hold');
    }
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
    const [first, second] = this.all;
    const asked = Promise.all([
      first?.refresh().then((status) => this.expect(status, 200, 'UPDATE')),
      second?.press('5').then((status) => this.expect(status, 200, 'INFO')),
    ]).catch((error: Error) => this.problems.push(error.message));
    const newCall = await this.newCall(began);
    await happened;
    await asked;
    const left = began + settleMilliseconds - performance.now();
    if (left > 0) await sleep(left);
    for (const phone of this.heldOnes)
      this.expect(await phone.turn('sendrecv').catch(() => 408), 200, 'resume');
    const isUp = await Promise.all(this.all.map((phone) => this.isHeard(phone)));
    const ended = performance.now();
    const gaps = this.all
      .filter((phone) => phone !== this.late && !this.heldOnes.has(phone))
      .map((phone) => phone.stream.longestGap(began, ended));
    await after();
    const records = await this.hangUp();
    return {
      calls: this.all.length,
      up: isUp.filter(Boolean).length,
      gap: Math.round(Math.max(...gaps)),
      newCall: Math.round(newCall),
      records,
      problems: this.problems,
    };
  }

  private async order(): Promise<void> {
    const command = {
      version: 1,
      call_id: randomUUID(),
      organization: 'acme',
      number: this.number,
      phone_number: '14155550100',
      max_duration_seconds: 600,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    const taken = TonePhone.answer(this.peer, { hertz: hertzOf(this.all.length) });
    await this.stack.redisClient.xadd(commandStream, '*', 'command', JSON.stringify(command));
    this.all.push(await taken);
  }

  private async newCall(began: number): Promise<number> {
    const hertz = hertzOf(this.all.length);
    const end = began + newCallMilliseconds;
    for (;;) {
      const asked = performance.now();
      try {
        const phone = await TonePhone.dial(this.peer, this.number, { hertz });
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
    await Promise.all(
      this.all
        .filter(({ isUp }) => isUp)
        .map(async (phone) => this.expect(await phone.hangUp().catch(() => 408), 200, 'BYE')),
    );
    for (const phone of this.all) phone.close();
    let records = 0;
    for (const callId of callIds) {
      const record = await this.stack
        .record(({ sip_call_ids }) => sip_call_ids.trunk === callId, 10_000)
        .catch(() => undefined);
      if (record?.answered_at != null && record.trace.length > 0) records++;
    }
    await this.stack
      .record(({ sip_call_ids }) => callIds.includes(sip_call_ids.trunk), 300)
      .then(
        () => this.problems.push('a call has two records'),
        () => {},
      );
    await this.stack.endTest().catch((error: Error) => this.problems.push(error.message));
    return records;
  }

  private expect(status: number, wanted: number, what: string): void {
    if (status !== wanted) this.problems.push(`${what}: ${status}`);
  }
}
