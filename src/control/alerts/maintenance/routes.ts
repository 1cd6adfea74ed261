import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { RouteGroup } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { e164 } from '../../http/phone-number.js';
import { pageLimit, pageOf, pageStart, phoneNumber, truth } from '../../http/query.js';
import { alertKinds } from '../tables.js';
import { occurrenceAt, weekdays } from './schedule.js';
import { bodyOf, changeSchema, creationSchema, valuesOf } from './window-input.js';
import {
  createWindow,
  deleteWindow,
  findWindow,
  isFor,
  isOpen,
  type MaintenanceWindow,
  maximumWindows,
  readWindows,
  updateWindow,
} from './windows.js';

const tags = ['Alerts'];
const moment = z.iso.datetime();

const windowSchema = z
  .object({
    window_id: z.string().meta({ examples: ['mwn_4f2b8c1d9e0a7b6c5d4e3f2a'] }),
    name: z.string().meta({ description: 'What is done' }),
    phone_number: z.string().nullable().meta({ description: 'Only this number; null: not limited' }),
    trunk_id: z.string().nullable().meta({ description: 'Only this shared trunk; null: not limited' }),
    kinds: z.array(z.enum(alertKinds)).meta({ description: 'Kinds of alerts that are not sent' }),
    time_zone: z.string().meta({ description: 'IANA time zone of the schedule' }),
    schedule: z
      .discriminatedUnion('type', [
        z.object({
          type: z.literal('once').meta({ description: 'One time' }),
          starts_at: moment.meta({ description: 'Start' }),
          ends_at: moment.meta({ description: 'End' }),
        }),
        z.object({
          type: z.literal('weekly').meta({ description: 'Every week' }),
          weekdays: z.array(z.enum(weekdays)).meta({ description: 'Days on which it starts' }),
          start_time: z.string().meta({ description: 'HH:MM in `time_zone`' }),
          duration_minutes: z.int().meta({ description: 'Elapsed minutes' }),
        }),
      ])
      .meta({ description: 'When the window is open' }),
    enabled: z.boolean().meta({ description: 'False: the window is ignored' }),
    is_open: z.boolean().meta({ description: 'Whether it is open now' }),
    starts_at: moment.nullable().meta({ description: 'Start of the present or next time; null: it is over' }),
    ends_at: moment.nullable().meta({ description: 'End of the present or next time; null: it is over' }),
    created_at: moment.meta({ description: 'Creation time' }),
    created_by: z.string().meta({ description: 'Name of the member or key that created it' }),
    updated_at: moment.meta({ description: 'Last change' }),
    updated_by: z.string().meta({ description: 'Name of the member or key that changed it last' }),
  })
  .meta({ id: 'MaintenanceWindow' });

function view(window: MaintenanceWindow): z.infer<typeof windowSchema> {
  const now = new Date();
  const occurrence = occurrenceAt(window.schedule, window.time_zone, now);
  const { schedule } = window;
  return {
    window_id: window.id,
    name: window.name,
    phone_number: window.number === null ? null : e164(window.number),
    trunk_id: window.trunk_id,
    kinds: window.kinds,
    time_zone: window.time_zone,
    schedule: schedule.type === 'once' ? schedule : { ...schedule, weekdays: [...schedule.weekdays] },
    enabled: window.enabled,
    is_open: isOpen(window, now),
    starts_at: occurrence?.startsAt.toISOString() ?? null,
    ends_at: occurrence?.endsAt.toISOString() ?? null,
    created_at: window.created_at.toISOString(),
    created_by: window.created_by,
    updated_at: window.updated_at.toISOString(),
    updated_by: window.updated_by,
  };
}

const path = z.strictObject({
  window_id: z.string().min(1).max(64).meta({ description: 'window_id of the window' }),
});
const unknown = (): DemarcError => new DemarcError('NOT_FOUND', 'Maintenance window not found');
const example = {
  name: 'PBX upgrade',
  time_zone: 'Europe/Berlin',
  schedule: { type: 'weekly', weekdays: ['sunday'], start_time: '02:00', duration_minutes: 120 },
};

