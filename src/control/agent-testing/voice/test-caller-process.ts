import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../../base/child-environment.js';
import type { Logger } from '../../../base/log.js';
import { readyMessage, SupervisedProcess } from '../../../base/supervised-process.js';
import type { FromTestCaller, ToTestCaller } from '../../../contract/voice-call.js';
import { RunFailure } from '../conversation/channel.js';
import { VoiceCall, type VoiceCallOrder } from './voice-call.js';

const startMilliseconds = 15_000;
const stopMilliseconds = 2_000;
const restart = { first: 200, longest: 5_000 };
/** Milliseconds. Agents with the quickest end of turn take as long a pause for the end of the caller's line. */
const audibleStall = 200;

/** The process that speaks and listens for tests by voice: started with the first call, started again when it dies. */
export class TestCallerProcess {
  private readonly calls = new Map<string, VoiceCall>();
  private process: SupervisedProcess | undefined;
  private starting: Promise<void> | undefined;
  private child: ChildProcess | undefined;

  constructor(private readonly log: Logger) {}

  /** Places a call; rejects when the process does not start, and with `RunFailure` while it is started again. */
  async call(order: VoiceCallOrder): Promise<VoiceCall> {
    await this.started();
    if (this.child?.connected !== true)
      throw new RunFailure('The process that places test calls is being restarted; run the test again.');
    const call = new VoiceCall(order, (message) => this.send(message));
    this.calls.set(order.id, call);
    call.once('ended', () => this.calls.delete(order.id));
    this.send({ type: 'call', ...order });
    return call;
  }

  async stop(): Promise<void> {
    await this.starting?.catch(() => {});
    await this.process?.stop();
  }

  private started(): Promise<void> {
    this.starting ??= this.start().catch((error: Error) => {
      this.starting = undefined;
      throw new Error(`The process that places test calls did not start: it ${error.message}.`);
    });
    return this.starting;
  }

  private async start(): Promise<void> {
    this.process = new SupervisedProcess(
      {
        spawn: () => this.spawn(),
        ready: async (started) => {
          await readyMessage(started);
          this.child = started.child;
          started.child.on('message', (message) => this.received(message as FromTestCaller));
        },
        readyWithinMilliseconds: startMilliseconds,
        graceMilliseconds: stopMilliseconds,
        restart,
      },
      {
        ended: () => this.lost(),
        crashed: (how, delay) =>
          this.log.error({ how, restartMilliseconds: delay }, 'The test caller exited; restarting it.'),
      },
    );
    await this.process.start();
  }

  private spawn(): ChildProcess {
    const cli = fileURLToPath(new URL(isSource ? '../../../cli.ts' : '../../../cli.js', import.meta.url));
    return fork(cli, ['test-caller'], {
      env: childEnvironment(process.env),
      execArgv: isSource ? ['--import', 'tsx'] : [],
      // Audio crosses the channel.
      serialization: 'advanced',
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  private send(message: ToTestCaller): void {
    if (this.child?.connected === true) this.child.send(message);
  }

  private received(message: FromTestCaller): void {
    if (message.type === 'ready') return;
    if (message.type === 'ended' && message.report.packets.stalled_ms >= audibleStall) {
      const { sip_call_id: callId, packets } = message.report;
      this.log.warn(
        { callId, stalledMilliseconds: packets.stalled_ms },
        'The test caller had no processor while it spoke: its agent heard a pause within a line, and the measurements are of that',
      );
    }
    this.calls.get(message.id)?.received(message);
  }

  private lost(): void {
    this.child = undefined;
    for (const call of [...this.calls.values()]) call.lost('The process that placed the test call ended.');
  }
}

const isSource = import.meta.url.endsWith('.ts');
