import { setTimeout as sleep } from 'node:timers/promises';
import type { CallRecord } from '../../src/contract/call-record.js';
import { seededRandom } from '../../src/testkit/index.js';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import type { Stack } from '../../test/e2e/stack.js';
import { TonePhone } from '../tone/tone-phone.js';

const victims = ['edge', 'engine', 'edge and engine', 'rtpengine'] as const;
type Victim = (typeof victims)[number];

/** A document is written at most 50 ms after the confirmation; the rest is for the way of the ACK on a busy machine. */
const unwrittenMilliseconds = 250;
/** Only rtpengine knows the session of a call that began some milliseconds before a kill; it ends silent ones after 60 s. */
const leftMilliseconds = 75_000;
const callsPerKill = 3;
/** From the dialling of the calls to the kill: setup, early life, actions, hang-up. */
const killWithin = 1_500;

interface Life {
  readonly phone: TonePhone;
  readonly callId: string;
  readonly confirmedAt: number;
  hungUpAt: number;
  /** What it did, and what came of it. */
  readonly events: Moment[];
}

interface Outage {
  readonly from: number;
  to: number;
}

interface Moment {
  /** Unix milliseconds, as in the logs of the processes. */
  readonly at: number;
  readonly text: string;
}

const clockTime = (at: number): string => new Date(at).toISOString().slice(11, 23);
/** Of the messages of a lost call that its record shows. */
const lastMessages = 12;

/**
 * Kills processes at random moments of calls that do random things, and says what was broken then: a call that must survive and did
 * not, a call with no record or with two, and what is left when all have hung up and 64·T1 have passed.
 * @param seed the same victims, moments and actions for the same seed
 */
export async function randomKills(stack: Stack, seed: number, kills: number): Promise<KillsOutcome> {
  return new RandomKills(stack, seed).run(kills);
}

export interface KillsOutcome {
  readonly answered: number;
  /** Of them: calls that were up long enough before a kill to outlive it. */
  readonly tested: number;
  readonly problems: readonly string[];
  /** For each lost call, what happened to it, line by line. */
  readonly histories: readonly string[];
}

class RandomKills {
  private readonly random: () => number;
  private readonly problems: string[] = [];
  private readonly lives: Life[] = [];
  /** When each kill was, and when what it killed was ready again; monotonic milliseconds. */
  private readonly outages: Outage[] = [];
  private readonly kills: Moment[] = [];
  private readonly histories: string[] = [];
  private readonly lost = new Set<Life>();
  private hertz = 600;

  constructor(
    private readonly stack: Stack,
    seed: number,
  ) {
    this.random = seededRandom(seed);
  }

  async run(kills: number): Promise<KillsOutcome> {
    const { stack } = this;
    const peer = await stack.rawCaller();
    const number = await stack.number();
    for (let kill = 1; kill <= kills; kill++) {
      // All numbers of a kill are drawn before anything waits, so that they depend on the seed alone.
      const victim = victims[Math.floor(this.random() * victims.length)]!;
      const after = this.random() * killWithin;
      const scripts = Array.from({ length: callsPerKill }, () => this.script());
      const calls = scripts.map((script) => this.live(peer, number, script));
      await sleep(after);
      await this.kill(victim);
      await Promise.all(calls);
    }
    await Promise.all(this.lives.map((life) => this.end(life)));
    for (const { phone } of this.lives) phone.close();
    const noteLeft = (error: Error): void => void this.problems.push(error.message);
    await stack.expectNothingLeft(leftMilliseconds).catch(noteLeft);
    await stack.endTest().catch(noteLeft);
    await this.checkRecords();
    const tested = this.lives.filter(
      (life) =>
        this.mustLive(life) &&
        this.outages.some(({ from }) => from > life.confirmedAt && from < life.hungUpAt),
    );
    const { lives, problems, histories } = this;
    return { answered: lives.length, tested: tested.length, problems, histories };
  }

  private script() {
    const actions = ['hold', 'press', 'refresh', 'nothing'] as const;
    return {
      dialAfter: this.random() * 700,
      action: actions[Math.floor(this.random() * actions.length)]!,
      actAfter: this.random() * 800,
      /** The others are hung up at the end of all. */
      hangsUp: this.random() < 0.5,
      hangUpAfter: this.random() * 1_200,
    };
  }

  private async live(
    peer: SipPeer,
    number: string,
    script: ReturnType<RandomKills['script']>,
  ): Promise<void> {
    await sleep(script.dialAfter);
    this.hertz = 600 + ((this.hertz - 550) % 2_000);
    const phone = await TonePhone.dial(peer, number, { hertz: this.hertz }).catch(() => undefined);
    // A call that is refused, or lost before its answer, has no leg here.
    if (phone === undefined) return;
    const life: Life = {
      phone,
      callId: phone.call.callId,
      confirmedAt: performance.now(),
      hungUpAt: Number.POSITIVE_INFINITY,
      events: [{ at: Date.now(), text: 'confirmed' }],
    };
    this.lives.push(life);
    await sleep(script.actAfter);
    if (phone.isUp) await this.act(life, script.action);
    await sleep(script.hangUpAfter);
    if (script.hangsUp) await this.end(life);
  }

