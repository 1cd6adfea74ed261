import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageText, type StreamMessage, type Topic } from './topic.js';

export interface EventStreamDeps {
  readonly topic: Topic;
  /** False: the subscriber lost access, because the session ended or the key was revoked. */
  readonly mayWatch: () => Promise<boolean>;
}

/**
 * Proxies give up on idle connections after half a minute, a page takes the stream for dead after two of these without an event,
 * and a subscriber that lost access is disconnected within this time.
 */
const heartbeatMilliseconds = 4_000;
/** Bytes; a subscriber with more unread data is disconnected and starts with a new snapshot. */
const maximumWaiting = 4 * 1024 * 1024;
/** How soon a browser reconnects after the connection breaks. */
const retryMilliseconds = 2_000;

/** One subscriber's connection (HTML Living Standard, server-sent events). */
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

  /** Answers the request and streams until either side closes. Rejects while there is no state to send. */
  async open(): Promise<void> {
    const { topic } = this.deps;
    const { raw } = this.reply;
    if (raw.destroyed) {
      // Closed during authentication: no close event follows.
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
      // no-transform: a proxy that compresses would hold events back; nginx has a separate header for that.
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
