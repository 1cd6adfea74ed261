import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Logger } from '../../../base/log.js';
import { type CallRecord, type TraceEntry, traceEntrySchema } from '../../../contract/call-record.js';
import type { Database } from '../../database/tables.js';
import type { ControlDeps } from '../../http/api-server.js';
import { ObjectMissing, S3Store } from '../../objects/s3-store.js';
import type { ReadEntry } from './call-storage.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Traces in one object: many calls share one, because stores charge for each request. */
const objectOctets = 8 * 1024 * 1024;
/** Records wait for the store so long before their traces stay in PostgreSQL. */
const storeMilliseconds = 3_000;
/** A store that failed is asked again after so long. */
const pauseMilliseconds = 30_000;
const readMilliseconds = 5_000;
/** A trace has 512 KB at most, so this is a damaged one. */
const longestTrace = 4 * 1024 * 1024;

const algorithm = 'aes-256-gcm';
const tagOctets = 16;
/** Each key encrypts one trace. */
const nonce = Buffer.alloc(12);

/**
 * Where the trace of a call is, in its record. The key is in PostgreSQL alone: without the row its octets say nothing, so erasing the row erases
 * the trace, although its object holds those of other calls.
 */
export const storedTraceSchema = z.object({
  object: z.string(),
  first: z.int(),
  octets: z.int(),
  key: z.string(),
  messages: z.int(),
});
export type StoredTrace = z.infer<typeof storedTraceSchema>;

export interface TraceArchiveDeps {
  readonly database: Kysely<Database>;
  readonly store: Pick<S3Store, 'putOctets' | 'getOctets' | 'delete'>;
  readonly log: Logger;
  /** False: new traces stay in PostgreSQL. */
  readonly takesNew: boolean;
  readonly count?: ((result: 'moved' | 'kept', traces: number) => void) | undefined;
}

type ReadCall = Extract<ReadEntry, { ok: true }>;

interface Sealed {
  readonly entry: ReadCall;
  readonly octets: Buffer;
  readonly key: Buffer;
}

/** Traces of ended calls in the object store. */
export class TraceArchive {
  private failedAt = Number.NEGATIVE_INFINITY;
  private isDown = false;

  constructor(private readonly deps: TraceArchiveDeps) {}

  /**
   * Moves traces of calls that are about to be stored to the object store; where it does not respond, they stay in their records. Rejects while
   * PostgreSQL is down.
   */
  async take(entries: readonly ReadEntry[]): Promise<readonly ReadEntry[]> {
    const traced = entries.filter((entry): entry is ReadCall => entry.ok && entry.trace.length > 0);
    if (!this.deps.takesNew || traced.length === 0) return entries;
    const moved = new Map<ReadEntry, ReadEntry>();
    for (const part of portionsOf(await Promise.all(traced.map(sealed)))) {
      if (performance.now() - this.failedAt < pauseMilliseconds) break;
      for (const [before, after] of await this.put(part)) moved.set(before, after);
    }
    this.deps.count?.('moved', moved.size);
    this.deps.count?.('kept', traced.length - moved.size);
    return entries.map((entry) => moved.get(entry) ?? entry);
  }

  private async put(part: readonly Sealed[]): Promise<Map<ReadEntry, ReadEntry>> {
    const object = `traces/${new Date().toISOString().slice(0, 10)}/${randomBytes(12).toString('hex')}`;
    // Before the object, so that none is forgotten.
    await this.deps.database.insertInto('call_trace_objects').values({ name: object }).execute();
    const octets = Buffer.concat(part.map((each) => each.octets));
    const moved = new Map<ReadEntry, ReadEntry>();
    try {
      await this.deps.store.putOctets(object, octets, AbortSignal.timeout(storeMilliseconds));
    } catch (error) {
      this.failedAt = performance.now();
      if (!this.isDown)
        this.deps.log.warn(
          { error: (error as Error).message },
          'Object store down: traces of calls stay in PostgreSQL.',
        );
      this.isDown = true;
      return moved;
    }
    if (this.isDown) this.deps.log.info('Object store up: it gets the traces of calls again.');
    this.isDown = false;
    let first = 0;
    for (const { entry, octets: its, key } of part) {
      const at: StoredTrace = {
        object,
        first,
        octets: its.length,
        key: key.toString('base64url'),
        messages: entry.trace.length,
      };
      first += its.length;
      const record = await compress(JSON.stringify({ ...entry.record, stored_trace: at }));
      moved.set(entry, { ...entry, trace: [], row: { ...entry.row, record } });
    }
    return moved;
  }

