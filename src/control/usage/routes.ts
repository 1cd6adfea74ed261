import type { Kysely } from 'kysely';
import { z } from 'zod';
import { limitView, readNumberAlerts } from '../alerts/index.js';
import { dayOf, readDays, readGroups, readPeak } from '../calls/index.js';
import type { Database } from '../database/tables.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { pageLimit } from '../http/query.js';
import { callRetentionOf } from '../organizations/organizations.js';
import { limitKinds } from './tables.js';
import {
  add,
  dayMilliseconds,
  daysOf,
  dayViews,
  groupViews,
  limitViews,
  maximumDays,
  usualDays,
} from './usage-view.js';
import { readLimited, readUsedLimits } from './used-limits.js';

const mostNumberLimits = 100;

const dayParameter = (description: string) =>
  z.iso
    .date({ error: 'Must be a day as 2026-11-22' })
    .optional()
    .meta({ description, examples: ['2026-11-01'] });

const sumShape = {
  calls: z.int().meta({ description: 'Calls that started on the day, answered or not.' }),
  answered_calls: z.int().meta({ description: 'Calls that were answered.' }),
  minutes: z.number().meta({ description: 'Minutes from answer to end, of the answered calls.' }),
};
const sumSchema = z.object(sumShape);

const usageSchema = z
  .object({
    from: z.iso.date().meta({ description: 'First day, in UTC.' }),
    to: z.iso.date().meta({ description: 'Last day, in UTC.' }),
    total: sumSchema.meta({ description: 'All days together.' }),
    days: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: 'The day, in UTC.' }),
          ...sumShape,
          inbound: sumSchema.meta({ description: 'Calls to your numbers.' }),
          outbound: sumSchema.meta({ description: 'Calls from your numbers.' }),
          peak_concurrent_calls: z.int().nullable().meta({
            description:
              'Peak concurrent calls of the day, ringing included; null before the call history begins.',
          }),
        }),
      )
      .meta({ description: 'Each day, oldest first.' }),
    limits: z
      .array(
        z.object({
          kind: z.enum(limitKinds).meta({
            description:
              '`concurrent_calls`: peak of today; `minutes_per_month`: answered calls of this month.',
          }),
          period: z.string().meta({ description: 'The present day or month, in UTC.' }),
          measured: z.number().meta({ description: 'What is used.' }),
          limit: z.int().meta({ description: 'What may be used.' }),
          percent: z.int().meta({ description: 'Share of the limit that is used.' }),
          notified_at: z.iso.datetime().nullable().meta({
            description: 'When alert contacts were notified that 80 % is reached; null: not in this period.',
          }),
        }),
      )
      .meta({ description: 'Limits of the organization, whatever the days of the request.' }),
    number_limits: z
      .array(
        z.object({
          phone_number: z.string().nullable().meta({
            description: 'The number; null: the limit is that of a shared trunk.',
          }),
          trunk_id: z
            .string()
            .nullable()
            .meta({ description: 'The trunk that numbers share; null: the limit is that of a number.' }),
          direction: z.enum(['inbound', 'outbound']),
          measured: z.int().meta({ description: 'Highest number of active calls seen today.' }),
          limit: z.int().meta({ description: '`concurrent_calls` in the limits of the direction.' }),
          percent: z.int().meta({ description: 'Share of the limit that was used.' }),
          notified_at: z.iso.datetime().nullable().meta({
            description: 'When alert contacts were notified; null: not yet, at most once in 15 minutes.',
          }),
        }),
      )
      .meta({
        description: `Numbers whose active calls reached 80 % of their limit today (UTC), the fullest first, at most ${mostNumberLimits}; compared every 15 seconds.`,
      }),
  })
  .meta({ id: 'Usage' });

const groupSchema = z.object({
  phone_number: z.string().nullable().meta({ description: 'The number; null: none, or grouped by agent.' }),
  agent: z.string().nullable().meta({
    description:
      'SIP URI or URL of the agent, without parameters; null: none, unknown, or grouped by number.',
  }),
  ...sumShape,
  inbound: sumSchema.meta({ description: 'Calls to your numbers.' }),
  outbound: sumSchema.meta({ description: 'Calls from your numbers.' }),
});

