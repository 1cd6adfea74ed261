import type { Kysely } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import type { Database } from '../../database/tables.js';
import { nameOf } from '../../http/one-line.js';
import { isTimeZone } from '../../http/time-zone.js';
import { isInUsualYears, unusualYear } from '../../http/usual-years.js';
import { InvalidRequest } from '../../http/validation.js';
import { phoneNumberSchema } from '../../numbers/fields.js';
import { requirePhoneNumber } from '../../numbers/number-access.js';
import { alertKinds } from '../tables.js';
import { longestWeeklyMinutes, type Schedule, weekdays } from './schedule.js';
import type { MaintenanceWindow, WindowValues } from './windows.js';

const longestOnceDays = 30;

const moment = z.union(
  [z.iso.datetime({ offset: true }), z.iso.datetime({ local: true })],
  'Must be ISO 8601, such as 2026-11-22T02:00 (in time_zone) or 2026-11-22T01:00:00Z.',
);

const scheduleInput = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('once').meta({ description: 'One time' }),
      starts_at: moment.meta({ description: 'ISO 8601; without offset in `time_zone`' }),
      ends_at: moment.meta({
        description: `ISO 8601; without offset in \`time_zone\`. At most ${longestOnceDays} days later`,
      }),
    }),
    z.strictObject({
      type: z.literal('weekly').meta({ description: 'Every week' }),
      weekdays: z
        .array(z.enum(weekdays))
        .min(1)
        .max(weekdays.length)
        .transform((days) => weekdays.filter((day) => days.includes(day)))
        .meta({ description: 'Days on which it starts' }),
      start_time: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM, 00:00 to 23:59')
        .meta({
          description:
            'HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts',
          examples: ['02:00'],
        }),
      duration_minutes: z
        .int()
        .min(1)
        .max(longestWeeklyMinutes)
        .meta({ description: `Elapsed minutes. Range 1–${longestWeeklyMinutes}`, examples: [120] }),
    }),
  ])
  .meta({ description: 'When the window is open' });

const fields = {
  name: nameOf(100).meta({
    description: 'Name of the planned work, 1–100 characters',
    examples: ['PBX upgrade'],
  }),
  phone_number: phoneNumberSchema
    .nullable()
    .meta({ description: 'Only this number; null: not limited to a number' }),
  trunk_id: z
    .string()
    .min(1)
    .max(64)
    .nullable()
    .meta({ description: 'Only numbers of this shared trunk; null: not limited to a trunk' }),
  kinds: z
    .array(z.enum(alertKinds))
    .min(1)
    .max(alertKinds.length)
    .transform((kinds) => alertKinds.filter((kind) => kinds.includes(kind)))
    .meta({ description: 'Kinds of alerts that are not sent. Default all' }),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'Must be an IANA time zone, such as Europe/Berlin')
    .meta({ description: 'IANA time zone of the schedule', examples: ['Europe/Berlin'] }),
  schedule: scheduleInput,
  enabled: z.boolean().meta({ description: 'False: the window is ignored. Default true' }),
};

export const creationSchema = z.strictObject({
  name: fields.name,
  phone_number: fields.phone_number.default(null),
  trunk_id: fields.trunk_id.default(null),
  kinds: fields.kinds.default([...alertKinds]),
  time_zone: fields.time_zone,
  schedule: fields.schedule,
  enabled: fields.enabled.default(true),
});

export const changeSchema = z.strictObject({
  name: fields.name.optional(),
  phone_number: fields.phone_number.optional(),
  trunk_id: fields.trunk_id.optional(),
  kinds: fields.kinds.optional(),
  time_zone: fields.time_zone.optional(),
  schedule: fields.schedule.optional(),
  enabled: fields.enabled.optional(),
});

/**
 * Throws `InvalidRequest` for a number or trunk that the organization does not have, or times that make no window.
 * @param current the window before the change: its number may have been detached since
 */
export async function valuesOf(
  database: Kysely<Database>,
  organizationId: string,
  body: z.output<typeof creationSchema>,
  current?: MaintenanceWindow,
): Promise<WindowValues> {
  const number = body.phone_number === null ? null : requirePhoneNumber(body.phone_number, 'phone_number');
  if (number !== null && body.trunk_id !== null) {
    throw InvalidRequest.at('trunk_id', 'phone_number and trunk_id exclude each other: send only one');
  }
  if (number !== null && number !== current?.number)
    await requireRow(database, 'numbers', 'number', number, organizationId);
  if (body.trunk_id !== null) await requireRow(database, 'trunks', 'id', body.trunk_id, organizationId);
  return {
    name: body.name,
    number,
    trunkId: body.trunk_id,
    kinds: body.kinds,
    enabled: body.enabled,
    timeZone: body.time_zone,
    schedule: storedSchedule(body.schedule, body.time_zone),
  };
}

async function requireRow(
  database: Kysely<Database>,
  table: 'numbers' | 'trunks',
  column: 'number' | 'id',
  value: string,
  organizationId: string,
): Promise<void> {
  const { ref } = database.dynamic;
  const found = await database
    .selectFrom(table)
    .select('organization_id')
    .where(ref(column), '=', value)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (found !== undefined) return;
  if (table === 'numbers') throw InvalidRequest.at('phone_number', 'Must be a number of your organization');
  throw InvalidRequest.at('trunk_id', 'Must be a trunk of your organization');
}

/** With the times of a single window in UTC. Throws `InvalidRequest`. */
export function storedSchedule(schedule: z.output<typeof scheduleInput>, zone: string): Schedule {
  if (schedule.type === 'weekly') return schedule;
  const [startsAt, endsAt] = [instantOf(schedule.starts_at, zone), instantOf(schedule.ends_at, zone)];
  if (!isInUsualYears(startsAt)) throw InvalidRequest.at('schedule.starts_at', unusualYear);
  if (!isInUsualYears(endsAt)) throw InvalidRequest.at('schedule.ends_at', unusualYear);
  if (endsAt <= startsAt) throw InvalidRequest.at('schedule.ends_at', 'ends_at must be after starts_at');
  if (endsAt.getTime() - startsAt.getTime() > longestOnceDays * 86_400_000) {
    throw InvalidRequest.at('schedule.ends_at', `A window lasts at most ${longestOnceDays} days`);
  }
  return { type: 'once', starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() };
}

const instantOf = (text: string, zone: string): Date =>
  /(Z|[+-]\d\d:?\d\d)$/.test(text)
    ? new Date(text)
    : new Date(Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds);

/** The body that would create a stored window, for changes of some of its fields. */
export const bodyOf = (window: MaintenanceWindow): z.output<typeof creationSchema> => ({
  name: window.name,
  phone_number: window.number === null ? null : `+${window.number}`,
  trunk_id: window.trunk_id,
  kinds: window.kinds,
  time_zone: window.time_zone,
  schedule: window.schedule as z.output<typeof scheduleInput>,
  enabled: window.enabled,
});
