import { Readable } from 'node:stream';
import { z } from 'zod';
import { callDetailSchema, callSummarySchema, listPartyCalls, traceArchiveOf } from '../calls/index.js';
import type { ApiServer } from '../http/api-server.js';
import { answers, envelope, failureSchema, listAnswers, listed, success } from '../http/envelope.js';
import { pageLimit } from '../http/query.js';
import { numbersOf, requireContactId } from './contact-rows.js';
import { contactSchema, contactSummarySchema, memorySchema, readContact } from './contact-view.js';
import type { ContactsDeps } from './contacts-deps.js';
import { deleteContact, listDeletions } from './erase.js';
import { exportLines } from './export.js';
import { keptMessages } from './memory.js';
import { readMerges } from './merge.js';
import { contactPath, contactTags as tags } from './routes.js';

const moment = z.string().meta({ description: 'ISO 8601 in UTC', examples: ['2026-11-20T15:04:05.678Z'] });
const keyId = z.string().meta({ description: 'Id of the API key or member that did it.' });

const mergeSchema = z
  .object({
    id: z.string(),
    merged_contact_id: z.string().meta({ description: 'The contact that was merged into this one.' }),
    merged_by: keyId,
    merged_at: moment,
    merged: contactSummarySchema
      .extend({ memories: z.array(memorySchema.omit({ recent_messages: true })) })
      .meta({ id: 'MergedContact', description: 'That contact as it was; its messages are in this one.' }),
  })
  .meta({ id: 'ContactMerge' });

const orderSchema = z
  .object({
    call_id: z.string(),
    task: z.string().meta({ description: 'The agent’s task.' }),
    request_data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Variables of the agent; null: none.' }),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Your own data; null: none.' }),
    created_at: moment,
    scheduled_at: moment.nullable().meta({ description: 'When the call was to begin; null: at once.' }),
  })
  .meta({ id: 'ContactOrder' });

const exportSchema = z
  .object({
    exported_at: moment,
    contact: contactSchema.meta({ description: 'The contact, with all messages that are kept.' }),
    merges: z.array(mergeSchema).meta({ description: 'Contacts that were merged into it.' }),
    orders: z.array(orderSchema).meta({ description: 'Calls to the contact, as they were ordered.' }),
    calls: z
      .array(callDetailSchema)
      .meta({ description: 'Ended calls with the contact, with their SIP traces.' }),
  })
  .meta({ id: 'ContactExport' });

const count = (of: string) => z.int().meta({ description: `Number of ${of}.` });
const removedSchema = z
  .object({
    identifiers: count('its numbers'),
    memories: count('memories deleted'),
    calls: count('call records that no longer name the contact'),
    orders: count('call orders that no longer name the contact'),
    trace_messages: count('SIP messages deleted from traces'),
    active_calls: count('calls that were active; their records will not name the contact'),
  })
  .meta({ id: 'ContactRemoval', description: 'What was removed.' });

const deletionId = z.string().meta({ description: 'Names the deletion in the audit log.' });

/** `/contacts/{contact_id}`: its calls and merges, export, deletion, and the audit log of deletions. */
export function privacyRoutes(server: ApiServer, deps: ContactsDeps): void {
  const { database } = deps;
  const traces = traceArchiveOf(deps);

  server.get(
    '/contacts/:contact_id/calls',
    {
      schema: {
        operationId: 'listContactCalls',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'List the calls with a contact',
        description: 'Ended calls from and to its numbers, newest first.',
        params: contactPath,
        querystring: z.strictObject({
          limit: pageLimit(100, 20),
          after: z.string().min(1).max(300).optional(),
        }),
        response: listAnswers(z.object({ calls: z.array(callSummarySchema) })),
      },
    },
    async ({ params, query, caller }) => {
      const { organizationId } = caller;
      const id = await requireContactId(database, organizationId, params.contact_id);
      const party = { organizationId, numbers: await numbersOf(database, organizationId, id) };
      const { calls, next } = await listPartyCalls(database, party, query);
      return listed({ calls }, next);
    },
  );

  server.get(
    '/contacts/:contact_id/merges',
    {
      schema: {
        operationId: 'listContactMerges',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'List the merges of a contact',
        description: 'Who merged which contact into it, when, and how that contact was. Newest first.',
        params: contactPath,
        response: answers(z.object({ merges: z.array(mergeSchema).meta({ description: 'The merges.' }) })),
      },
    },
    async ({ params, caller }) => {
      const id = await requireContactId(database, caller.organizationId, params.contact_id);
      return success({ merges: (await readMerges(database, caller.organizationId, id)) as never });
    },
  );

  server.get(
    '/contacts/:contact_id/export',
    {
      schema: {
        operationId: 'exportContact',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Export all data of a contact',
        description:
          'One JSON document for a request for information under privacy law: the contact, its memories and merges, orders, and calls with their SIP traces. It can have any length; active calls are not included.',
        params: contactPath,
        response: {
          200: {
            description: 'The data of the contact',
            content: { 'application/json': { schema: envelope(exportSchema) } },
          },
          '4xx': failureSchema,
          '5xx': failureSchema,
        },
      },
    },
    async ({ params, caller }, reply) => {
      const { organizationId } = caller;
      const contact = await readContact(database, organizationId, params.contact_id, keptMessages);
      reply.type('application/json; charset=utf-8');
      reply.header('content-disposition', 'attachment; filename="contact.json"');
      return reply.send(Readable.from(exportLines(database, organizationId, contact, traces)) as never);
    },
  );

  server.delete(
    '/contacts/:contact_id',
    {
      schema: {
        operationId: 'deleteContact',
        errors: ['NOT_FOUND', 'CALLS_UNAVAILABLE'],
        tags,
        summary: 'Delete a contact and its data',
        description:
          'For a request for erasure under privacy law; it cannot be undone. Deletes the contact with memories and merges, replaces it in call records and orders by `removed`, and deletes SIP traces, texts and webhooks of its calls. Times, outcomes and media figures stay, as do the totals. Upcoming calls to it are cancelled; active ones continue, and their records will not name it. A later call creates a new contact.',
        params: contactPath,
        response: answers(
          z.object({
            deleted: z.literal(true),
            deletion_id: deletionId,
            removed: removedSchema,
          }),
        ),
      },
    },
    async ({ params, caller }) => {
      const { id, removed } = await deleteContact(deps, caller, params.contact_id);
      return success({ deleted: true as const, deletion_id: id, removed: removed as never });
    },
  );

  server.get(
    '/contacts/deletions',
    {
      schema: {
        operationId: 'listContactDeletions',
        tags,
        summary: 'List deletions of contacts',
        description: 'The audit log: who deleted when, and how much, but not whom. Newest first.',
        querystring: z.strictObject({
          limit: pageLimit(100, 50),
          after: z.string().min(1).max(64).optional(),
        }),
        response: listAnswers(
          z.object({
            deletions: z
              .array(
                z.object({
                  deletion_id: deletionId,
                  deleted_by: keyId,
                  deleted_at: moment,
                  removed: removedSchema,
                }),
              )
              .meta({ description: 'The deletions.' }),
          }),
        ),
      },
    },
    async ({ query, caller }) => {
      const { deletions, next } = await listDeletions(database, caller.organizationId, query);
      return listed({ deletions: deletions as never }, next);
    },
  );
}
