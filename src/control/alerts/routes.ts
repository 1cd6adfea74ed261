import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { NoticeSettings } from '../../config/notice-settings.js';
import { DemarcError } from '../../errors.js';
import type { Senders } from '../deliveries/senders.js';
import { channels } from '../deliveries/tables.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { mailLimits } from '../http/mail-limits.js';
import { e164 } from '../http/phone-number.js';
import { cursorOf, pageLimit, pageStart } from '../http/query.js';
import { InvalidRequest } from '../http/validation.js';
import { directionName, phoneNumberSchema } from '../numbers/fields.js';
import { requirePhoneNumber } from '../numbers/number-access.js';
import { alertSchema, alertView } from './alert-view.js';
import {
  type Contacts,
  changeContacts,
  contactSchema,
  contactsChangeSchema,
  noContacts,
  readContacts,
} from './contacts.js';
import { handleAlert, handlingSchema } from './handling.js';
import { readAlert, readAlerts, readNotices } from './read.js';
import { alertStates } from './tables.js';
import { sendContactTest, sendTestNotice, TooManyTests } from './test-notice.js';

const tags = ['Alerts'];

const contactsSchema = z.object({
  emails: z.array(z.string()),
  phone_numbers: z.array(z.string()),
  available: z
    .object({ email: z.boolean(), sms: z.boolean() })
    .meta({ description: 'False if the channel is not configured' }),
});
const contactsView = ({ emails, phoneNumbers }: Contacts, { smtp, sms }: NoticeSettings) => ({
  emails: [...emails],
  phone_numbers: phoneNumbers.map(e164),
  available: { email: smtp !== undefined, sms: sms !== undefined },
});

const testResultSchema = z.object({
  channel: z.enum(channels),
  target: z.string().nullable(),
  status: z.enum(['delivered', 'failed', 'not_configured']),
  detail: z.string(),
  last_status: z.int().nullable(),
  milliseconds: z.int(),
});

/** Adds `Retry-After` to the refusal of a test beyond the limit. */
async function inTurn<Result>(reply: FastifyReply, test: Promise<Result>): Promise<Result> {
  try {
    return await test;
  } catch (error) {
    if (error instanceof TooManyTests) reply.header('retry-after', String(error.retryAfterSeconds));
    throw error;
  }
}

/**
 * `GET /v1/sip/alerts`, `GET` and `PATCH /v1/sip/alerts/{alert_id}`, `POST /v1/sip/alerts/test`, `GET` and `PATCH
 * /v1/sip/alerts/contacts`, `POST /v1/sip/alerts/contacts/test`.
 */
