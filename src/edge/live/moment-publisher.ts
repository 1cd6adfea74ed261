import type { Logger } from '../../base/log.js';
import { execute, type Redis } from '../../base/redis.js';
import type { CallMoment, Moment } from '../../contract/moments.js';
import type { Call } from '../call/call.js';
import { addMoment } from '../record/moment-stream.js';

export interface MomentPublisherParts {
  readonly redis: Redis;
  readonly table: { newcomers(): Set<Call> };
  readonly log: Logger;
}

type Stage = CallMoment['stage'];

/** How late a webhook may learn what happened, besides its own way. */
const lookMilliseconds = 200;
/** Kept while Redis is down; beyond it the oldest are dropped; the call records contain them. */
const maximumWaiting = 10_000;
const entriesAtOnce = 500;
/** Header values of strangers. */
const maximumText = 512;

/**
 * Notifies control when calls begin, ring and are answered. Calls never wait for it: a tick compares each call that is not
 * answered with its published state, and sends changes in one pipeline.
 */
export class MomentPublisher {
  /** How many stages of a call were published. */
  private readonly published = new WeakMap<Call, number>();
  private waiting: Moment[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private dropped = 0;
  /** Calls whose answer was not published yet. */
  private readonly unanswered: Set<Call>;

  constructor(private readonly parts: MomentPublisherParts) {
    this.unanswered = parts.table.newcomers();
  }

  start(): void {
    this.timer = setInterval(() => this.tick(), lookMilliseconds);
    this.timer.unref();
  }

  /** Writes what waits. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.write().catch(() => {});
  }

  private tick(): void {
    this.look();
    this.writing ??= this.write()
      .catch((error: Error) => {
        this.parts.log.debug({ error: error.message }, 'Publishing call events failed.');
      })
      .finally(() => {
        this.writing = undefined;
      });
  }

  private look(): void {
    for (const call of this.unanswered) {
      // Admission has not yet determined the call's organization.
      if (call.state.organization === null) continue;
      const { ringingAt, answeredAt } = call.state;
      const reached = answeredAt !== null ? 3 : ringingAt !== null ? 2 : 1;
      const published = this.published.get(call) ?? 0;
      if (reached === 3) this.unanswered.delete(call);
      if (published >= reached) continue;
      this.published.set(call, reached);
      if (published < 1) this.waiting.push(momentOf(call, 'initiated'));
      if (published < 2 && ringingAt !== null) this.waiting.push(momentOf(call, 'ringing'));
      if (reached === 3) this.waiting.push(momentOf(call, 'answered'));
    }
    const excess = this.waiting.length - maximumWaiting;
    if (excess <= 0) return;
    this.waiting.splice(0, excess);
    if (this.dropped === 0) {
      this.parts.log.warn('Redis is down; webhooks for calls are delayed until the calls end.');
    }
    this.dropped += excess;
  }

  private async write(): Promise<void> {
    const { redis } = this.parts;
    while (this.waiting.length > 0 && redis.status === 'ready') {
      const batch = this.waiting.slice(0, entriesAtOnce);
      const pipeline = redis.pipeline();
      for (const moment of batch) addMoment(pipeline, moment);
      // After a failure they are sent again: control stores each once.
      await execute(pipeline);
      const sent = new Set(batch);
      this.waiting = this.waiting.filter((moment) => !sent.has(moment));
      this.dropped = 0;
    }
  }
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function momentOf({ state }: Call, stage: Stage): Moment {
  return {
    kind: 'call',
    stage,
    call: {
      call_id: state.id,
      organization: state.organization ?? '',
      number: state.number,
      direction: state.direction,
      from: state.from.slice(0, maximumText),
      to: state.to.slice(0, maximumText),
      source_address: state.source.address,
      sip_call_id: state.trunkSipCallId.slice(0, maximumText),
      started_at: new Date(state.startedAt).toISOString(),
      ringing_at: iso(state.ringingAt),
      answered_at: iso(state.answeredAt),
    },
  };
}