  /** The trace; undefined: its object was deleted. Rejects where the store does not respond. */
  async read({ object, first, octets, key }: StoredTrace): Promise<readonly TraceEntry[] | undefined> {
    let stored: Buffer;
    try {
      stored = await this.deps.store.getOctets(object, first, octets, AbortSignal.timeout(readMilliseconds));
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      this.deps.log.warn({ error: (error as Error).message, object }, 'Reading a trace failed.');
      throw error;
    }
    const decipher = createDecipheriv(algorithm, Buffer.from(key, 'base64url'), nonce, {
      authTagLength: tagOctets,
    });
    decipher.setAuthTag(stored.subarray(-tagOctets));
    const json = await decompress(
      Buffer.concat([decipher.update(stored.subarray(0, -tagOctets)), decipher.final()]),
      { maxOutputLength: longestTrace },
    );
    return z.array(traceEntrySchema).parse(JSON.parse(json.toString('utf8')));
  }

  /** Deletes objects that were stored before; returns how many. */
  async deleteBefore(oldest: Date, isStopped: () => boolean): Promise<number> {
    const { database, store } = this.deps;
    let total = 0;
    while (!isStopped()) {
      const found = await database
        .selectFrom('call_trace_objects')
        .select('name')
        .where('stored_at', '<', oldest)
        .orderBy('stored_at')
        .limit(deletedAtOnce)
        .execute();
      if (found.length === 0) break;
      const names = found.map(({ name }) => name);
      await Promise.all(names.map((name) => store.delete(name)));
      await sql`delete from call_trace_objects where name = any(${names}::text[])`.execute(database);
      total += names.length;
    }
    return total;
  }
}

const deletedAtOnce = 8;

async function sealed(entry: ReadCall): Promise<Sealed> {
  const key = randomBytes(32);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagOctets });
  const text = await compress(JSON.stringify(entry.trace));
  return { entry, key, octets: Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]) };
}

function* portionsOf(all: readonly Sealed[]): Generator<readonly Sealed[]> {
  let part: Sealed[] = [];
  let octets = 0;
  for (const each of all) {
    if (part.length > 0 && octets + each.octets.length > objectOctets) {
      yield part;
      part = [];
      octets = 0;
    }
    part.push(each);
    octets += each.octets.length;
  }
  if (part.length > 0) yield part;
}

/** Undefined: there is no object store. */
export function traceArchiveOf(
  { database, settings, log }: Pick<ControlDeps, 'database' | 'settings' | 'log'>,
  count?: TraceArchiveDeps['count'],
): TraceArchive | undefined {
  const { s3 } = settings.porting.documents;
  if (s3 === undefined) return undefined;
  const takesNew = settings.traces.store === 's3';
  return new TraceArchive({ database, store: new S3Store(s3), log, takesNew, count });
}

/** A stored call with its trace, wherever that is. */
export async function withTrace<
  Found extends { readonly record: CallRecord; readonly storedTrace?: StoredTrace },
>(
  archive: Pick<TraceArchive, 'read'> | undefined,
  found: Found,
): Promise<Found & { readonly isTraceUnavailable: boolean }> {
  const { record, storedTrace } = found;
  if (storedTrace === undefined) return { ...found, isTraceUnavailable: false };
  const read = await (archive?.read(storedTrace) ?? Promise.reject(new Error('no store'))).then(
    (trace) => ({ trace }),
    () => undefined,
  );
  const trace = read?.trace;
  return {
    ...found,
    record: trace === undefined ? { ...record, trace_truncated: true } : { ...record, trace: [...trace] },
    isTraceUnavailable: read === undefined,
  };
}
