import { z } from 'zod';
import { readEvents } from '../audit/audit-log.js';
import { actorKinds } from '../audit/tables.js';
import type { RouteGroup } from '../http/api-server.js';
import { listAnswers, listed } from '../http/envelope.js';
import { pageLimit } from '../http/query.js';

const auditEventSchema = z
  .object({
    audit_event_id: z.string(),
    occurred_at: z.iso.datetime().meta({ description: 'When it was done' }),
    actor: z
      .object({
        kind: z.enum(actorKinds).meta({
          description: '`key`: an API key; `member`: a person; `command`: the command line of the service',
        }),
        id: z.string().meta({ description: 'Id of the key or member' }),
        name: z.string().meta({ description: 'Name of the key or person at that time' }),
      })
      .meta({ description: 'Who did it' }),
    action: z.string().meta({ description: 'operationId of the request, or the name of the action' }),
    summary: z.string().meta({ description: 'The action in words' }),
    subject: z
      .string()
      .meta({ description: 'What was changed: ids and names, of contacts and calls only ids; may be empty' }),
    fields: z.string().meta({ description: 'Names of the fields in the request, without their values' }),
    address: z.string().nullable().meta({ description: 'Remote address; null: command line' }),
  })
  .meta({ id: 'AuditEvent' });

/** `GET /v1/audit`: owners see who changed what. */
export const auditRoutes: RouteGroup = (server, { database }) => {
  server.get(
    '/audit',
    {
      config: { access: 'write' },
      schema: {
        operationId: 'listAuditEvents',
        tags: ['Members'],
        summary: 'List changes and who made them',
        description:
          'Newest first: every change through the API and the dashboard, and sign-ins of members. Requires `members:write`, which owners have. Calls, contacts, knowledge and agent tests are recorded only when a person does them. Kept for 400 days.',
        querystring: z.strictObject({
          actor_id: z.string().min(1).max(64).optional().meta({ description: 'Only of this key or member' }),
          action: z.string().min(1).max(64).optional().meta({ description: 'Only this action' }),
          limit: pageLimit(200, 50),
          after: z
            .string()
            .regex(/^\d{1,18}$/, 'after must be the next of an earlier page.')
            .optional()
            .meta({ description: '`next` of the previous page.' }),
        }),
        response: listAnswers(
          z.object({ events: z.array(auditEventSchema).meta({ description: 'The events, newest first.' }) }),
        ),
      },
    },
    async ({ caller, query }) => {
      const { actor_id: actorId, limit, ...rest } = query;
      const { organizationId } = caller;
      const rows = await readEvents(database, { organizationId, actorId, ...rest, limit: limit + 1 });
      const events = rows.slice(0, limit).map((row) => ({
        audit_event_id: row.id,
        occurred_at: row.occurred_at.toISOString(),
        actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
        action: row.action,
        summary: row.summary,
        subject: row.subject,
        fields: row.fields,
        address: row.address,
      }));
      return listed({ events }, rows.length > limit ? events.at(-1)!.audit_event_id : null);
    },
  );
};
