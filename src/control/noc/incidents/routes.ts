import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { Caller, RouteGroup } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit, pageStart } from '../../http/query.js';
import { InvalidRequest } from '../../http/validation.js';
import { handleIncident, type NamedIncident, readIncident, readIncidents } from './incident-storage.js';
import { incidentSchema, incidentStorySchema, incidentView, storyOf } from './incident-view.js';

const tags = ['NOC'];
const incidentPath = z.strictObject({ incident_id: z.string().min(1).max(64) });

/** Operators see those of all organizations. */
const ownerOf = ({ organizationId, isOperator }: Caller): string | undefined =>
  isOperator ? undefined : organizationId;

/** `GET /noc/incidents`, `GET` and `PATCH /noc/incidents/{incident_id}`. */
export const incidentRoutes: RouteGroup = (server, { database }) => {
  /** Throws `DemarcError` `NOT_FOUND`. */
  const find = async (caller: Caller, id: string): Promise<NamedIncident> => {
    const row = await readIncident(database, ownerOf(caller), id);
    if (row === undefined) throw new DemarcError('NOT_FOUND', 'Incident not found');
    return row;
  };

  server.get(
    '/noc/incidents',
    {
      schema: {
        operationId: 'listIncidents',
        errors: ['OPERATOR_ONLY'],
        tags,
        summary: 'List incidents, newest first',
        description:
          'An incident begins when the verdict of the overview turns red, within about ten seconds, and ends when it has not been red for a minute. Organizations see their own, and those of components such as Redis. Kept for 400 days.',
        querystring: z.strictObject({
          scope: z
            .enum(['organization', 'fleet'])
            .default('organization')
            .meta({ description: 'fleet: of all organizations and of the service; operator keys only.' }),
          state: z.enum(['open', 'recovered']).optional(),
          limit: pageLimit(200, 50),
          after: pageStart.after,
        }),
        response: listAnswers(
          z.object({
            incidents: z.array(incidentSchema).meta({ description: 'The incidents, newest first' }),
          }),
        ),
      },
    },
    async ({ query, caller }) => {
      const { scope, state, limit, after } = query;
      if (scope === 'fleet' && !caller.isOperator) throw new DemarcError('OPERATOR_ONLY');
      const organizationId = scope === 'fleet' ? undefined : caller.organizationId;
      const rows = await readIncidents(database, { organizationId, state, limit: limit + 1, after });
      if (rows === undefined) throw InvalidRequest.at('after', 'Must be the incident_id of an incident');
      const incidents = rows.slice(0, limit).map((row) => incidentView(row, caller.isOperator));
      return listed({ incidents }, rows.length > limit ? incidents.at(-1)!.incident_id : null);
    },
  );

  server.get(
    '/noc/incidents/:incident_id',
    {
      schema: {
        operationId: 'getIncident',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get an incident with its story',
        description:
          'The first call, the reasons with cause and advice, what the audit log has of the day before, who was notified, who acknowledged it, and when it recovered.',
        params: incidentPath,
        response: answers(incidentStorySchema),
      },
    },
    async ({ params, caller }) =>
      success(await storyOf(database, await find(caller, params.incident_id), caller)),
  );

  server.patch(
    '/noc/incidents/:incident_id',
    {
      // Who handles alerts handles incidents.
      config: { otherScope: 'alerts:write' },
      schema: {
        operationId: 'updateIncident',
        errors: ['NOT_FOUND', 'OPERATOR_ONLY'],
        tags,
        summary: 'Acknowledge an incident',
        description:
          'Says who handles it. Omitted fields keep their value. Incidents of the service are handled by operators.',
        example: { acknowledged: true, note: 'Carrier has opened a ticket.' },
        params: incidentPath,
        body: z
          .strictObject({
            acknowledged: z.boolean().optional().meta({
              description:
                'True: you handle it; your name, or the key’s, and the time are stored. False: withdraws that.',
            }),
            note: z.string().trim().max(1_000).nullable().optional().meta({
              description: 'A note for colleagues, at most 1,000 characters; null clears it.',
            }),
          })
          .refine(({ acknowledged, note }) => acknowledged !== undefined || note !== undefined, {
            error: 'acknowledged or note is required',
          }),
        response: answers(incidentStorySchema),
      },
    },
    async ({ params, body, caller }) => {
      const row = await find(caller, params.incident_id);
      if (row.organization_id === null && !caller.isOperator) throw new DemarcError('OPERATOR_ONLY');
      await handleIncident(database, row, caller.name, body);
      return success(await storyOf(database, await find(caller, row.id), caller));
    },
  );
};
