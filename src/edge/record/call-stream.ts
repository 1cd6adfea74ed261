import type { Logger } from '../../base/log.js';
import { PacedTask } from '../../base/paced-task.js';
import { execute, type Redis } from '../../base/redis.js';
import type { RecordSettings } from '../../config/edge-settings.js';
import type { CallRecord } from '../../contract/call-record.js';
import { callStream } from '../../contract/keys.js';
import { RecentRecords } from './recent-records.js';
import { SpillFile } from './spill-file.js';

export interface CallStreamParts {
  readonly settings: RecordSettings;
  readonly redis: Redis;
  /** The hash of this process's calls without a record: a record and the end of its field are one transaction. */
  readonly openCallsKey: string;
  /** The hash of its calls that a successor could continue, likewise. */
  readonly heldCallsKey: string;
  /** False: another process has this one's calls, and writes their records. Rejects while that is unknown. */
  readonly isHolder: () => Promise<boolean>;
  readonly log: Logger;
}

/** Entries of one round trip; at 10 KB a record about 1 MB. */
const batchSize = 100;
/** Records of this time share a round trip; `docs/traces.md` states it as what a killed edge may lose of a record. */
const gatherMilliseconds = 200;
const retryMilliseconds = 500;
/** After a failed write, the disk is retried after this long. */
const diskRetryMilliseconds = 1_000;
/** While both refuse, memory holds so many times the usual octets: fifteen minutes of 10 calls a second. */
const withoutDiskFactor = 4;
/** How quickly the mean length of records follows: over some hundred of them. */
const meanWeight = 0.01;

/**
 * Call records on their way to the Redis stream, at least once and in order. While Redis is down they wait in memory, and
 * beyond the bound in a file of the state directory, which also takes over what still waits when the process ends: an
 * outage costs disk space, not records. While the disk is full as well, memory holds more of them. A record may arrive
 * twice; its `call_id` identifies it.
 */
export class CallStream {
  private queue: string[] = [];
  private queuedBytes = 0;
  private readonly spill: SpillFile;
  /** True while the spill file holds older records, which go first. */
  private isSpilled = false;
  private writing: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;
  private lostCount = 0;
  private diskError: string | undefined;
  private diskRetryAt = 0;
  /** Records at the front of the queue that the disk refused. */
  private kept = 0;
  /** Of a record, octets. */
  private meanLength = 0;
  private readonly recent = new RecentRecords();
  private readonly onReady = (): void => {
    void this.restore();
    this.wake();
  };
  private readonly pace = new PacedTask(() => {
    // Records on disk belong to the next process once this one has stopped.
    if (!this.stopped) void this.write();
  }, gatherMilliseconds);

  constructor(private readonly parts: CallStreamParts) {
    this.spill = new SpillFile(parts.settings.spillFile);
  }

  /** Loads records that an earlier process left in the spill file. */
  async start(): Promise<void> {
    this.isSpilled = await this.spill.hasLines();
    if (this.isSpilled) this.parts.log.info('Found call records of an earlier run.');
    this.parts.redis.on('ready', this.onReady);
    if (this.parts.redis.status === 'ready') void this.restore();
    this.wake();
  }

  /** Queues a record; never blocks and never throws. */
  publish(record: CallRecord): void {
    const json = JSON.stringify(record);
    this.queue.push(json);
    this.queuedBytes += json.length;
    this.meanLength += (json.length - this.meanLength) * (this.meanLength === 0 ? 1 : meanWeight);
    const { maximumWaiting, maximumWaitingBytes } = this.parts.settings;
    const isTooMuch = this.queue.length > maximumWaiting || this.queuedBytes > maximumWaitingBytes;
    if (isTooMuch && performance.now() >= this.diskRetryAt) void this.spillQueue();
    this.loseExcess();
    this.wake();
  }

  /** Writes everything that waits to Redis, or else to the spill file; for the end of the process. */
  async flush(): Promise<void> {
    await this.write();
    if (this.queue.length > 0) await this.write();
    if (this.queue.length > 0) await this.spillQueue();
    await this.spill.settled();
    this.lostCount += this.stopped ? this.queue.length : 0;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.parts.redis.off('ready', this.onReady);
    this.pace.stop();
    clearTimeout(this.retry);
    await this.flush();
  }

  /** Records in memory, not in Redis yet; those in the spill file not counted. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Why the disk refused records last, as `ENOSPC`; undefined while it takes them. */
  get diskFailure(): string | undefined {
    return this.diskError;
  }

  /** Records that neither Redis nor the disk took. */
  get lost(): number {
    return this.lostCount;
  }

  private wake(): void {
    if (this.retry !== undefined || this.stopped || this.writing !== undefined) return;
    if (this.queue.length > 0 || this.isSpilled) this.pace.request();
  }

