import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';
import type { PromotionsTable } from './tables.js';

export type PromotionRow = Selectable<PromotionsTable>;

const moment = z.iso.datetime();

/** A promotion whose required tests run, or have run. */
export const promotionSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the promotion.' }),
    status: z.enum(['RUNNING', 'PROMOTED', 'REFUSED']).meta({
      description:
        'RUNNING: the required scenarios run; PROMOTED: all passed often enough and the version became live; REFUSED: it did not.',
    }),
    version_number: z.int().meta({ description: 'Version that is to become live.' }),
    batch_id: z.string().meta({ description: 'Batch of the required scenarios.' }),
    reasons: z.array(z.string()).meta({ description: 'Why it was refused; empty: it was not.' }),
    is_stand_in: z.boolean().meta({
      description:
        'True: the stand-in that answers by rules took part in the tests, because no language model is configured.',
    }),
    created_at: moment,
    completed_at: moment.nullable(),
  })
  .meta({ id: 'Promotion' });

export const promotionView = (row: PromotionRow): z.infer<typeof promotionSchema> => ({
  id: row.id,
  status: row.status,
  version_number: row.version_number,
  batch_id: row.batch_id,
  reasons: row.reasons,
  is_stand_in: row.is_stand_in,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});

/** The latest promotion with tests of each subject, by its id. */
export async function latestPromotions(
  database: Kysely<Database>,
  organizationId: string,
  kind: PromotionRow['kind'],
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, PromotionRow>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('promotions')
    .selectAll()
    .distinctOn('subject_id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('subject_id', '=', sql<string>`any(${[...subjectIds]}::uuid[])`)
    .orderBy('subject_id')
    .orderBy('created_at', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.subject_id, row]));
}
