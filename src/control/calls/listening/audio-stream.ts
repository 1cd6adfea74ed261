import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { Deferred } from '../../../base/deferred.js';
import type { Redis } from '../../../base/redis.js';
import { Subscriber } from '../../../base/subscriber.js';
import { within } from '../../../base/within.js';
import { type ListeningEnd, listeningChannel, openMessage } from '../../../contract/listening.js';
import type { SecretBox } from '../../../contract/secret.js';
import { DemarcError } from '../../../errors.js';
import { stereoHeader } from '../../../rtp/stereo-wave.js';

/** Why the relaying ended: by the edge, the client, or control. */
type End =
  | ListeningEnd
  | 'not_begun'
  | 'client_left'
  | 'client_slow'
  | 'not_allowed'
  | 'edge_lost'
  | 'control_stopping';

/** As the audit log completes "after 5 s:". */
const reasons: Readonly<Record<End, string>> = {
  call_ended: 'the call ended',
  time_limit: 'the longest time was reached',
  edge_stopping: 'the edge stopped',
  not_begun: 'it did not begin',
  client_left: 'the listener left',
  client_slow: 'the connection was too slow',
  not_allowed: 'the right was withdrawn',
  edge_lost: 'the edge sent no more audio',
  control_stopping: 'control stopped',
};

/** Of these the client learns by a response that is complete; of others by one that breaks off. */
const regular: ReadonlySet<End> = new Set<End>(['call_ended', 'time_limit', 'not_allowed']);

const checkMilliseconds = 5_000;
/** An edge publishes ten times a second; one that moves its media or is busy pauses for a moment. */
const silentMilliseconds = 10_000;
const subscribeMilliseconds = 3_000;
/** Ten seconds of audio that the client has not read. */
const maximumWaiting = 160_000;

export interface AudioStreamDeps {
  readonly redis: Redis;
  readonly secrets: Pick<SecretBox, 'openOctets'>;
  readonly listeningId: string;
  /** Called every five seconds. False: the client lost the right. */
  readonly mayListen: () => Promise<boolean>;
  /** Called once, after the last octet. */
  readonly ended: (reason: string) => void;
}

/** Relays what an edge publishes of a call to one client, as a WAVE file without an end. */
export class AudioStream {
  private readonly subscriber: Subscriber;
  private readonly subscribed = new Deferred();
  /** Undefined: the response has not begun. */
  private raw: ServerResponse | undefined;
  private heardAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private over: End | undefined;

  constructor(private readonly deps: AudioStreamDeps) {
    this.subscriber = new Subscriber({
      redis: deps.redis,
      name: 'demarc-control-listening',
      channels: { [listeningChannel(deps.listeningId)]: (message) => this.onMessage(message) },
      subscribed: () => this.subscribed.resolve(),
    });
  }

  /** Before the edge begins, so that nothing is lost. Throws `DemarcError` `CALLS_UNAVAILABLE` while Redis is down. */
  async subscribe(): Promise<void> {
    this.subscriber.start();
    await within(subscribeMilliseconds, this.subscribed.promise);
    if (!this.subscribed.isResolved) throw new DemarcError('CALLS_UNAVAILABLE');
  }

  /** Answers the request, and streams until either side ends it. */
  open(reply: FastifyReply): void {
    const { raw } = reply;
    reply.hijack();
    if (raw.destroyed) {
      this.end('client_left');
      return;
    }
    raw.once('close', () => this.end('client_left'));
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'audio/wav',
      // no-transform: a proxy that compresses would hold the audio back; nginx has a separate header for that.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    raw.write(stereoHeader());
    this.raw = raw;
    if (this.over !== undefined) {
      this.close(this.over);
      return;
    }
    this.heardAt = performance.now();
    this.timer = setInterval(() => void this.check(), checkMilliseconds).unref();
  }

  /** Ends it from here; a no-op when it has ended. */
  end(end: End): void {
    if (this.over !== undefined) return;
    this.over = end;
    clearInterval(this.timer);
    this.subscriber.stop();
    this.close(end);
    this.deps.ended(reasons[end]);
  }

  private close(end: End): void {
    if (regular.has(end)) this.raw?.end();
    else this.raw?.destroy();
  }

  private onMessage(text: string): void {
    const { secrets, listeningId } = this.deps;
    if (this.over !== undefined) return;
    let message: ReturnType<typeof openMessage>;
    try {
      message = openMessage(secrets, listeningId, text);
    } catch {
      // Sealed with a key that this process does not have: as if the edge sent nothing.
      return;
    }
    if (message === undefined) return;
    if ('end' in message) {
      this.end(message.end);
      return;
    }
    this.heardAt = performance.now();
    const { raw } = this;
    if (raw === undefined) return;
    raw.write(message.audio);
    if (raw.writableLength > maximumWaiting) this.end('client_slow');
  }

  private async check(): Promise<void> {
    this.subscriber.ping();
    if (performance.now() - this.heardAt > silentMilliseconds) {
      this.end('edge_lost');
      return;
    }
    // A database outage is no reason to end it.
    const mayListen = await this.deps.mayListen().catch(() => true);
    if (!mayListen) this.end('not_allowed');
  }
}
