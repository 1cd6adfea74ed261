import { patient } from '../../../src/testkit/waiting.js';

/** A message of an event stream. */
export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an event.
  readonly data: any;
}

/** Reads server-sent events as a browser does. */
export class EventReader {
  readonly seen: ReadEvent[] = [];
  private readonly unread: ReadEvent[] = [];
  private waiting: (() => void) | undefined;
  readonly ended: Promise<void>;

  private constructor(
    body: ReadableStream<Uint8Array>,
    private readonly abort: AbortController,
  ) {
    this.ended = this.read(body).catch(() => {});
  }

  /** Rejects with the status when it is not 200. */
  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const abort = new AbortController();
    const answer = await fetch(url, { headers, signal: abort.signal });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    if (answer.headers.get('content-type') !== 'text/event-stream; charset=utf-8') {
      throw new Error(`${answer.headers.get('content-type')}`);
    }
    return new EventReader(answer.body!, abort);
  }

  /** The next event of that name; others are passed over. */
  async next(event: string, milliseconds = 6_000): Promise<ReadEvent> {
    const end = performance.now() + patient(milliseconds);
    for (;;) {
      const found = this.unread.shift();
      if (found?.event === event) return found;
      if (found !== undefined) continue;
      const left = end - performance.now();
      if (left <= 0)
        throw new Error(`No event ${event}; seen: ${this.seen.map((seen) => seen.event).join()}`);
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
        setTimeout(resolve, left);
      });
    }
  }

  /** Forgets what was not read yet. */
  skip(): void {
    this.unread.length = 0;
  }

  close(): void {
    this.abort.abort();
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
        this.take(text.slice(0, at));
        text = text.slice(at + 2);
      }
    }
  }

  private take(block: string): void {
    const fields = new Map(
      block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const),
    );
    const data = fields.get('data');
    if (data === undefined) return;
    const read = { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) };
    this.seen.push(read);
    this.unread.push(read);
    this.waiting?.();
  }
}
