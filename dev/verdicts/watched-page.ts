import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope, Summary } from '../../src/dashboard/api/noc.js';
import { silentMilliseconds } from '../../src/dashboard/api/shared-stream.js';
import { verdictOf } from '../../src/dashboard/pages/overview/concerns.js';
import type { Look } from './notice.js';

export interface PageOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly scope: Scope;
}

/** As control tells browsers. */
const reconnectMilliseconds = 2_000;
const lookMilliseconds = 50;
/** By these the page is live; others say less. */
const lively: ReadonlySet<string> = new Set(['snapshot', 'summary', 'call', 'beat']);

/** An open overview without a browser: the event stream as the dashboard reads it, judged by the function of the dashboard. */
export class WatchedPage {
  /** Each change of what it shows. */
  readonly looks: Look[] = [];
  private summary: Summary | undefined;
  private isLive = false;
  private activeAt = performance.now();
  private stream = new AbortController();
  private isClosed = false;
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly options: PageOptions) {
    this.timer = setInterval(() => this.look(), lookMilliseconds);
    void this.follow();
  }

  static open(options: PageOptions): WatchedPage {
    return new WatchedPage(options);
  }

  get latest(): Look | undefined {
    return this.looks.at(-1);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.stream.abort();
  }

  private look(): void {
    const now = performance.now();
    if (now - this.activeAt >= silentMilliseconds) {
      this.activeAt = now;
      this.isLive = false;
      this.stream.abort();
    }
    const shown = this.verdict();
    if (JSON.stringify(shown) === JSON.stringify({ ...this.latest, at: undefined })) return;
    this.looks.push({ at: now, ...shown });
  }

  private verdict(): Omit<Look, 'at'> {
    const { summary } = this;
    const { scope } = this.options;
    const calls = scope === 'fleet' ? summary?.fleet?.calls : summary?.calls;
    if (!this.isLive || summary === undefined || calls === undefined)
      return { tone: 'unknown', words: 'Unknown: last update a while ago', texts: [] };
    const { tone, words, concerns } = verdictOf(summary, calls, scope);
    return { tone, words, texts: concerns.map(({ text }) => text) };
  }

  private async follow(): Promise<void> {
    while (!this.isClosed) {
      this.stream = new AbortController();
      await this.read(this.stream.signal).catch(() => {});
      this.isLive = false;
      await sleep(reconnectMilliseconds);
    }
  }

  private async read(signal: AbortSignal): Promise<void> {
    const { url, apiKey, scope } = this.options;
    const answer = await fetch(`${url}/v1/noc/events?scope=${scope}`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal,
    });
    if (!answer.ok || answer.body === null)
      throw new Error(`The event stream was refused: ${answer.status}.`);
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of answer.body) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) this.take(event);
    }
  }

  private take(event: string): void {
    const kind = /^event: (.*)$/m.exec(event)?.[1];
    const data = /^data: (.*)$/m.exec(event)?.[1];
    if (kind === undefined || data === undefined) return;
    this.activeAt = performance.now();
    if (kind === 'snapshot') this.summary = (JSON.parse(data) as { summary: Summary }).summary;
    if (kind === 'summary' && this.summary !== undefined)
      this.summary = { ...this.summary, ...(JSON.parse(data) as Partial<Summary>) };
    if (lively.has(kind)) this.isLive = true;
  }
}
