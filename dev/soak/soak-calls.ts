import { setTimeout as sleep } from 'node:timers/promises';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause, until } from '../../src/testkit/waiting.js';
import { trunkDescription } from '../../test/contract/media/descriptions.js';
import { PeerCall } from '../../test/support/peer-call.js';
import type { LaunchedSystem } from '../survival/launched-system.js';
import { TonePhone } from '../tone/tone-phone.js';
import type { Outages } from './outages.js';
import type { SoakBot } from './soak-bot.js';

/** Each worker makes calls of these kinds, one after another. */
export const callKinds = {
  inbound: ['plain', 'held', 'digits', 'refreshed', 'canceled', 'refused'],
  outbound: ['ordered', 'ordered, ended by the API'],
  transfer: ['transferred', 'transfer declined'],
  bot: ['bot', 'bot reconnected'],
} as const;
export type WorkerKind = keyof typeof callKinds;
export type CallKind = (typeof callKinds)[WorkerKind][number];

/** A call that was answered. */
interface Life {
  readonly kind: CallKind;
  readonly callId: string;
  readonly confirmedAt: number;
}

/** Where a worker's calls go to: a number, and its trunk. */
export interface Line {
  readonly number: string;
  readonly trunk: SipPeer;
}

const heardMilliseconds = 2_000;
/** A process that was killed is started again, and connects to the bot again. */
const heardFromBotMilliseconds = 15_000;
const setupMilliseconds = 30_000;
const outcomeMilliseconds = 15_000;
const resumeTries = 4;
const glareMilliseconds = 2_100;

/** Makes calls of all kinds on one system, and collects what went wrong although no process was down. */
export class SoakCalls {
  /** How many of each kind went as they should. */
  readonly done = new Map<CallKind, number>();
  /** Attempts that failed while a process was down. */
  disturbed = 0;
  /** Answered calls that were up when a process was killed, and had to outlive it. */
  outlived = 0;
  private lives: Life[] = [];
  private hertz = 600;
  private attempts = 0;

  constructor(
    private readonly system: LaunchedSystem,
    private readonly bot: SoakBot,
    private readonly random: () => number,
    private readonly outages: Outages,
    private readonly problem: (text: string) => void,
  ) {}

  async make(worker: WorkerKind, line: Line): Promise<void> {
    const kinds: readonly CallKind[] = callKinds[worker];
    const kind = kinds[Math.floor(this.random() * kinds.length)]!;
    const began = performance.now();
    try {
      await this.run(kind, line);
      this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
    } catch (error) {
      if (this.outages.overlap(began, performance.now())) this.disturbed++;
      else this.trouble(kind, error instanceof Error ? error.message.split('\n')[0]! : String(error));
    }
  }

  /** Checks that each answered call since the last time has one record. */
  async checkRecords(): Promise<void> {
    const lives = this.lives;
    this.lives = [];
    const { missing, problems } = await this.system.records(lives.map(({ callId }) => callId));
    for (const problem of problems) this.problem(problem);
    if (missing.length === 0) return;
    const kinds = new Map(lives.map(({ callId, kind }) => [callId, kind]));
    const some = missing.slice(0, 5).map((id) => `${id} (${kinds.get(id)})`);
    this.problem(
      `${missing.length} of ${lives.length} answered calls have no complete record: ${some.join(', ')}`,
    );
  }

  private async run(kind: CallKind, line: Line): Promise<void> {
    switch (kind) {
      case 'ordered':
      case 'ordered, ended by the API':
        return this.ordered(kind, line);
      case 'transferred':
      case 'transfer declined':
        return this.transferred(kind, line);
      case 'bot':
      case 'bot reconnected':
        return this.withCaller((peer) => this.atBot(kind, peer, line.number));
      case 'refused':
        return this.withCaller((peer) => this.refused(peer));
      case 'canceled':
        return this.withCaller((peer) => this.canceled(peer, line.number));
      default:
        return this.withCaller((peer) => this.inbound(kind, peer, line.number));
    }
  }

