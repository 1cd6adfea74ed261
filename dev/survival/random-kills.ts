import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/testkit/index.js';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import type { Stack } from '../../test/e2e/stack.js';
import { TonePhone } from '../tone/tone-phone.js';

const victims = ['edge', 'engine', 'edge and engine', 'rtpengine'] as const;
type Victim = (typeof victims)[number];

/** A call that is confirmed within this time before a kill may end with its edge: its document may not be written. */
const unwrittenMilliseconds = 250;
const callsPerKill = 3;
/** From the dialling of the calls to the kill: setup, early life, actions, hang-up. */
const killWithin = 1_500;

interface Life {
  readonly phone: TonePhone;
  readonly callId: string;
  readonly confirmedAt: number;
  hungUpAt: number;
}

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
}

class RandomKills {
  private readonly random: () => number;
  private readonly problems: string[] = [];
  private readonly lives: Life[] = [];
  private readonly killedAt: number[] = [];
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
    await stack.endTest().catch((error: Error) => this.problems.push(error.message));
    await this.checkRecords();
    const tested = this.lives.filter((life) =>
      this.killedAt.some((at) => at - life.confirmedAt > unwrittenMilliseconds && at < life.hungUpAt),
    );
    return { answered: this.lives.length, tested: tested.length, problems: this.problems };
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
    };
    this.lives.push(life);
    await sleep(script.actAfter);
    if (phone.isUp) await this.act(phone, script.action).catch(() => {});
    await sleep(script.hangUpAfter);
    if (script.hangsUp) await this.end(life);
  }

  private async act(phone: TonePhone, action: ReturnType<RandomKills['script']>['action']): Promise<void> {
    if (action === 'press') await phone.press('5');
    else if (action === 'refresh') await phone.refresh();
    else if (action === 'hold') {
      await phone.turn('sendonly');
      await phone.turn('sendrecv');
    }
  }

  /** Hangs up; says so when the call should have been there and was not. */
  private async end(life: Life): Promise<void> {
    if (life.hungUpAt !== Number.POSITIVE_INFINITY) return;
    life.hungUpAt = performance.now();
    const { phone, callId } = life;
    const wasUp = phone.isUp;
    const status = wasUp ? await phone.hangUp().catch((error: Error) => error.message) : 'gone';
    if (status === 200 || !this.mustLive(life)) return;
    this.problems.push(`call ${callId} was lost: ${status}`);
    this.lost.add(life);
  }

  private mustLive({ confirmedAt, hungUpAt }: Life): boolean {
    const first = this.killedAt.find((at) => at >= confirmedAt);
    return first === undefined || first - confirmedAt > unwrittenMilliseconds || first > hungUpAt;
  }

  private async kill(victim: Victim): Promise<void> {
    const { stack } = this;
    this.killedAt.push(performance.now());
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

  private async checkRecords(): Promise<void> {
    for (const life of this.lives) {
      const { callId } = life;
      const ofCall = (milliseconds: number) =>
        this.stack
          .record(({ sip_call_ids }) => sip_call_ids.trunk === callId, milliseconds)
          .catch(() => undefined);
      const record = await ofCall(this.mustLive(life) ? 5_000 : 100);
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
