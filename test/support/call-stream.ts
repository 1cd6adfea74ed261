import type { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause } from '../../src/testkit/waiting.js';
import { trunkDescription } from '../contract/media/descriptions.js';
import { PeerCall } from './peer-call.js';

export interface CallStreamOptions {
  readonly number: string;
  readonly callsPerSecond: number;
  /** Between answer and hang-up. */
  readonly holdMilliseconds: number;
  /** While so many are up or being set up, no further one is placed: a busy machine gets as many calls as it can carry. Default: no limit. */
  readonly mostAtOnce?: number;
}

/** How long an answer, and the response to a BYE, may take before the call has failed. */
const patienceMilliseconds = 20_000;

/** A trunk that places calls at an even rate over one connection, and notes what happens to each. */
export class CallStream {
  placed = 0;
  completed = 0;
  /** Milliseconds from INVITE to 200, in the order of the answers. */
  readonly setups: number[] = [];
  /** One text for each call that was refused, not answered or not ended in order. */
  readonly failures: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly held: PeerCall[] = [];
  private isStopped = false;

  constructor(
    private readonly peer: SipPeer,
    private readonly options: CallStreamOptions,
  ) {}

  /** Places calls that stay up until `hangUpHeld`. */
  async hold(count: number): Promise<void> {
    for (let index = 0; index < count; index++) this.held.push(await this.answered());
  }

  /** Ends them; a call that the other side has ended, or whose BYE is not answered, counts as failed. */
  async hangUpHeld(): Promise<void> {
    for (const call of this.held) await this.counted(() => this.hangUp(call, 'held call'));
  }

  /** Places calls until `stop`. */
  async run(): Promise<void> {
    const { callsPerSecond, mostAtOnce = Number.POSITIVE_INFINITY } = this.options;
    const period = 1_000 / callsPerSecond;
    for (let due = performance.now(); !this.isStopped; due += period) {
      await pause(Math.max(0, due - performance.now()));
      if (this.running.size >= mostAtOnce) continue;
      const call = this.counted(async () => {
        const answered = await this.answered();
        await pause(this.options.holdMilliseconds);
        await this.hangUp(answered, 'call');
      });
      this.running.add(call);
      void call.then(() => this.running.delete(call));
      this.placed += 1;
    }
  }

  /** No more calls; resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private async counted(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.completed += 1;
    } catch (error) {
      this.failures.push((error as Error).message.split('Not taken')[0]!);
    }
  }

  private async answered(): Promise<PeerCall> {
    const call = PeerCall.to(this.peer, this.options.number);
    const at = performance.now();
    await call.invite({ body: trunkDescription() });
    const { message } = await call.response((status) => status >= 200, 'INVITE', patienceMilliseconds);
    this.setups.push(performance.now() - at);
    await call.ack(message);
    if (message.status !== 200) {
      const why =
        message.headers.get('Reason') ?? message.headers.get('Warning') ?? message.headers.get('Server');
      throw new Error(`refused with ${message.status} ${message.reason} (${why})`);
    }
    return call;
  }

  private async hangUp(call: PeerCall, what: string): Promise<void> {
    const [bye] = this.peer.all(
      (message) =>
        message.kind === 'request' &&
        message.method === 'BYE' &&
        message.headers.get('Call-ID') === call.callId,
    );
    if (bye !== undefined)
      throw new Error(`${what} was ended: ${bye.message.headers.get('Reason') ?? 'BYE'}`);
    await call.send('BYE');
    const { message } = await call.response((status) => status >= 200, 'BYE', patienceMilliseconds);
    if (message.status !== 200) throw new Error(`BYE of a ${what} got ${message.status}`);
  }
}
