import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageText, type StreamMessage, type Topic } from './topic.js';

export interface EventStreamDeps {
  readonly topic: Topic;
  /** False: whoever watches may no longer, because the session ended or the key was revoked. */
  readonly mayWatch: () => Promise<boolean>;
}

/**
 * Proxies give up on silent connections after half a minute, and a page that hears nothing for longer than two of these takes the
 * stream for dead; a caller that may no longer watch must not for longer than this.
 */
const heartbeatMilliseconds = 5_000;
/** Somebody who reads slower than this piles up gets cut off, and begins anew. */
const maximumWaiting = 4 * 1024 * 1024;
/** How soon a browser reconnects after the connection breaks. */
const retryMilliseconds = 2_000;

/** One connection of somebody who watches (HTML Living Standard, server-sent events). */
export class EventStream {
  private readonly queue: StreamMessage[] = [];
  private isOpen = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly deps: EventStreamDeps,
    private readonly onEnd: () => void,
  ) {}

  /** Answers the request; goes on until either side ends it. Rejects when there is nothing to tell yet. */
  async open(): Promise<void> {
    const { topic } = this.deps;
    const { raw } = this.reply;
    if (raw.destroyed) {
      // Gone while it was asked who it is: nothing would tell so later.
      this.onEnd();
      return;
    }
    const listener = (message: StreamMessage): void => {
      if (this.isOpen) this.write(message.text);
      else this.queue.push(message);
    };
    raw.once('close', () => {
      clearInterval(this.timer);
      topic.listeners.delete(listener);
      this.onEnd();
    });
    // Before the snapshot is read, so that nothing falls between them.
    topic.listeners.add(listener);
    const missed = topic.after(String(this.request.headers['last-event-id'] ?? ''));
    const first = missed ?? [await topic.snapshot()];
    if (raw.destroyed) return;
    this.reply.hijack();
    raw.writeHead(200, {
      ...(this.reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // no-transform: a proxy that compresses would hold events back; nginx asks for a header of its own.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // Nothing else comes on it: a server that stops need not wait until the browser lets go.
      connection: 'close',
    });
    raw.write(`retry: ${retryMilliseconds}\n\n`);
    for (const { text } of first) raw.write(text);
    this.isOpen = true;
    for (const { text } of this.queue.splice(0)) this.write(text);
    this.timer = setInterval(() => void this.beat(), heartbeatMilliseconds);
    this.timer.unref();
  }

  /** Sends the reason and closes the stream. */
  end(reason: 'session' | 'shutdown'): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.reply.raw.end(messageText(undefined, 'end', { reason }));
  }

  private async beat(): Promise<void> {
    this.write(messageText(undefined, 'beat', { at: new Date().toISOString() }));
    // A database outage is no reason to close the stream.
    const isWelcome = await this.deps.mayWatch().catch(() => true);
    if (!isWelcome) this.end('session');
  }

  private write(text: string): void {
    const { raw } = this.reply;
    if (!this.isOpen || raw.destroyed) return;
    raw.write(text);
    if (raw.writableLength > maximumWaiting) raw.destroy();
  }
}
