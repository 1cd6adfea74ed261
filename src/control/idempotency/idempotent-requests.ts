import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';

/** One request as its client names it. */
export interface RequestName {
  readonly keyId: string;
  readonly path: string;
  readonly idempotencyKey: string;
}

/** A request that this process runs. */
export interface Attempt extends RequestName {
  readonly owner: string;
  /** The same for every attempt at the request: what must exist once is named by it. */
  readonly operationId: string;
  /** True: no earlier attempt at the request can have taken effect. */
  readonly isFirst: boolean;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly sealed: string;
}

export type Claim =
  | { readonly kind: 'run'; readonly attempt: Attempt }
  | { readonly kind: 'replay'; readonly answer: StoredAnswer }
  | { readonly kind: 'running'; readonly leaseMilliseconds: number }
  | { readonly kind: 'different' };

export interface ClaimBounds {
  readonly leaseMilliseconds: number;
  readonly keptMilliseconds: number;
}

const after = (milliseconds: number) => sql<Date>`now() + make_interval(secs => ${milliseconds / 1_000})`;

/**
 * Claims the request: one attempt at a time runs it, until it has an answer. An attempt that died, or that ended without a
 * final answer, is taken over with its operation id.
 * @param fingerprints of the request, by the current secret key and then by earlier ones
 */
export async function claimRequest(
  database: Kysely<Database>,
  name: RequestName,
  fingerprints: readonly [Buffer, ...Buffer[]],
  { leaseMilliseconds, keptMilliseconds }: ClaimBounds,
): Promise<Claim> {
  const owner = randomUUID();
  const fresh = randomUUID();
  for (;;) {
    const { rows } = await sql<{ operation_id: string }>`
      insert into idempotent_requests as t
        (key_id, path, idempotency_key, fingerprint, operation_id, owner, lease_until, expires_at)
      values (${name.keyId}, ${name.path}, ${name.idempotencyKey}, ${fingerprints[0]}, ${fresh}, ${owner},
        ${after(leaseMilliseconds)}, ${after(keptMilliseconds)})
      on conflict (key_id, path, idempotency_key) do update set
        owner = excluded.owner, lease_until = excluded.lease_until,
        status = null, headers = null, answer = null,
        fingerprint = excluded.fingerprint,
        operation_id = case when t.expires_at <= now() then excluded.operation_id else t.operation_id end,
        expires_at = case when t.expires_at <= now() then excluded.expires_at else t.expires_at end
      where t.expires_at <= now()
        or (t.status is null and t.lease_until <= now() and t.fingerprint = any(${fingerprints}::bytea[]))
      returning operation_id`.execute(database);
    const [claimed] = rows;
    if (claimed !== undefined) {
      const { operation_id: operationId } = claimed;
      return { kind: 'run', attempt: { ...name, owner, operationId, isFirst: operationId === fresh } };
    }
    const found = await readRequest(database, name);
    // The row expired and was deleted in between.
    if (found === undefined) continue;
    if (!fingerprints.some((fingerprint) => fingerprint.equals(found.fingerprint)))
      return { kind: 'different' };
    if (found.status === null) return { kind: 'running', leaseMilliseconds: Math.max(0, found.lease) };
    const answer = { status: found.status, headers: found.headers ?? {}, sealed: found.answer! };
    return { kind: 'replay', answer };
  }
}

const readRequest = (database: Kysely<Database>, name: RequestName) =>
  database
    .selectFrom('idempotent_requests')
    .select(['fingerprint', 'status', 'headers', 'answer'])
    .select(sql<number>`extract(epoch from lease_until - now())::float8 * 1000`.as('lease'))
    .where('key_id', '=', name.keyId)
    .where('path', '=', name.path)
    .where('idempotency_key', '=', name.idempotencyKey)
    .executeTakeFirst();

/** Keeps the request's answer for the next ones. False: another attempt has taken the request over. */
export async function storeAnswer(
  database: Kysely<Database>,
  attempt: Attempt,
  { status, headers, sealed }: StoredAnswer,
): Promise<boolean> {
  const { numUpdatedRows } = await owned(database, attempt)
    .set({ status, headers: JSON.stringify(headers), answer: sealed })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The request was refused and changed nothing: its key is free, also for another body. */
export async function forgetRequest(database: Kysely<Database>, attempt: Attempt): Promise<void> {
  await database
    .deleteFrom('idempotent_requests')
    .where('key_id', '=', attempt.keyId)
    .where('path', '=', attempt.path)
    .where('idempotency_key', '=', attempt.idempotencyKey)
    .where('owner', '=', attempt.owner)
    .where('status', 'is', null)
    .execute();
}

/** The attempt ended without a final answer: the next one may run at once. */
export async function releaseRequest(database: Kysely<Database>, attempt: Attempt): Promise<void> {
  await owned(database, attempt).set({ lease_until: sql<Date>`now()` }).execute();
}

export async function renewLease(
  database: Kysely<Database>,
  attempt: Attempt,
  leaseMilliseconds: number,
): Promise<void> {
  await owned(database, attempt)
    .set({ lease_until: after(leaseMilliseconds) })
    .execute();
}

/** Deletes expired requests. */
export async function deleteExpiredRequests(database: Kysely<Database>): Promise<void> {
  await database.deleteFrom('idempotent_requests').where('expires_at', '<', sql<Date>`now()`).execute();
}

const owned = (database: Kysely<Database>, { keyId, path, idempotencyKey, owner }: Attempt) =>
  database
    .updateTable('idempotent_requests')
    .where('key_id', '=', keyId)
    .where('path', '=', path)
    .where('idempotency_key', '=', idempotencyKey)
    .where('owner', '=', owner)
    .where('status', 'is', null);
