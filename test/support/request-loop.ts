import { Agent, type AgentOptions, get } from 'node:http';
import { pause } from '../../src/testkit/waiting.js';

/** Asks a URL again and again, over kept and over new connections, and notes each request that was not answered with 200. */
export class RequestLoop {
  answered = 0;
  readonly failures: string[] = [];
  private isStopped = false;
  private readonly done: Promise<unknown>;

  /** @param pauseMilliseconds between an answer and the next request */
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
    private readonly pauseMilliseconds = 20,
  ) {
    this.done = Promise.all([this.ask({ keepAlive: true }), this.ask({ keepAlive: false })]);
  }

  /** Resolves when the last request has been answered. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.done;
  }

  private async ask(options: AgentOptions): Promise<void> {
    const agent = new Agent(options);
    while (!this.isStopped) {
      const outcome = await this.request(agent);
      if (outcome === 200) this.answered++;
      else this.failures.push(String(outcome));
      await pause(this.pauseMilliseconds);
    }
    agent.destroy();
  }

  private request(agent: Agent): Promise<number | string> {
    return new Promise((resolve) => {
      const request = get(this.url, { agent, headers: this.headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
        response.once('error', (error) => resolve(error.message));
      });
      request.once('error', (error) => resolve(error.message));
    });
  }
}