  private async act(life: Life, action: ReturnType<RandomKills['script']>['action']): Promise<void> {
    const { phone } = life;
    const asked = async (what: string, ask: () => Promise<number>): Promise<void> => {
      note(life, `${what} sent`);
      const outcome = await ask().catch((error: Error) => error.message.split('\n')[0]);
      note(life, `${what}: ${outcome}`);
    };
    if (action === 'press') await asked('INFO', () => phone.press('5'));
    else if (action === 'refresh') await asked('UPDATE', () => phone.refresh());
    else if (action === 'hold') {
      await asked('hold', () => phone.turn('sendonly'));
      await asked('resume', () => phone.turn('sendrecv'));
    }
  }

  /** Hangs up; says so when the call should have been there and was not. */
  private async end(life: Life): Promise<void> {
    if (life.hungUpAt !== Number.POSITIVE_INFINITY) return;
    life.hungUpAt = performance.now();
    const { phone, callId } = life;
    const wasUp = phone.isUp;
    const status = wasUp ? await phone.hangUp().catch((error: Error) => error.message) : 'gone';
    note(life, `BYE: ${status}`);
    if (status === 200 || !this.mustLive(life)) return;
    this.problems.push(`call ${callId} was lost: ${status}`);
    this.lost.add(life);
  }

  /**
   * False: it was answered shortly before a kill, so that its document may not have been written, or during an outage, so that its
   * ACK may not have arrived.
   */
  private mustLive({ confirmedAt, hungUpAt }: Life): boolean {
    return !this.outages.some(
      ({ from, to }) => from < hungUpAt && confirmedAt > from - unwrittenMilliseconds && confirmedAt < to,
    );
  }

  private async kill(victim: Victim): Promise<void> {
    const outage: Outage = { from: performance.now(), to: Number.POSITIVE_INFINITY };
    this.outages.push(outage);
    this.noteKill(`kill of ${victim}`);
    await this.killAndRestart(victim);
    outage.to = performance.now();
    this.noteKill(`${victim} ready`);
  }

  private async killAndRestart(victim: Victim): Promise<void> {
    const { stack } = this;
    if (victim === 'rtpengine') {
      await stack.rtpengines[0]!.kill();
      await stack.rtpengines[0]!.restart();
      return;
    }
    if (victim !== 'engine') stack.edge.signal('SIGKILL');
    if (victim !== 'edge') stack.engine!.signal('SIGKILL');
    const exits = [
      victim === 'engine' ? undefined : stack.edge.exit(5_000),
      victim === 'edge' ? undefined : stack.engine!.exit(5_000),
    ];
    await Promise.all(exits);
    await Promise.all([
      victim === 'edge' ? undefined : stack.startEngine(),
      victim === 'engine' ? undefined : stack.startEdge(),
    ]);
  }

  private noteKill(text: string): void {
    this.kills.push({ at: Date.now(), text });
  }

  /** All that explains how a call ended, in order. */
  private history(life: Life, record: CallRecord | undefined): string {
    const { phone, callId, events } = life;
    const first = events[0]!.at;
    const last = events.at(-1)!.at;
    const asked = phone.call.peer
      .all(({ kind, headers }) => kind === 'request' && headers.get('Call-ID') === callId)
      .map(({ at, message }) => ({
        at,
        text: `got ${message.kind === 'request' ? message.method : ''} ${message.headers.get('Reason') ?? ''}`,
      }));
    const around = this.kills.filter(({ at }) => at > first - 5_000 && at < last + 1_000);
    const moments = [...events, ...around, ...asked].sort((left, right) => left.at - right.at);
    const messages = (record?.trace ?? [])
      .slice(-lastMessages)
      .map(({ at, leg, direction, summary }) => `    ${at.slice(11, 23)} ${leg} ${direction} ${summary}`);
    return [
      `call ${callId}:`,
      ...moments.map(({ at, text }) => `  ${clockTime(at)} ${text}`),
      ...(record === undefined ? ['  no record'] : ['  record:', ...messages]),
    ].join('\n');
  }

  private async checkRecords(): Promise<void> {
    for (const life of this.lives) {
      const { callId } = life;
      const ofCall = (milliseconds: number) =>
        this.stack
          .record(({ sip_call_ids }) => sip_call_ids.trunk === callId, milliseconds)
          .catch(() => undefined);
      const record = await ofCall(this.mustLive(life) ? 5_000 : 100);
      if (this.lost.has(life)) this.histories.push(this.history(life, record));
      if (record === undefined) {
        // Control records it as lost with its edge.
        if (this.mustLive(life)) this.problems.push(`call ${callId} has no record`);
        continue;
      }
      const { end_reason: reason, detail } = record;
      if (this.lost.has(life)) this.problems.push(`call ${callId} ended as ${reason}: ${detail}`);
      if ((await ofCall(20)) !== undefined) this.problems.push(`call ${callId} has two records`);
    }
  }
}

const note = ({ events }: Life, text: string): void => {
  events.push({ at: Date.now(), text });
};
