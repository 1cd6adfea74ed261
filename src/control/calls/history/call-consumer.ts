import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from '../../../base/log.js';
import { firstConnection, type Redis } from '../../../base/redis.js';
import { type StreamEntry, StreamGroup } from '../../../base/stream.js';
import { WakeablePause } from '../../../base/wakeable-pause.js';
import { callStream, storedServerKey } from '../../../contract/keys.js';
import type { LiveCall } from '../../../contract/live.js';
import { isUnavailable } from '../../database/database.js';
import { serverIdentity } from '../../database/server-identity.js';
import type { Database } from '../../database/tables.js';
import { FleetReader } from '../../fleet/fleet-reader.js';
import { compareEntryIds, consumerGroup, trimStream } from '../../streams/stream-position.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { linkContinued } from '../lost/continued-calls.js';
import type { CallRow } from './call-row.js';
import { addSpans } from './call-spans.js';
import { lostAmong, type ReadEntry, readEntry, refusedRow, storeEntries } from './call-storage.js';
import type { TraceArchive } from './trace-archive.js';

export interface CallConsumerDeps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  /** A separate connection, because it blocks on reads. */
  readonly reader: Redis;
  readonly log: Logger;
  /** Absent: no spans are made. */
  readonly telemetry?: Telemetry | undefined;
  /** Absent: traces stay in their records. */
  readonly traces?: Pick<TraceArchive, 'take'> | undefined;
  /** Entries that another process claimed but did not finish within this time are taken over. */
  readonly takeOverMilliseconds?: number;
  /** How often stored entries are trimmed from the stream, and their minimum age. */
  readonly housekeeping?: { readonly everyMilliseconds: number; readonly keepMilliseconds: number };
}

/**
 * Three megabytes per transaction at 12 KB a record. At 100 calls a second the records of one gathering must fit: a full batch would
 * be followed at once by a second transaction for the few that came meanwhile.
 */
const batchSize = 250;
/**
 * Records of this time share a transaction: a call costs a tenth of what it costs alone. The first one after a quiet time does not
 * wait, and a full batch is followed by the next one at once.
 */
const gatherMilliseconds = 1_000;
const longestBlockMilliseconds = 5_000;
/** Entries made into rows in one turn of the event loop: about five milliseconds. */
const rowsAtOnce = 20;
const retryMilliseconds = 500;
/** An edge that loses the engine writes its record before the edge that begins the call again reports it. */
const linkAgainMilliseconds = 3_000;
/** Well below what the stream keeps. */
const compareMilliseconds = 2_000;
/** Longer than any batch takes while PostgreSQL responds. */
const defaultTakeOverMilliseconds = 30_000;
/** Consumers idle for this long are removed from the group. */
const forgetMilliseconds = 3_600_000;
/** Stored entries stay in the stream for a minute only: each takes 10 KB of Redis memory. */
const defaultHousekeeping = { everyMilliseconds: 5_000, keepMilliseconds: 60_000 };

/**
 * Stores finished calls from the stream in PostgreSQL. An entry is acknowledged after its row is committed, so a process
 * that dies in between leaves it to another one; the primary key makes storing idempotent.
 */
export class CallConsumer {
  readonly name = 'call history';
  private readonly group: StreamGroup;
  private stopped = false;
  private running: Promise<void> | undefined;
  private problem: string | undefined = 'not started';
  private tidiedAt = performance.now();
  private storedCount = 0;
  private readAt = Number.NEGATIVE_INFINITY;
  private comparedAt = Number.NEGATIVE_INFINITY;
  private readonly pause = new WakeablePause();
  private readonly fleet: FleetReader;
  /** Lost calls whose continuation was not known when they were stored, and when to look again. */
  private unlinked: { readonly at: number; readonly rows: readonly CallRow[] }[] = [];

