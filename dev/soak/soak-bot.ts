import { until } from '../../src/testkit/waiting.js';
import { type BotStream, StreamBot } from '../../test/support/stream-bot.js';

const connectMilliseconds = 15_000;
/** That its call has ended a bot may see a little later than the caller does. */
const closeMilliseconds = 5_000;

/** A voice agent by WebSocket, which sends back what it hears. Each line has a different URL, and one call at a time. */
export class SoakBot {
  readonly problems: string[] = [];

  private constructor(private readonly bot: StreamBot) {}

  static async start(certificate: { readonly certFile: string; readonly keyFile: string }): Promise<SoakBot> {
    const bot = await StreamBot.start({ certificate });
    const soakBot = new SoakBot(bot);
    bot.serve = (stream) => soakBot.serve(stream);
    return soakBot;
  }

  urlOf(line: string): string {
    return this.bot.url(pathOf(line));
  }

  /** Loses the connection of the line's call; resolves once it is there again. */
  async reconnected(line: string): Promise<void> {
    const [lost] = this.open(line);
    if (lost === undefined) throw new Error('the bot has no stream of the call');
    lost.socket.terminate();
    await until(
      () => this.open(line).some((stream) => stream !== lost && stream.start !== undefined),
      connectMilliseconds,
      'another connection to the bot',
    );
  }

  /** Resolves when no call of the line is at the bot. */
  async left(line: string): Promise<void> {
    await until(() => this.open(line).length === 0, closeMilliseconds, 'the end of the stream at the bot');
  }

  stop(): Promise<void> {
    return this.bot.stop();
  }

  private serve(stream: BotStream): void {
    stream.echo();
    stream.socket.once('close', () => this.forget(stream));
  }

  /** What was said in hours of calls does not fit into memory. */
  private forget(stream: BotStream): void {
    const { streams } = this.bot;
    const at = streams.indexOf(stream);
    if (at >= 0) streams.splice(at, 1);
    for (const message of stream.unpublished)
      this.problems.push(`a message to the bot that its schema lacks: ${message}`);
  }

  private open(line: string): BotStream[] {
    return this.bot.streams.filter(
      ({ path, closedWith }) => path === pathOf(line) && closedWith === undefined,
    );
  }
}

const pathOf = (line: string): string => `/${line}`;
