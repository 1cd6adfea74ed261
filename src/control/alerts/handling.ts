import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';
import type { AlertRow } from './alert-view.js';
import { keyOf } from './watched.js';

const longestMuteMinutes = 10_080;

export const handlingSchema = z
  .strictObject({
    acknowledged: z.boolean().optional().meta({
      description:
        'True: you handle it; your name, or the key’s, and the time are stored. False: withdraws that.',
    }),
    note: z.string().trim().max(1_000).nullable().optional().meta({
      description: 'A note for colleagues, at most 1,000 characters; null clears it.',
    }),
    mute_minutes: z
      .int()
      .min(1)
      .max(longestMuteMinutes)
      .nullable()
      .optional()
      .meta({
        description: `No notices about this alert, its recovery, or new alerts of the same kind for so long. Range 1–${longestMuteMinutes}; null ends it.`,
      }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'acknowledged, note or mute_minutes is required',
  });
export type HandlingChange = z.output<typeof handlingSchema>;

/**
 * Stores who handles an alert; omitted fields keep their value. Undefined if the organization has no such alert.
 * @param name of the member or key that acknowledges or mutes, for colleagues
 */
export async function handleAlert(
  database: Kysely<Database>,
  { organizationId, name }: { readonly organizationId: string; readonly name: string },
  id: string,
  change: HandlingChange,
): Promise<AlertRow | undefined> {
  return database
    .updateTable('alerts')
    .set({ ...handlingColumns(change, name, new Date()), id })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .returningAll()
    .executeTakeFirst();
}

/** What of the row a change sets; an empty note is none. */
export const handlingColumns = (
  { acknowledged, note, mute_minutes: mute }: HandlingChange,
  name: string,
  now: Date,
): Partial<AlertRow> => ({
  ...(acknowledged === undefined
    ? {}
    : acknowledged
      ? { acknowledged_at: now, acknowledged_by: name }
      : { acknowledged_at: null, acknowledged_by: null }),
  ...(note === undefined ? {} : { note: note === '' ? null : note }),
  ...(mute === undefined
    ? {}
    : mute === null
      ? { muted_until: null, muted_at: null, muted_by: null }
      : { muted_until: new Date(now.getTime() + mute * 60_000), muted_at: now, muted_by: name }),
});

/** A number may move to another organization, which must get its notices. */
export const mutedKey = (organizationId: string, key: string): string => `${organizationId} ${key}`;

/** `mutedKey` of the thresholds whose notices are muted, by any of their alerts. */
export async function readMuted(
  database: Kysely<Database> | Transaction<Database>,
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom('alerts')
    .select(['organization_id', 'number', 'direction', 'kind'])
    .where('muted_until', '>', now)
    .execute();
  return new Set(rows.map((row) => mutedKey(row.organization_id, keyOf(row))));
}
