import { type Kysely, sql } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { stereoHeader, stereoHeaderLength } from '../../../rtp/stereo-wave.js';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import type { OctetRange } from './octet-range.js';

const partOctets = 256 * 1_024;

/**
 * Stores what was recorded in a run in place of what an earlier attempt recorded, and deletes the organization's oldest recordings
 * beyond the limit.
 */
export async function storeRecording(
  database: Kysely<Database>,
  { organizationId, runId, sound }: { organizationId: string; runId: string; sound: Buffer },
  limitOctets: number,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('agent_test_recordings')
      .where('organization_id', '=', organizationId)
      .where('run_id', '=', runId)
      .execute();
    await transaction
      .insertInto('agent_test_recordings')
      .values({ organization_id: organizationId, run_id: runId, octets: sound.length })
      .execute();
    for (let position = 0; position * partOctets < sound.length; position++) {
      const data = sound.subarray(position * partOctets, (position + 1) * partOctets);
      await transaction
        .insertInto('agent_test_recording_parts')
        .values({ organization_id: organizationId, run_id: runId, position, data })
        .execute();
    }
  });
  await sql`delete from agent_test_recordings where organization_id = ${organizationId} and run_id in (
    select run_id from (
      select run_id, sum(octets) over (order by created_at desc, run_id) as total
      from agent_test_recordings where organization_id = ${organizationId}) summed
    where total > ${limitOctets})`.execute(database);
}

export interface StoredRecording {
  readonly runId: string;
  /** Of the file. */
  readonly length: number;
  /** The octets of a range of the file, in parts. */
  readonly read: (range: OctetRange) => AsyncGenerator<Buffer>;
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function findRecording(
  database: Kysely<Database>,
  organizationId: string,
  runId: string,
): Promise<StoredRecording> {
  const found = isUuid(runId)
    ? await database
        .selectFrom('agent_test_recordings')
        .select('octets')
        .where('organization_id', '=', organizationId)
        .where('run_id', '=', runId)
        .executeTakeFirst()
    : undefined;
  if (found === undefined)
    throw new DemarcError('NOT_FOUND', `Recording of run ${runId.slice(0, 64)} not found`);
  const { octets } = found;
  return {
    runId,
    length: stereoHeaderLength + octets,
    read: (range) => octetsOf(database, { organizationId, runId, octets }, range),
  };
}

async function* octetsOf(
  database: Kysely<Database>,
  { organizationId, runId, octets }: { organizationId: string; runId: string; octets: number },
  { first, last }: OctetRange,
): AsyncGenerator<Buffer> {
  if (first < stereoHeaderLength) yield stereoHeader(octets).subarray(first, last + 1);
  const from = Math.max(0, first - stereoHeaderLength);
  const end = last + 1 - stereoHeaderLength;
  for (let position = Math.floor(from / partOctets); position * partOctets < end; position++) {
    const part = await database
      .selectFrom('agent_test_recording_parts')
      .select('data')
      .where('organization_id', '=', organizationId)
      .where('run_id', '=', runId)
      .where('position', '=', position)
      .executeTakeFirst();
    if (part === undefined) throw new Error(`Recording of run ${runId} was deleted while it was sent.`);
    const start = position * partOctets;
    yield part.data.subarray(Math.max(0, from - start), end - start);
  }
}
