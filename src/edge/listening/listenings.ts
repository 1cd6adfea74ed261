import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import {
  type ListeningEnd,
  listeningChannel,
  maximumListeningSeconds,
  sealAudio,
  sealEnd,
} from '../../contract/listening.js';
import type { SecretBox } from '../../contract/secret.js';
import { packetMilliseconds } from '../../rtp/g711.js';
import { failureText } from '../sip/messages.js';
import { CallCopy, type ListenedCall } from './call-copy.js';

export interface ListeningsDeps {
  readonly redis: Pick<Redis, 'publish'>;
  readonly secrets: Pick<SecretBox, 'hasKey' | 'sealOctets'>;
  readonly log: Logger;
}

/** A person or key that listens to a call. */
export interface Listener {
  readonly id: string;
  /** Of the person or key, for those who see the call. */
  readonly name: string;
}

interface Listening extends Listener {
  /** ISO 8601. */
  readonly since: string;
  /** Monotonic milliseconds. */
  readonly endsAt: number;
  /** Audio that Redis has not confirmed. */
  unconfirmed: number;
  /** Messages in a row that no control process received. */
  unheard: number;
}

interface ListenedTo {
  readonly copy: CallCopy;
  readonly listeners: Map<string, Listening>;
  readonly opening: Promise<void>;
  /** Set when the last listener has left. */
  closing?: Promise<void>;
}

export const listenersPerCall = 3;
/** Each call costs two hundred packets a second, and each listener ten messages through Redis. */
export const listenersPerEdge = 20;
/** Three seconds: control has ended, or lost its connection to Redis. */
const unheardMessages = 30;
/** Two seconds: while Redis does not answer, audio is dropped. */
const unconfirmedMessages = 20;
/** After a longer stall the missed frames are skipped. */
const framesAtMost = 25;

/** Publishes the audio of calls for those who listen to them. The calls do not change, and their parties notice nothing. */
export class Listenings {
  private readonly calls = new Map<ListenedCall, ListenedTo>();
  private timer: NodeJS.Timeout | undefined;
  private takenAt = 0;
  private isOver = false;

  constructor(private readonly deps: ListeningsDeps) {}

  get size(): number {
    return [...this.calls.values()].reduce((sum, { listeners }) => sum + listeners.size, 0);
  }

  /**
   * Begins to publish the audio of an answered call. Undefined: it has begun. A text: why it does not. Rejects where rtpengine gives
   * no copy.
   */
  async begin(call: ListenedCall, { id, name }: Listener): Promise<string | undefined> {
    await this.calls.get(call)?.closing;
    const refusal = this.refusal(call);
    if (refusal !== undefined) return refusal;
    let listened = this.calls.get(call);
    if (listened === undefined) {
      const copy = new CallCopy(call, this.deps.log);
      listened = { copy, listeners: new Map(), opening: copy.open() };
      this.calls.set(call, listened);
    }
    const now = performance.now();
    listened.listeners.set(id, {
      id,
      name,
      since: new Date().toISOString(),
      endsAt: now + maximumListeningSeconds * 1_000,
      unconfirmed: 0,
      unheard: 0,
    });
    try {
      await listened.opening;
    } catch (error) {
      this.leave(call, listened, id);
      throw error;
    }
    if (!listened.listeners.has(id)) return 'The call has ended';
    if (this.timer === undefined) {
      this.takenAt = performance.now();
      this.timer = setInterval(() => this.tick(), packetMilliseconds).unref();
    }
    return undefined;
  }

  /** False: it has ended, or never began here. */
  end(call: ListenedCall, id: string): boolean {
    const listened = this.calls.get(call);
    return listened !== undefined && this.leave(call, listened, id);
  }

  /** Who listens to the call, and since when (ISO 8601). */
  listenersOf(call: ListenedCall): { readonly name: string; readonly since: string }[] {
    const listeners = this.calls.get(call)?.listeners.values() ?? [];
    return [...listeners].map(({ name, since }) => ({ name, since }));
  }

  /** Ends all, for good; resolves when rtpengine sends no copy to this process. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(
      [...this.calls].map(([call, listened]) => {
        this.endAll(call, listened, 'edge_stopping');
        return listened.closing;
      }),
    );
  }

  /** One round; called by the timer. */
  tick(now = performance.now()): void {
    const due = Math.floor((now - this.takenAt) / packetMilliseconds);
    this.takenAt += due * packetMilliseconds;
    for (const [call, listened] of this.calls) {
      if (listened.closing !== undefined) continue;
      if (call.hasEnded) {
        this.endAll(call, listened, 'call_ended');
        continue;
      }
      for (let frame = 0; frame < Math.min(due, framesAtMost); frame++) {
        const audio = listened.copy.take(now);
        if (audio !== undefined) this.send(listened, audio);
      }
      for (const listener of [...listened.listeners.values()]) {
        if (now >= listener.endsAt) this.endOne(call, listened, listener, 'time_limit');
        else if (listener.unheard >= unheardMessages) this.leave(call, listened, listener.id);
      }
    }
  }

  private refusal(call: ListenedCall): string | undefined {
    if (this.isOver) return 'The edge of the call is stopping';
    if (call.hasEnded) return 'The call has ended';
    if (!this.deps.secrets.hasKey)
      return 'The edge has no DEMARC_SECRET_KEY, so the audio cannot be encrypted';
    if ((this.calls.get(call)?.listeners.size ?? 0) >= listenersPerCall)
      return `${listenersPerCall} people already listen to the call`;
    if (this.size >= listenersPerEdge)
      return `${listenersPerEdge} people already listen to calls of the edge`;
    return undefined;
  }

  private send({ listeners }: ListenedTo, audio: Buffer): void {
    for (const listener of listeners.values()) {
      if (listener.unconfirmed >= unconfirmedMessages) continue;
      listener.unconfirmed++;
      this.publish(listener, sealAudio(this.deps.secrets, listener.id, audio))
        .then((receivers) => {
          listener.unheard = receivers === 0 ? listener.unheard + 1 : 0;
        })
        // Redis is down: control ends it if it does not return soon.
        .catch(() => {})
        .finally(() => {
          listener.unconfirmed--;
        });
    }
  }

  private endAll(call: ListenedCall, listened: ListenedTo, end: ListeningEnd): void {
    for (const listener of [...listened.listeners.values()]) this.endOne(call, listened, listener, end);
  }

  private endOne(call: ListenedCall, listened: ListenedTo, listener: Listening, end: ListeningEnd): void {
    this.publish(listener, sealEnd(this.deps.secrets, listener.id, end)).catch(() => {});
    this.leave(call, listened, listener.id);
  }

  private leave(call: ListenedCall, listened: ListenedTo, id: string): boolean {
    if (!listened.listeners.delete(id)) return false;
    if (listened.listeners.size === 0) {
      listened.closing ??= this.close(call, listened);
    }
    return true;
  }

  private async close(call: ListenedCall, listened: ListenedTo): Promise<void> {
    await listened.opening.catch(() => {});
    await listened.copy.close();
    this.calls.delete(call);
    if (this.calls.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async publish({ id }: Listener, sealed: string): Promise<number> {
    try {
      return await this.deps.redis.publish(listeningChannel(id), sealed);
    } catch (error) {
      this.deps.log.debug({ error: failureText(error) }, 'Audio for a listener was not published.');
      throw error;
    }
  }
}