export const alertRoutes =
  (senders: Senders): RouteGroup =>
  (server, deps) => {
    const { database, settings } = deps;
    const countMails = mailLimits(server);

    server.get(
      '/sip/alerts',
      {
        schema: {
          operationId: 'listAlerts',
          tags,
          summary: 'List alerts',
          description: 'All trunks of the organization; active alerts first, then newest first.',
          querystring: z.strictObject({
            phone_number: phoneNumberSchema.optional(),
            direction: directionName.optional(),
            state: z.enum(alertStates).optional(),
            limit: pageLimit(200, 50),
            ...pageStart,
          }),
          response: listAnswers(
            z.object({ alerts: z.array(alertSchema), has_more: z.boolean(), active_count: z.int() }),
          ),
        },
      },
      async ({ query, caller }) => {
        const { phone_number, after, before, ...filter } = query;
        const cursor = cursorOf({ after, before });
        const number =
          phone_number === undefined ? undefined : requirePhoneNumber(phone_number, 'phone_number');
        const page = await readAlerts(database, {
          organizationId: caller.organizationId,
          number,
          ...filter,
          before: cursor.id,
        });
        if (page === undefined) throw InvalidRequest.at(cursor.path, 'Must be the alert_id of an alert');
        const notices = await readNotices(
          database,
          page.rows.map(({ id }) => id),
        );
        const alerts = page.rows.map((row) => alertView(settings, row, notices.get(row.id) ?? []));
        const next = page.hasMore ? page.rows.at(-1)!.id : null;
        return listed({ alerts, has_more: page.hasMore, active_count: page.activeCount }, next);
      },
    );

    server.get(
      '/sip/alerts/contacts',
      {
        schema: {
          operationId: 'getAlertContacts',
          tags,
          summary: 'Get the alert contacts',
          description: 'Used by every trunk whose `alert_config` enables email or SMS.',
          response: answers(contactsSchema),
        },
      },
      async ({ caller }) => {
        const contacts = await readContacts(database, [caller.organizationId]);
        return success(contactsView(contacts.get(caller.organizationId) ?? noContacts, settings.notices));
      },
    );

    server.patch(
      '/sip/alerts/contacts',
      {
        schema: {
          operationId: 'updateAlertContacts',
          tags,
          summary: 'Change the alert contacts',
          description:
            'Applies to every trunk whose `alert_config` enables email or SMS. A list you include replaces the current one; omitted lists are unchanged.',
          example: { emails: ['noc@example.com'], phone_numbers: ['+14155550123'] },
          body: contactsChangeSchema,
          response: answers(contactsSchema),
        },
      },
      async ({ body, caller }) => {
        if (body.emails === undefined && body.phone_numbers === undefined) {
          throw InvalidRequest.at('body', 'emails or phone_numbers is required');
        }
        return success(
          contactsView(await changeContacts(database, caller.organizationId, body), settings.notices),
        );
      },
    );

    server.post(
      '/sip/alerts/test',
      {
        schema: {
          operationId: 'testAlerts',
          errors: ['NOT_FOUND'],
          tags,
          summary: 'Send a test notice to all channels of a direction',
          description:
            'Returns when all recipients have responded, at most 20 seconds. At most 10 per 15 minutes for an organization.',
          example: { phone_number: '+14155550100', direction: 'outbound' },
          body: z.strictObject({ phone_number: phoneNumberSchema, direction: directionName }),
          response: answers(z.object({ channels: z.array(testResultSchema) })),
        },
      },
      async ({ body, caller }, reply) => {
        const number = requirePhoneNumber(body.phone_number);
        const { direction } = body;
        const sending = sendTestNotice({ ...deps, senders }, caller.organizationId, { number, direction });
        return success({ channels: await inTurn(reply, sending) });
      },
    );

    server.post(
      '/sip/alerts/contacts/test',
      {
        schema: {
          operationId: 'testAlertContact',
          errors: ['NOT_FOUND'],
          tags,
          summary: 'Send a test notice to one alert contact',
          description:
            'Set either `email` or `phone_number`, to one of the alert contacts. Returns when the mail server or SMS provider has responded, at most 20 seconds. At most 10 tests per 15 minutes for an organization.',
          example: { email: 'noc@example.com' },
          body: contactSchema,
          response: answers(testResultSchema),
        },
      },
      async (request, reply) => {
        const { body, caller } = request;
        const { email, phone_number: digits } = body;
        if (email !== undefined) await countMails(request, reply, [email]);
        const sending = sendContactTest({ ...deps, senders }, caller.organizationId, {
          emails: email === undefined ? [] : [email],
          phoneNumbers: digits === undefined ? [] : [digits],
        });
        return success(await inTurn(reply, sending));
      },
    );

    server.get(
      '/sip/alerts/:alert_id',
      {
        schema: {
          operationId: 'getAlert',
          errors: ['NOT_FOUND'],
          tags,
          summary: 'Get an alert with its deliveries',
          description: '`notices` lists each delivery.',
          params: z.strictObject({ alert_id: z.string().min(1).max(64) }),
          response: answers(alertSchema),
        },
      },
      async ({ params, caller }) => {
        const row = await readAlert(database, caller.organizationId, params.alert_id);
        if (row === undefined) throw new DemarcError('NOT_FOUND', 'Alert not found');
        const notices = await readNotices(database, [row.id]);
        return success(alertView(settings, row, notices.get(row.id) ?? []));
      },
    );

    server.patch(
      '/sip/alerts/:alert_id',
      {
        schema: {
          operationId: 'updateAlert',
          errors: ['NOT_FOUND'],
          tags,
          summary: 'Acknowledge or mute an alert',
          description: 'Says who handles the alert, and mutes its notices. Omitted fields keep their value.',
          example: { acknowledged: true, note: 'Carrier has opened a ticket.', mute_minutes: 60 },
          params: z.strictObject({ alert_id: z.string().min(1).max(64) }),
          body: handlingSchema,
          response: answers(alertSchema),
        },
      },
      async ({ params, body, caller }) => {
        const row = await handleAlert(database, caller, params.alert_id, body);
        if (row === undefined) throw new DemarcError('NOT_FOUND', 'Alert not found');
        const notices = await readNotices(database, [row.id]);
        return success(alertView(settings, row, notices.get(row.id) ?? []));
      },
    );
  };
