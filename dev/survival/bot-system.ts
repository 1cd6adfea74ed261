import { until } from '../../src/testkit/waiting.js';
import type { Stack } from '../../test/e2e/stack.js';
import { type BotStream, StreamBot } from '../../test/support/stream-bot.js';
import { StackSystem } from './stack-system.js';

/** A bot sees the death of a process first; that the call has ended it may see a little later than the peers do. */
const closeMilliseconds = 5_000;

/** The agent is a bot by WebSocket, which sends back what it hears and counts its streams. */
export class BotSystem extends StackSystem {
  private readonly problems: string[] = [];

  private constructor(
    stack: Stack,
    private readonly bot: StreamBot,
  ) {
    super(stack, { url: bot.url() });
  }

  static async start(stack: Stack): Promise<BotSystem> {
    await stack.startMediaStream();
    const bot = await StreamBot.start({ certificate: await stack.authority.issue('bot', ['localhost']) });
    const system = new BotSystem(stack, bot);
    bot.serve = (stream) => system.serve(stream);
    return system;
  }

  override async records(callIds: readonly string[]) {
    const { complete, problems } = await super.records(callIds);
    return { complete, problems: [...problems, ...this.problems] };
  }

  override async ended(): Promise<void> {
    await super.ended();
    await until(
      () => this.open().length === 0,
      closeMilliseconds,
      () => `${this.open().length} streams of ended calls are open`,
    );
  }

  stop(): Promise<void> {
    return this.bot.stop();
  }

  private serve(stream: BotStream): void {
    stream.echo();
    stream.socket.on('message', (data) => {
      const { event } = JSON.parse(String(data)) as { event: string };
      if (event === 'start') this.expectFirst(stream);
    });
  }

  private expectFirst(stream: BotStream): void {
    const sameCall = this.open().filter(
      (candidate) => candidate !== stream && callOf(candidate) === callOf(stream),
    );
    if (sameCall.length > 0) this.problems.push(`${sameCall.length + 1} streams of one call are open`);
  }

  private open(): BotStream[] {
    return this.bot.streams.filter(({ closedWith }) => closedWith === undefined);
  }
}

const callOf = ({ start }: BotStream): unknown => (start?.start as { callSid?: string } | undefined)?.callSid;
