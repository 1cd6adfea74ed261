import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.js';
import { pathways } from '../../pathways/index.js';
import type { Coverage } from '../schemas/coverage.js';
import { coverageOf, stepOf } from './coverage.js';
import { visitsQuery } from './queries.js';

/** Of the draft or the live version unless one is named. Throws `DemarcError` `NOT_FOUND`. */
export async function pathwayCoverage(
  database: Kysely<Database>,
  organizationId: string,
  pathwayId: string,
  {
    version_number: wanted,
    batch_id: batchId,
  }: { readonly version_number?: number | undefined; readonly batch_id?: string | undefined },
): Promise<Coverage> {
  const { document, version_number: version } = await pathways.versionForTest(
    database,
    organizationId,
    pathwayId,
    wanted,
  );
  const { rows } = await visitsQuery(organizationId, pathwayId, version, batchId).execute(database);
  const visits = {
    nodes: new Set(rows.flatMap(({ source }) => source ?? [])),
    steps: new Set(
      rows.flatMap(({ source, target }) =>
        source === null || target === null ? [] : [stepOf(source, target)],
      ),
    ),
  };
  return {
    ...coverageOf(pathwayId, document, visits),
    version_number: version,
    runs: rows[0]?.runs ?? 0,
  };
}