const period = {
  from: dayParameter(`First day. Default ${usualDays - 1} days before \`to\`.`),
  to: dayParameter('Last day. Default today.'),
};

/** `GET /v1/usage`, `GET /v1/usage/breakdown`. */
export const usageRoutes: RouteGroup = (server, { database, settings }) => {
  server.get(
    '/usage',
    {
      config: { isSearch: true },
      schema: {
        operationId: 'getUsage',
        tags: ['Usage'],
        summary: 'Calls, minutes and peak concurrency by day',
        description: `Of your organization, up to ${maximumDays} days. A call counts once it has ended, on the day on which it started (UTC).`,
        querystring: z.strictObject(period),
        response: answers(usageSchema),
      },
    },
    async (request) => {
      const { query, caller } = request;
      const { organizationId } = caller;
      const days = daysOf(query.from, query.to);
      const [first, last] = [days[0]!, days.at(-1)!];
      const sums = await request.inTurn(() => readDays(database, organizationId, first, last));
      const kept = await callRetentionOf(database, organizationId, settings.callRetentionDays);
      const oldest = kept === 0 ? '' : dayOf(new Date(Date.now() - kept * dayMilliseconds));
      const peaks: (number | null)[] = [];
      // Sequential, because these queries share the database with calls.
      for (const day of days) {
        const peak = await request.inTurn(() => readPeak(database, organizationId, day, oldest));
        peaks.push(peak ?? null);
      }
      return success({
        from: first,
        to: last,
        total: add(sums),
        days: dayViews(days, sums, peaks),
        limits: await request.inTurn(() => usedLimits(database, organizationId)),
        number_limits: await request.inTurn(() => nearNumbers(database, organizationId)),
      });
    },
  );

  server.get(
    '/usage/breakdown',
    {
      config: { isSearch: true },
      schema: {
        operationId: 'getUsageBreakdown',
        tags: ['Usage'],
        summary: 'Calls and minutes by number or agent',
        description: `Of your organization, up to ${maximumDays} days; those with the most minutes first. For one day, set \`from\` and \`to\` to it. Calls from before the upgrade to this version are not included.`,
        querystring: z.strictObject({
          by: z.enum(['number', 'agent']).meta({ description: 'What calls are grouped by.' }),
          ...period,
          limit: pageLimit(500, 100),
        }),
        response: answers(
          z.object({
            from: z.iso.date().meta({ description: 'First day, in UTC.' }),
            to: z.iso.date().meta({ description: 'Last day, in UTC.' }),
            groups: z.array(groupSchema).meta({ description: 'Numbers or agents.' }),
          }),
        ),
      },
    },
    async (request) => {
      const { by, from, to, limit } = request.query;
      const days = daysOf(from, to);
      const [first, last] = [days[0]!, days.at(-1)!];
      const { organizationId } = request.caller;
      const sums = await request.inTurn(() =>
        readGroups(database, organizationId, { by, first, last, limit }),
      );
      return success({ from: first, to: last, groups: groupViews(by, sums) });
    },
  );
};

async function nearNumbers(
  database: Kysely<Database>,
  organizationId: string,
): Promise<z.infer<typeof usageSchema>['number_limits']> {
  const rows = await readNumberAlerts(database, organizationId, dayOf(new Date()), mostNumberLimits);
  return rows.map((row) => ({ ...limitView(row), notified_at: row.notified_at?.toISOString() ?? null }));
}

async function usedLimits(
  database: Kysely<Database>,
  organizationId: string,
): Promise<z.infer<typeof usageSchema>['limits']> {
  const [organization] = await readLimited(database, organizationId);
  if (organization === undefined) return [];
  const used = await readUsedLimits(database, organization, 0);
  const alerts = await database
    .selectFrom('usage_alerts')
    .select(['kind', 'period', 'measured', 'fired_at'])
    .where('organization_id', '=', organizationId)
    .where(
      'period',
      'in',
      used.map(({ period }) => period),
    )
    .execute();
  return limitViews(used, alerts);
}