  private async inbound(kind: CallKind, peer: SipPeer, number: string): Promise<void> {
    const phone = await TonePhone.dial(peer, number, { hertz: this.nextHertz() });
    await this.live(kind, phone, async () => {
      await this.talk();
      if (kind === 'held') {
        expectStatus(await phone.turn('sendonly'), 200, 'hold');
        await this.talk();
        expectStatus(await phone.turn('sendrecv'), 200, 'resume');
      }
      if (kind === 'digits') expectStatus(await phone.press('5'), 200, 'INFO');
      if (kind === 'refreshed') expectStatus(await phone.refresh(), 200, 'UPDATE');
      await this.talk();
    });
  }

  private async atBot(kind: CallKind, peer: SipPeer, number: string): Promise<void> {
    const phone = await TonePhone.dial(peer, number, { hertz: this.nextHertz() });
    await this.live(kind, phone, async () => {
      await this.talk();
      await this.heard(phone, heardFromBotMilliseconds);
      if (kind === 'bot reconnected') {
        await this.bot.reconnected(number);
        await this.heard(phone, heardFromBotMilliseconds);
      }
      await this.talk();
    });
    await this.bot.left(number);
  }

  private async ordered(kind: CallKind, { number, trunk }: Line): Promise<void> {
    const callee = this.nextOther('1415555');
    const taken = TonePhone.answer(trunk, { hertz: this.nextHertz() }, setupMilliseconds, `+${callee}`);
    taken.catch(() => {});
    const id = await this.system.order(number, `+${callee}`);
    const phone = await taken;
    await this.live(kind, phone, async () => {
      await this.talk();
      if (kind === 'ordered') return;
      await this.system.ask(`/v1/calls/${id}/stop`, {});
      await until(() => !phone.isUp, outcomeMilliseconds, 'BYE of the call that the API ended');
    });
  }

  private async transferred(kind: CallKind, { number, trunk }: Line): Promise<void> {
    const extension = this.nextOther('2');
    await this.withCaller(async (peer) => {
      const transferor = await TonePhone.dial(peer, number, { hertz: this.nextHertz() });
      await this.live(kind, transferor, async () => {
        await this.talk();
        const declined = kind === 'transfer declined' ? this.decline(trunk, extension) : undefined;
        const taken =
          declined === undefined
            ? TonePhone.answer(trunk, { hertz: this.nextHertz() }, setupMilliseconds, extension)
            : undefined;
        declined?.catch(() => {});
        taken?.catch(() => {});
        try {
          expectStatus(await transferor.refer(`sip:${extension}@${peer.host}`), 202, 'REFER');
          await declined;
        } catch (error) {
          // A target that answers later would send to its port for ever, also when another call has it.
          void taken?.then((late) => late.close()).catch(() => {});
          throw error;
        }
        const target = await taken;
        const isDecided = (): boolean => transferor.transferOutcome !== undefined;
        await until(isDecided, outcomeMilliseconds, 'NOTIFY with the outcome').finally(() => {
          if (target !== undefined && !isDecided()) target.close();
        });
        expectStatus(transferor.transferOutcome!, target === undefined ? 486 : 200, 'the outcome');
        if (target === undefined) return this.talk();
        if (transferor.isUp) await transferor.hangUp().catch(() => {});
        try {
          await this.talk();
          await this.heard(target);
          await target.hangUp();
        } finally {
          target.close();
        }
      });
    });
  }

  private async decline(trunk: SipPeer, user: string): Promise<void> {
    const invite = await trunk.expectRequest('INVITE', { user, milliseconds: setupMilliseconds });
    await PeerCall.from(trunk, invite.message).respond(invite, 486);
  }

  private async refused(peer: SipPeer): Promise<void> {
    const call = PeerCall.to(peer, '19995550100');
    await call.invite({ body: trunkDescription() });
    const { message } = await call.response((status) => status >= 200, 'INVITE', setupMilliseconds);
    await call.ack(message);
    expectStatus(message.status, 404, 'a call to an unknown number');
  }

