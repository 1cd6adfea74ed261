import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';

/** Of an organization: more than any customer's own list, and its tables stay below a gigabyte. */
export const maximumContacts = 1_000_000;
/**
 * From new callers of one number a day: three and a half a minute around the clock. A stranger who calls with random numbers
 * fills the tables of an organization no faster; such calls are served as before.
 */
export const maximumNewCallers = 5_000;
/** A count of a million rows takes a tenth of a second. */
const countedSeconds = 60;

/**
 * How many contacts the organization may have in addition. The count is up to a minute old: the bound protects the database and is
 * exceeded by what arrives within that time.
 */
export async function roomForContacts(database: Kysely<Database>, organizationId: string): Promise<number> {
  const recent = await sql<{ contacts: number }>`select contacts from contact_counts
    where organization_id = ${organizationId}
      and counted_at > now() - make_interval(secs => ${countedSeconds})`.execute(database);
  const [counted] =
    recent.rows.length > 0
      ? recent.rows
      : (
          await sql<{ contacts: number }>`
            insert into contact_counts (organization_id, contacts, counted_at)
            select id, (select count(*) from (
              select from contacts where organization_id = ${organizationId} limit ${maximumContacts}) present), now()
            from organizations where id = ${organizationId}
            on conflict (organization_id) do update
              set contacts = excluded.contacts, counted_at = excluded.counted_at
            returning contacts`.execute(database)
        ).rows;
  return Math.max(0, maximumContacts - (counted?.contacts ?? 0));
}

/** An inbound number of an organization. */
export interface CalledNumber {
  readonly organizationId: string;
  /** E.164 without plus. */
  readonly called: string;
}

/** Counts new callers of a number. Returns how many of them may have a contact today. */
export async function roomForCallers(
  database: Kysely<Database>,
  { organizationId, called }: CalledNumber,
  callers: number,
): Promise<number> {
  const { rows } = await sql<{ callers: string }>`
    insert into new_callers as known (organization_id, number, day, callers)
    select id, ${called}, (now() at time zone 'utc')::date, ${callers} from organizations where id = ${organizationId}
    on conflict (organization_id, number, day) do update set callers = known.callers + excluded.callers
    returning callers`.execute(database);
  const before = Number(rows[0]?.callers ?? callers) - callers;
  return Math.min(callers, Math.max(0, maximumNewCallers - before));
}

/** Callers of today who got no contact. */
export async function callersWithoutContact(database: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select coalesce(sum(callers - ${maximumNewCallers}), 0) as count from new_callers
    where day = (now() at time zone 'utc')::date and callers > ${maximumNewCallers}`.execute(database);
  return Number(rows[0]!.count);
}
