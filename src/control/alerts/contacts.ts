import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';
import { readPhoneNumber } from '../http/phone-number.js';

const maximumContacts = 10;

const phoneNumber = z
  .string()
  .max(64)
  .transform((text, context) => {
    const digits = readPhoneNumber(text);
    if (digits !== undefined) return digits;
    context.addIssue({ code: 'custom', message: 'Must be an E.164 number' });
    return z.NEVER;
  });

const email = z.email().max(254);

const unique = (list: string[]): string[] => [...new Set(list)];

export const contactsChangeSchema = z.strictObject({
  emails: z.array(email).max(maximumContacts).transform(unique).optional(),
  phone_numbers: z.array(phoneNumber).max(maximumContacts).transform(unique).optional(),
});

/** One contact; exactly one field is set. */
export const contactSchema = z
  .strictObject({ email: email.optional(), phone_number: phoneNumber.optional() })
  .refine((given) => (given.email === undefined) !== (given.phone_number === undefined), {
    error: 'Set either email or phone_number',
  });

/** The alert recipients of an organization. */
export interface Contacts {
  readonly emails: readonly string[];
  /** E.164 digits without plus. */
  readonly phoneNumbers: readonly string[];
}

export const noContacts: Contacts = { emails: [], phoneNumbers: [] };

/** By organization; organizations without contacts are absent. */
export async function readContacts(
  database: Kysely<Database> | Transaction<Database>,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, Contacts>> {
  if (organizationIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('alert_contacts')
    .selectAll()
    .where('organization_id', '=', sql<string>`any(${[...organizationIds]}::text[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.organization_id, { emails: row.emails, phoneNumbers: row.phone_numbers }]),
  );
}

/** A given list replaces the current one. */
export async function changeContacts(
  database: Kysely<Database>,
  organizationId: string,
  change: z.output<typeof contactsChangeSchema>,
): Promise<Contacts> {
  const given = Object.fromEntries(
    Object.entries(change).map(([name, list]) => [name, JSON.stringify(list)]),
  );
  const row = await database
    .insertInto('alert_contacts')
    .values({ organization_id: organizationId, emails: '[]', phone_numbers: '[]', ...given })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ ...given, updated_at: new Date() }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return { emails: row.emails, phoneNumbers: row.phone_numbers };
}
