import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Database } from '../database/tables.js';
import type { DocumentStorage } from './documents/document-storage.js';

/** A document that no request used. */
const unusedDays = 30;
const batchSize = 200;

/** Deletes documents and letters after their time: so long after the end of the last request that uses them. */
export class DocumentSweep {
  constructor(
    private readonly deps: {
      readonly database: Kysely<Database>;
      readonly documents: DocumentStorage;
      /** 0: those of requests are kept for ever. */
      readonly retentionDays: number;
      readonly log: Logger;
    },
  ) {}

  /** Returns how many were deleted. */
  async run(): Promise<number> {
    const { database, documents, retentionDays, log } = this.deps;
    const { rows } = await sql<{ id: string }>`
      select d.id from port_documents d left join port_requests r on r.id = d.request_id
      where (r.id is null and d.created_at < now() - make_interval(days => ${unusedDays}))
        or (${retentionDays} > 0 and r.ended_at < now() - make_interval(days => ${retentionDays})
          and not exists (select from port_requests other
            where other.organization_id = d.organization_id and other.documents @> to_jsonb(d.id)
              and (other.ended_at is null or other.ended_at >= now() - make_interval(days => ${retentionDays}))))
      limit ${batchSize}`.execute(database);
    let deleted = 0;
    for (const { id } of rows) {
      try {
        // The octets first: a row without them is found again, octets without a row never.
        await documents.discard(id);
        await database.deleteFrom('port_documents').where('id', '=', id).execute();
        deleted++;
      } catch (error) {
        log.warn({ document: id, error: (error as Error).message }, 'A document could not be deleted.');
      }
    }
    return deleted;
  }
}