  private async canceled(peer: SipPeer, number: string): Promise<void> {
    const call = PeerCall.to(peer, number);
    await call.invite({ body: trunkDescription() });
    await call.response((status) => status >= 100, 'INVITE', setupMilliseconds);
    await call.cancel();
    const { message } = await call.response((status) => status >= 200, 'INVITE', setupMilliseconds);
    await call.ack(message);
    // CANCEL came too late.
    if (message.status === 200) await call.hangUp();
    else expectStatus(message.status, 487, 'CANCEL');
  }

  /** From the answer to the hang-up. Rejects if it was lost, or silent, for no reason. */
  private async live(kind: CallKind, phone: TonePhone, act: () => Promise<void>): Promise<void> {
    const confirmedAt = performance.now();
    const { callId } = phone.call;
    const mustOutlive = (): boolean => this.outages.mustOutlive(confirmedAt, performance.now());
    try {
      await act().catch((error: Error) => {
        if (!this.outages.overlap(confirmedAt, performance.now())) throw error;
        this.disturbed++;
      });
      const isOver = !phone.isUp;
      // A resume that failed while a process was down is asked for again, as people do.
      if (!isOver && phone.isOnHold) await resume(phone);
      if (!isOver)
        await this.heard(phone, kind.startsWith('bot') ? heardFromBotMilliseconds : heardMilliseconds);
      const status = isOver ? 'gone' : await phone.hangUp();
      const isExpected =
        status === 200 || (isOver && (kind.startsWith('transferred') || kind.endsWith('API')));
      if (!isExpected && mustOutlive()) throw new LostCall(`${callId} was lost: ${status}`);
    } catch (error) {
      if (error instanceof LostCall || !this.outages.overlap(confirmedAt, performance.now())) throw error;
      if (mustOutlive()) this.trouble(kind, `${callId}: ${(error as Error).message.split('\n')[0]}`);
      else this.disturbed++;
    } finally {
      if (phone.isUp) await phone.hangUp().catch(() => {});
      phone.close();
      if (mustOutlive()) {
        if (this.outages.overlap(confirmedAt, performance.now())) this.outlived++;
        this.lives.push({ kind, callId, confirmedAt });
      }
    }
  }

  /** The tone comes back now. */
  private async heard({ stream }: TonePhone, milliseconds = heardMilliseconds): Promise<void> {
    const before = stream.heardAt.length;
    const isHeard = (): boolean => stream.heardAt.length > before;
    await until(isHeard, milliseconds, `${stream.hertz} Hz`);
  }

  private async withCaller(act: (peer: SipPeer) => Promise<void>): Promise<void> {
    const peer = await this.system.open();
    try {
      await act(peer);
    } finally {
      await peer.close();
    }
  }

  private talk(): Promise<void> {
    return sleep(1_000 + this.random() * 4_000);
  }

  private nextHertz(): number {
    this.hertz = 600 + ((this.hertz - 550) % 2_000);
    return this.hertz;
  }

  /** A number that no other attempt has. */
  private nextOther(prefix: string): string {
    this.attempts = (this.attempts + 1) % 10_000;
    return prefix + String(this.attempts).padStart(4, '0');
  }

  private trouble(kind: CallKind, problem: string): void {
    this.problem(`${new Date().toISOString().slice(11, 19)} ${kind}: ${problem}`);
  }
}

class LostCall extends Error {}

/** Asks again where the other side has sent a request, too, or moves the media of the call (RFC 3261 sections 14.1, 14.2). */
async function resume(phone: TonePhone): Promise<void> {
  for (let tries = 1; ; tries++) {
    const status = await phone.turn('sendrecv');
    if (status === 200) return;
    if (tries === resumeTries || (status !== 491 && status !== 500)) expectStatus(status, 200, 'resume');
    await pause(glareMilliseconds);
  }
}

function expectStatus(status: number, expected: number, what: string): void {
  if (status !== expected) throw new Error(`${what}: ${status}`);
}
