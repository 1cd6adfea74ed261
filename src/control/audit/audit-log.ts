import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import type { ActorKind, AuditEventsTable } from './tables.js';

type Connection = Kysely<Database> | Transaction<Database>;

export interface Actor {
  readonly kind: ActorKind;
  readonly id: string;
  readonly name: string;
}

/** Who a request came from. */
export const actorOf = ({
  member,
  keyId,
  name,
}: {
  readonly member?: unknown;
  readonly keyId: string;
  readonly name: string;
}): Actor => ({ kind: member === undefined ? 'key' : 'member', id: keyId, name });

export interface AuditEvent {
  readonly organizationId: string;
  readonly actor: Actor;
  readonly action: string;
  readonly summary: string;
  readonly subject?: string;
  readonly fields?: readonly string[];
  readonly address: string | null;
}

const longestSubject = 200;

export async function noteEvent(database: Connection, event: AuditEvent): Promise<void> {
  const { organizationId, actor, action, summary, subject = '', fields = [], address } = event;
  await database
    .insertInto('audit_events')
    .values({
      organization_id: organizationId,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action,
      summary,
      address,
      fields: fields.join(', '),
      subject: subject.slice(0, longestSubject),
    })
    .execute();
}

export interface AuditFilter {
  readonly organizationId: string;
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly limit: number;
  /** Id of the last event of the previous page. */
  readonly after?: string | undefined;
}

/** Newest first. */
export function readEvents(
  database: Connection,
  { organizationId, actorId, action, limit, after }: AuditFilter,
): Promise<Selectable<AuditEventsTable>[]> {
  let query = database.selectFrom('audit_events').selectAll().where('organization_id', '=', organizationId);
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
  if (action !== undefined) query = query.where('action', '=', action);
  if (after !== undefined) query = query.where('id', '<', after);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

const deleteBatch = 5_000;

/** Deletes a bounded number. Returns whether there may be more. */
export async function deleteOldEvents(database: Connection, days: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from audit_events where id in (
    select id from audit_events where occurred_at < now() - make_interval(days => ${days}) limit ${deleteBatch}
  )`.execute(database);
  return numAffectedRows >= BigInt(deleteBatch);
}