/** `/v1/sip/maintenance-windows`. */
export const maintenanceRoutes: RouteGroup = (server, { database }) => {
  server.get(
    '/sip/maintenance-windows',
    {
      schema: {
        operationId: 'listMaintenanceWindows',
        tags,
        summary: 'List maintenance windows',
        description: 'Newest first, including those that are over.',
        querystring: z.strictObject({
          open: truth.optional().meta({ description: 'True: only those that are open now' }),
          phone_number: phoneNumber
            .optional()
            .meta({ description: 'Only those that cover this number, its trunk, or all numbers' }),
          limit: pageLimit(maximumWindows, maximumWindows),
          after: pageStart.after,
        }),
        response: listAnswers(
          z.object({ windows: z.array(windowSchema).meta({ description: 'The windows, newest first.' }) }),
        ),
      },
    },
    async ({ caller, query }) => {
      const { organizationId } = caller;
      const { open, phone_number: number } = query;
      const now = new Date();
      const subject =
        number === undefined
          ? undefined
          : { organizationId, number, trunkId: await trunkOf(organizationId, number) };
      const windows = (await readWindows(database, organizationId)).filter(
        (maintenance) =>
          (open === undefined || isOpen(maintenance, now) === open) &&
          (subject === undefined || isFor(maintenance, subject)),
      );
      const { rows, next } = pageOf(windows, query);
      return listed({ windows: rows.map(view) }, next);
    },
  );

  async function trunkOf(organizationId: string, number: string): Promise<string | null> {
    const found = await database
      .selectFrom('numbers')
      .select('trunk_id')
      .where('number', '=', number)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return found?.trunk_id ?? null;
  }

  server.post(
    '/sip/maintenance-windows',
    {
      schema: {
        operationId: 'createMaintenanceWindow',
        errors: ['TOO_MANY_MAINTENANCE_WINDOWS'],
        tags,
        summary: 'Create a maintenance window',
        description:
          'While it is open, alerts of its kinds are recorded but not sent. An alert that persists after it is sent then. For one number, the numbers of one shared trunk, or all numbers.',
        body: creationSchema,
        example,
        response: answers(windowSchema),
      },
    },
    async ({ body, caller }) => {
      const values = await valuesOf(database, caller.organizationId, body);
      return success(view(await createWindow(database, caller.organizationId, values, caller.name)));
    },
  );

  server.get(
    '/sip/maintenance-windows/:window_id',
    {
      schema: {
        operationId: 'getMaintenanceWindow',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a maintenance window',
        description: 'With its present or next time.',
        params: path,
        response: answers(windowSchema),
      },
    },
    async ({ params, caller }) => {
      const window = await findWindow(database, caller.organizationId, params.window_id);
      if (window === undefined) throw unknown();
      return success(view(window));
    },
  );

  server.patch(
    '/sip/maintenance-windows/:window_id',
    {
      schema: {
        operationId: 'updateMaintenanceWindow',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Change a maintenance window',
        description: 'Omitted fields keep their value. Applies to alerts within seconds.',
        params: path,
        body: changeSchema,
        example: { enabled: false },
        response: answers(windowSchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      const window = await findWindow(database, organizationId, params.window_id);
      if (window === undefined) throw unknown();
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const values = await valuesOf(database, organizationId, { ...bodyOf(window), ...given }, window);
      const changed = await updateWindow(database, organizationId, window.id, values, caller.name);
      if (changed === undefined) throw unknown();
      return success(view(changed));
    },
  );

  server.delete(
    '/sip/maintenance-windows/:window_id',
    {
      schema: {
        operationId: 'deleteMaintenanceWindow',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Delete a maintenance window',
        description: 'Alerts that it held back and that persist are sent within seconds.',
        params: path,
        response: answers(z.object({ window_id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      if (!(await deleteWindow(database, caller.organizationId, params.window_id))) throw unknown();
      return success({ window_id: params.window_id, deleted: true as const });
    },
  );
};
