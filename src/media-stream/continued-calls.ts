import type { Logger } from '../base/log.js';
import { pause } from '../base/pause.js';
import type { Redis } from '../base/redis.js';
import { streamAliveKey, streamCallsKey, streamProcessesKey } from '../contract/agent-stream.js';
import type { SecretBox } from '../contract/secret.js';
import { idOfSid } from '../contract/stream-ids.js';
import { aliveMilliseconds } from './process-entry.js';
import type { KnownDialog } from './refer-to.js';
import type { StreamCall } from './stream-call.js';
import type { StreamCallDocument } from './stream-call-parts.js';

/** Longer than any call lasts. */
const keptSeconds = 86_400;
const retryMilliseconds = 500;
/** Edges keep a call that long whose agent is silent. */
const patienceMilliseconds = 6_000;
/** Edges end calls whose agent is silent and does not answer OPTIONS: after 9 s, and longer on a busy machine. */
const givenUpMilliseconds = 30_000;
/** A process that stops tries so long to leave its calls; the next one needs the rest of the edges' patience. */
const leaveMilliseconds = 3_000;

/**
 * The answered calls of this process in Redis, from which a successor with the same id continues them. No call waits for it: a call whose
 * document is not there yet does not outlive the process.
 */
export class ContinuedCalls {
  private readonly key: string;
  private readonly changed = new Map<string, StreamCall | undefined>();
  private timer: NodeJS.Timeout | undefined;
  /** The write that is under way. */
  private writing: Promise<void> | undefined;
  private isLeft = false;

  constructor(
    private readonly redis: Redis,
    private readonly id: string,
    private readonly secrets: SecretBox,
    private readonly log: Logger,
  ) {
    this.key = streamCallsKey(id);
  }

  /** What the process before has left, by call id. Rejects when Redis has not answered for some seconds, in which it is asked again. */
  async left(): Promise<Map<string, StreamCallDocument>> {
    for (const until = performance.now() + patienceMilliseconds; ; ) {
      try {
        return await this.read();
      } catch (error) {
        if (performance.now() >= until) throw error;
        await pause(retryMilliseconds);
      }
    }
  }

  private async read(): Promise<Map<string, StreamCallDocument>> {
    const documents = new Map<string, StreamCallDocument>();
    // Derived from the remaining time in Redis, because the wall clock may have been set meanwhile.
    const left = await this.redis.pttl(streamAliveKey(this.id));
    if (aliveMilliseconds - left > givenUpMilliseconds) {
      await this.redis.del(this.key);
      return documents;
    }
    const fields = await this.redis.hgetallBuffer(this.key);
    for (const [id, sealed] of Object.entries(fields)) {
      try {
        // Written by `write` below alone, and authenticated.
        documents.set(id, JSON.parse(this.secrets.openOctets(sealed).toString()) as StreamCallDocument);
      } catch (error) {
        this.log.warn(
          { call: id, error: (error as Error).message },
          'A call of the process before cannot be read.',
        );
      }
    }
    return documents;
  }

  note(call: StreamCall): void {
    if (this.isLeft) return;
    this.changed.set(call.id, call);
    this.soon(0);
  }

  forget(callId: string): void {
    if (this.isLeft) return;
    this.changed.set(callId, undefined);
    this.soon(0);
  }

  /**
   * Writes what has changed, and nothing from then on: the calls are the next process's. Rejects when Redis has not taken it for some
   * seconds.
   */
  async leave(): Promise<void> {
    this.isLeft = true;
    clearTimeout(this.timer);
    // What it does not write is among the changes again.
    await this.writing?.catch(() => {});
    for (const until = performance.now() + leaveMilliseconds; ; ) {
      try {
        await this.write();
        return;
      } catch (error) {
        if (performance.now() >= until) throw error;
        await pause(retryMilliseconds);
      }
    }
  }

  private soon(milliseconds: number): void {
    if (this.isLeft || this.writing !== undefined) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.writeInTurn();
    }, milliseconds);
  }

  /** What changes during the write is written after it. */
  private async writeInTurn(): Promise<void> {
    let wait = 0;
    this.writing = this.write();
    try {
      await this.writing;
    } catch {
      wait = retryMilliseconds;
    }
    this.writing = undefined;
    if (this.changed.size > 0) this.soon(wait);
  }

  private async write(): Promise<void> {
    if (this.changed.size === 0) return;
    const changes = new Map(this.changed);
    this.changed.clear();
    const commands = this.redis.pipeline();
    for (const [id, call] of changes) {
      const document = call?.describe();
      if (document === undefined) commands.hdel(this.key, id);
      else commands.hset(this.key, id, this.secrets.sealOctets(JSON.stringify(document)));
    }
    commands.expire(this.key, keptSeconds);
    try {
      const replies = (await commands.exec()) ?? [];
      for (const [error] of replies) if (error !== null) throw error;
    } catch (error) {
      for (const [id, call] of changes) if (!this.changed.has(id)) this.changed.set(id, call);
      throw error;
    }
  }
}

/** The dialog of an answered call at any process, with its edge. Rejects when Redis does not answer. */
export async function dialogElsewhere(
  redis: Redis,
  callSid: string,
  secrets: SecretBox,
): Promise<KnownDialog | undefined> {
  const callId = idOfSid(callSid, 'CA');
  if (callId === undefined) return undefined;
  for (const process of await redis.smembers(streamProcessesKey)) {
    const sealed = await redis.hgetBuffer(streamCallsKey(process), callId);
    if (sealed === null) continue;
    const { leg } = JSON.parse(secrets.openOctets(sealed).toString()) as StreamCallDocument;
    return { callId: leg.sip_call_id, localTag: leg.local_tag, remoteTag: leg.remote_tag };
  }
  return undefined;
}
