import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../../base/log.js';
import { type Actor, noteEvent } from '../../audit/audit-log.js';
import type { Database } from '../../database/database.js';
import { SweepService } from '../../jobs/sweep-service.js';

/** Twelve renewals: PostgreSQL may have been down for a while. */
const abandonedSeconds = 60;
const sweepMilliseconds = 30_000;

export interface BegunListening {
  readonly id: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly actor: Actor;
  /** Remote address. */
  readonly address: string;
}

/** Records the beginning, before the first sound. */
export async function noteBeginning(
  database: Kysely<Database>,
  { id, organizationId, callId, actor, address }: BegunListening,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('listenings')
      .values({
        id,
        organization_id: organizationId,
        call_id: callId,
        actor_kind: actor.kind,
        actor_id: actor.id,
        actor_name: actor.name,
        address,
      })
      .execute();
    await noteEvent(transaction, {
      organizationId,
      actor,
      action: 'listenToCall',
      summary: 'Begin to listen to a call',
      subject: callId,
      address,
    });
  });
}

/** Keeps `AbandonedListenings` from recording its end. */
export async function renewListening(database: Kysely<Database>, id: string): Promise<void> {
  await database.updateTable('listenings').set({ seen_at: new Date() }).where('id', '=', id).execute();
}

/** Records the end with its duration; once, although two processes may try. @param reason completes "after 5 s:" @param until when it ended */
export async function noteEnd(
  database: Kysely<Database>,
  id: string,
  reason: string,
  until: 'now()' | 'seen_at' = 'now()',
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const ended = await transaction
      .deleteFrom('listenings')
      .where('id', '=', id)
      .returning(['organization_id', 'call_id', 'actor_kind', 'actor_id', 'actor_name', 'address'])
      .returning(sql<number>`extract(epoch from ${sql.raw(until)} - began_at)::float8`.as('seconds'))
      .executeTakeFirst();
    if (ended === undefined) return;
    await noteEvent(transaction, {
      organizationId: ended.organization_id,
      actor: { kind: ended.actor_kind, id: ended.actor_id, name: ended.actor_name },
      action: 'endListening',
      summary: `Stop listening to a call after ${Math.round(ended.seconds)} s: ${reason}`,
      subject: ended.call_id,
      address: ended.address,
    });
  });
}

/** Records the end of listening whose process was killed. */
export class AbandonedListenings extends SweepService {
  constructor(
    private readonly database: Kysely<Database>,
    log: Logger,
  ) {
    super('listening', 'recording the end of listening that was cut off', {
      everyMilliseconds: sweepMilliseconds,
      failed: (error) =>
        log.warn({ error: error.message }, 'Recording the end of listening failed; retrying.'),
    });
  }

  async sweep(): Promise<void> {
    const abandoned = await this.database
      .selectFrom('listenings')
      .select('id')
      .where('seen_at', '<', sql<Date>`now() - make_interval(secs => ${abandonedSeconds})`)
      .execute();
    for (const { id } of abandoned) await noteEnd(this.database, id, 'control was cut off', 'seen_at');
  }
}