  constructor(private readonly deps: CallConsumerDeps) {
    const { redis, reader, takeOverMilliseconds = defaultTakeOverMilliseconds } = deps;
    const { everyMilliseconds } = deps.housekeeping ?? defaultHousekeeping;
    this.fleet = new FleetReader(redis);
    this.group = new StreamGroup({
      redis,
      reader,
      stream: callStream,
      field: 'record',
      group: consumerGroup,
      member: `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
      count: batchSize,
      takeOverMilliseconds,
      readsAgain: true,
      blockMilliseconds: Math.min(longestBlockMilliseconds, everyMilliseconds, takeOverMilliseconds),
    });
  }

  async start(): Promise<void> {
    await firstConnection(this.deps.reader, retryMilliseconds);
    this.running = this.run();
  }

  /** Finishes the current batch. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.pause.wake();
    this.deps.reader.disconnect();
    await this.running;
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return this.problem === undefined
      ? { ready: true, detail: `${this.storedCount} calls stored since startup` }
      : { ready: false, detail: this.problem };
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        if (this.deps.reader.status !== 'ready') throw new Error('Redis is down');
        await this.takeOver();
        this.problem = undefined;
        const entries = await this.group.read();
        this.readAt = performance.now();
        await this.finish(entries);
        await this.storeAgain();
        await this.linkAgain();
        await this.tidy();
        if (entries.length < batchSize) await this.gather();
      } catch (error) {
        if (this.stopped) return;
        await this.wait(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** Until so much time has passed since the last read. */
  private async gather(): Promise<void> {
    const left = this.readAt + gatherMilliseconds - performance.now();
    if (left > 0 && !this.stopped) await this.pause.wait(left);
  }

  /** Entries of processes that died or hung before acknowledging. */
  private async takeOver(): Promise<void> {
    for await (const entries of this.group.takeOver()) {
      this.deps.log.info({ entries: entries.length }, 'Took over call records from another process.');
      await this.finish(entries);
      if (this.stopped) return;
    }
  }

  /**
   * A standby that was promoted, or a restored backup, lacks the calls that were stored last: all of the stream is stored again, which
   * keeps a minute of them at least. Calls that are there stay unchanged.
   */
  private async storeAgain(): Promise<void> {
    if (performance.now() - this.comparedAt < compareMilliseconds) return;
    const { database, redis, log } = this.deps;
    const server = await serverIdentity(database);
    this.comparedAt = performance.now();
    if (server === undefined) return;
    const storedServer = await redis.get(storedServerKey);
    if (storedServer === server) return;
    let count = 0;
    for (let from = '-'; storedServer !== null && !this.stopped; ) {
      const entries = await this.group.range(from);
      const last = entries.at(-1);
      if (last === undefined) break;
      await this.store(entries, await this.readAll(entries));
      count += entries.length;
      from = `(${last.id}`;
    }
    if (this.stopped) return;
    await redis.set(storedServerKey, server);
    if (storedServer !== null)
      log.info({ entries: count }, 'Another PostgreSQL server: stored the calls of the stream again.');
  }

  /** Stores and acknowledges, retrying while PostgreSQL is down; entries left over at a stop are taken over later. */
  private async finish(entries: readonly StreamEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const began = Date.now();
    const read = await this.readAll(entries);
    const refused = read.filter(({ ok }) => !ok).length;
    if (refused > 0) this.deps.log.error({ refused }, 'Invalid entries in the call stream.');
    let archived: readonly ReadEntry[] | undefined;
    while (!this.stopped) {
      try {
        archived ??= (await this.deps.traces?.take(read)) ?? read;
        await this.store(entries, archived);
        break;
      } catch (error) {
        await this.wait(error instanceof Error ? error.message : String(error));
      }
    }
    if (this.stopped) return;
    const rows = lostAmong(read);
    if (rows.length > 0) this.unlinked.push({ at: performance.now() + linkAgainMilliseconds, rows });
    this.problem = undefined;
    this.storedCount += entries.length - refused;
    if (this.deps.telemetry !== undefined) addSpans(this.deps.telemetry, entries, began);
    await this.group.acknowledge(entries);
  }

  private async linkAgain(): Promise<void> {
    const due = this.unlinked.filter(({ at }) => at <= performance.now());
    if (due.length === 0) return;
    this.unlinked = this.unlinked.filter((each) => !due.includes(each));
    const active = await this.readActive();
    await this.deps.database.transaction().execute((transaction) =>
      linkContinued(
        transaction,
        due.flatMap(({ rows }) => rows),
        active,
      ),
    );
  }

  /** None while Redis is down: then the record of the call that continues another one links both. */
  private readonly readActive = async (): Promise<readonly LiveCall[]> => {
    const found = await this.fleet.calls().catch(() => []);
    return found.map(({ call }) => call);
  };

  private async readAll(entries: readonly StreamEntry[]): Promise<ReadEntry[]> {
    const read: ReadEntry[] = [];
    for (const entry of entries) {
      read.push(readEntry(entry));
      if (read.length % rowsAtOnce === 0) await nextTurn();
    }
    return read;
  }

  /** One transaction; if PostgreSQL rejects a row, one by one, so that one invalid row does not block the others. */
  private async store(entries: readonly StreamEntry[], read: readonly ReadEntry[]): Promise<void> {
    const { database, log } = this.deps;
    try {
      await storeEntries(database, read, this.readActive);
    } catch (error) {
      if (isUnavailable(error) || !isOfRecord(error)) throw error;
      for (const [index, entry] of read.entries()) {
        await storeEntries(database, [entry], this.readActive).catch(async (problem: Error) => {
          if (isUnavailable(problem) || !isOfRecord(problem)) throw problem;
          log.error({ entry: entries[index]!.id, error: problem.message }, 'Storing a call record failed.');
          await storeEntries(database, [{ ok: false, row: refusedRow(entries[index]!, problem.message) }]);
        });
      }
    }
  }

  /** Trims stored entries from the stream and removes dead consumers from the group. */
  private async tidy(): Promise<void> {
    const { everyMilliseconds, keepMilliseconds } = this.deps.housekeeping ?? defaultHousekeeping;
    if (performance.now() - this.tidiedAt < everyMilliseconds) return;
    this.tidiedAt = performance.now();
    const { redis } = this.deps;
    const consumers = (await redis.xinfo('CONSUMERS', callStream, consumerGroup)) as unknown[][];
    for (const fields of consumers) {
      const { name, pending, idle } = namedFields(fields);
      if (Number(pending) === 0 && Number(idle) > forgetMilliseconds) {
        await redis.xgroup('DELCONSUMER', callStream, consumerGroup, String(name));
      }
    }
    const groups = ((await redis.xinfo('GROUPS', callStream)) as unknown[][]).map(namedFields);
    // Another consumer group reads the stream, so control must not trim it.
    if (groups.length !== 1) return;
    const [, oldestPending] = (await redis.xpending(callStream, consumerGroup)) as [number, string | null];
    const old = `${Date.now() - keepMilliseconds}-0`;
    const bounds = [
      old,
      String(groups[0]!['last-delivered-id']),
      ...(oldestPending === null ? [] : [oldestPending]),
    ];
    await trimStream(redis, callStream, bounds.toSorted(compareEntryIds)[0]!);
  }

  private async wait(problem: string): Promise<void> {
    if (this.problem !== problem) {
      this.deps.log.warn({ error: problem }, 'Storing call records failed; they stay in Redis.');
    }
    this.problem = problem;
    await sleep(retryMilliseconds);
  }
}

/** What a record may cause, and storing it again cannot mend: SQLSTATE classes 22 (data) and 23 (constraints), or a value that is no time. */
const isOfRecord = (error: unknown): boolean =>
  error instanceof RangeError || /^2[23]/.test(String((error as { code?: unknown }).code ?? ''));

/** Redis returns a map as alternating names and values. */
function namedFields(fields: readonly unknown[]): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (let at = 0; at < fields.length; at += 2) named[String(fields[at])] = fields[at + 1];
  return named;
}
