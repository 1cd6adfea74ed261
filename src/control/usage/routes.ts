import { z } from 'zod';
import { type DaySum, dayOf, readDays, readPeak } from '../calls/index.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { InvalidRequest } from '../http/validation.js';
import { callRetentionOf } from '../organizations/organizations.js';

const dayMilliseconds = 86_400_000;
const maximumDays = 92;
const usualDays = 30;

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
  })
  .meta({ id: 'Usage' });

/** `GET /v1/usage`. */
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
        querystring: z.strictObject({
          from: dayParameter(`First day. Default ${usualDays - 1} days before \`to\`.`),
          to: dayParameter('Last day. Default today.'),
        }),
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
        days: days.map((day, index) => {
          const own = sums.filter((sum) => sum.day === day);
          return {
            date: day,
            ...add(own),
            inbound: add(own.filter(({ direction }) => direction === 'inbound')),
            outbound: add(own.filter(({ direction }) => direction === 'outbound')),
            peak_concurrent_calls: peaks[index]!,
          };
        }),
      });
    },
  );
};

/** Every day from the first to the last. Throws `InvalidRequest`. */
function daysOf(from: string | undefined, to: string | undefined): string[] {
  const last = to ?? dayOf(new Date());
  const first = from ?? dayOf(new Date(Date.parse(last) - (usualDays - 1) * dayMilliseconds));
  const count = Math.round((Date.parse(last) - Date.parse(first)) / dayMilliseconds) + 1;
  if (count < 1) throw InvalidRequest.at('from', `from (${first}) must not be after to (${last}).`);
  if (count > maximumDays) {
    throw InvalidRequest.at('from', `from and to must span ${maximumDays} days at most; these are ${count}.`);
  }
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(Date.parse(first) + index * dayMilliseconds)),
  );
}

function add(sums: readonly DaySum[]): z.infer<typeof sumSchema> {
  const total = (of: (sum: DaySum) => number): number => sums.reduce((sum, each) => sum + of(each), 0);
  return {
    calls: total(({ calls }) => calls),
    answered_calls: total(({ answered }) => answered),
    minutes: Math.round(total(({ answeredMilliseconds }) => answeredMilliseconds) / 60) / 1_000,
  };
}