  private write(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
      this.wake();
    });
    return this.writing;
  }

  /** What waits at this moment; what comes meanwhile is gathered for the next time. */
  private async writeAll(): Promise<void> {
    try {
      if (this.parts.redis.status !== 'ready') throw new Error('Redis is down');
      if (this.isSpilled) {
        await this.spill.drain(batchSize, (lines) => this.add(lines));
        this.isSpilled = this.spill.lines > 0;
        this.parts.log.info('Wrote the call records kept on disk.');
      }
      for (let left = this.queue.length; left > 0 && !this.isSpilled; left -= batchSize) {
        const batch = this.queue.slice(0, Math.min(left, batchSize));
        await this.add(batch);
        this.forget(batch);
      }
      if (this.isSpilled) this.retryLater();
    } catch {
      this.retryLater();
    }
  }

  private async add(records: readonly string[]): Promise<void> {
    if (!(await this.parts.isHolder())) return;
    const transaction = this.parts.redis.multi();
    const { streamLength, streamBytes } = this.parts.settings;
    // Redis limits entries, but its memory use depends on octets.
    const most = Math.max(1, Math.min(streamLength, Math.floor(streamBytes / Math.max(1, this.meanLength))));
    for (const json of records) transaction.xadd(callStream, 'MAXLEN', '~', most, '*', 'record', json);
    const callIds = records.flatMap((json) => callIdOf(json) ?? []);
    if (callIds.length > 0) {
      transaction.hdel(this.parts.openCallsKey, ...callIds);
      transaction.hdel(this.parts.heldCallsKey, ...callIds);
    }
    await execute(transaction);
    this.recent.written(records);
  }

  /** After a failover or a restart, Redis may lack what it acknowledged a moment before: those records are written again. */
  private async restore(): Promise<void> {
    try {
      const missing = this.recent.missingAt(await this.parts.redis.info('server'));
      if (missing.length === 0 || this.stopped) return;
      this.parts.log.info(
        { records: missing.length },
        'Another Redis server: writing recent call records again.',
      );
      this.queue.unshift(...missing);
      this.kept += missing.length;
      for (const json of missing) this.queuedBytes += json.length;
      this.wake();
    } catch {
      // The next connection asks again.
    }
  }

  /** Takes a written batch off the queue, unless the queue was spilled to disk meanwhile. */
  private forget(batch: readonly string[]): void {
    if (this.queue[0] !== batch[0]) return;
    this.queue.splice(0, batch.length);
    this.kept = Math.max(0, this.kept - batch.length);
    for (const json of batch) this.queuedBytes -= json.length;
  }

  private async spillQueue(): Promise<void> {
    const lines = this.queue;
    this.queue = [];
    this.queuedBytes = 0;
    this.isSpilled = true;
    this.kept = 0;
    try {
      await this.spill.append(lines);
      this.parts.log.warn({ records: lines.length }, 'Redis is down; keeping call records on disk.');
      this.diskError = undefined;
    } catch (error) {
      this.keep(lines, error as NodeJS.ErrnoException);
    }
  }

  /** The disk does not take them: they stay in memory. */
  private keep(lines: readonly string[], { code, message }: NodeJS.ErrnoException): void {
    if (this.diskError === undefined) {
      this.parts.log.error({ records: lines.length, error: message }, 'Writing call records to disk failed.');
    }
    this.diskError = code ?? message;
    this.diskRetryAt = performance.now() + diskRetryMilliseconds;
    this.isSpilled = this.spill.lines > 0;
    // After the records refused a moment before.
    this.queue.splice(this.kept, 0, ...lines);
    this.kept += lines.length;
    for (const json of lines) this.queuedBytes += json.length;
    this.loseExcess();
    this.retryLater();
  }

  /** Memory is bounded, whatever Redis and the disk do: the oldest records go first. */
  private loseExcess(): void {
    const most = this.parts.settings.maximumWaitingBytes * withoutDiskFactor;
    if (this.queuedBytes <= most) return;
    let lost = 0;
    while (this.queuedBytes > most && lost < this.queue.length)
      this.queuedBytes -= this.queue[lost++]!.length;
    this.queue.splice(0, lost);
    this.kept = Math.max(0, this.kept - lost);
    if (this.lostCount === 0) {
      this.parts.log.error('Call records lost: neither Redis nor the disk accepts them.');
    }
    this.lostCount += lost;
  }

  private retryLater(): void {
    if (this.stopped || this.retry !== undefined) return;
    if (this.queue.length === 0 && !this.isSpilled) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      void this.write();
    }, retryMilliseconds);
    this.retry.unref();
  }
}

/** A record's first fields are `version` and `call_id`; one from the spill file is available as text only. */
const callIdOf = (json: string): string | undefined => /^\{"version":1,"call_id":"([^"\\]+)"/.exec(json)?.[1];
