import { z } from 'zod';
import type { EndpointHealth } from '../../contract/health.js';
import type { NumberDocument } from '../../contract/number.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { trunkTags as tags } from '../http/tags.js';
import { phoneNumberSchema } from '../numbers/fields.js';
import { readConfigurations, requirePhoneNumber } from '../numbers/number-access.js';
import { composeNumberDocuments } from '../numbers/number-documents.js';
import { readCheckedSince } from './checked-since.js';
import { type FailoverState, failoverStateSchema } from './failover/failover-state.js';
import { historySchema, readHistory } from './history.js';
import { endpointNamesOf, readChecks, readEndpointNames, readStatistics } from './number-health.js';
import type { ProbeRequests } from './probe-requests.js';
import type { RegistrationStates } from './registrations/registration-states.js';
import { registrationIds, registrationViewSchema, registrationViews } from './registrations/view.js';
import { endpointSchema, endpointView, outcome, trunkStatus } from './status-view.js';

const statusSchema = z.object({
  ...outcome,
  probe: z.enum(['completed', 'unanswered']).nullable(),
  failover: failoverStateSchema
    .nullable()
    .meta({ description: 'Null: at most one server, or Redis is down' }),
  registration: registrationViewSchema
    .nullable()
    .meta({ description: 'Of the first inbound configuration with auth_mode register; null: none' }),
  registrations: z.array(registrationViewSchema),
  endpoints: z.array(endpointSchema),
});

/** `GET /v1/sip/status`, `GET /v1/sip/health/history`. */
export const healthRoutes =
  (
    probes: Pick<ProbeRequests, 'probe'>,
    failoverOf: (document: NumberDocument) => Promise<FailoverState | null>,
    registrations: Pick<RegistrationStates, 'read' | 'attempt'>,
  ): RouteGroup =>
  (server, { database }) => {
    server.get(
      '/sip/status',
      {
        schema: {
          operationId: 'getTrunkStatus',
          errors: ['NOT_FOUND'],
          tags,
          summary: 'Get the health of a number’s trunk',
          description: [
            'Demarc probes the servers of the number’s outbound direction with OPTIONS; any response except 503 counts as reachable.',
            'healthy: at least one is reachable. unchecked: not probed; inbound-only trunks have no server to probe.',
            'Uptime and response times at the top level are those of the first server.',
            '`probe=now` probes at once and waits for the results; `probe` says whether all arrived. It also registers at once.',
            'With `auth_mode: register`, `registration` shows the registration.',
          ].join(' '),
          querystring: z.strictObject({ phone_number: phoneNumberSchema, probe: z.enum(['now']).optional() }),
          response: answers(statusSchema),
        },
      },
      async (request) => {
        const number = requirePhoneNumber(request.query.phone_number);
        const rows = await readConfigurations(database, request.caller.organizationId, number);
        const document = (await composeNumberDocuments(database, [number])).get(number);
        const names = document === undefined ? [] : endpointNamesOf(document);
        const ids = registrationIds(document);
        const isAsking = request.query.probe === 'now';
        const isProbing = isAsking && names.length > 0;
        const [fresh] = await Promise.all([
          isProbing ? probes.probe(names) : new Map<string, EndpointHealth>(),
          isAsking && ids.length > 0 ? registrations.attempt(ids).catch(() => {}) : undefined,
        ]);
        const [stored, statistics, since, failover, states] = await Promise.all([
          readChecks(database, names),
          readStatistics(database, names),
          readCheckedSince(database, names, number),
          document === undefined ? null : failoverOf(document),
          registrations.read(ids).catch(() => undefined),
        ]);
        const registered = registrationViews(document, rows, states);
        const now = Date.now();
        const endpoints = names.map((name) =>
          endpointView(
            name,
            { check: fresh.get(name) ?? stored.get(name), since: since.get(name) },
            statistics.get(name)!,
            now,
          ),
        );
        return success({
          ...trunkStatus(endpoints),
          failover,
          probe: isProbing ? (fresh.size === names.length ? 'completed' : 'unanswered') : null,
          registration: registered[0] ?? null,
          registrations: registered,
          endpoints,
        } as const);
      },
    );

    server.get(
      '/sip/health/history',
      {
        schema: {
          operationId: 'getHealthHistory',
          errors: ['NOT_FOUND'],
          tags,
          summary: 'Get the health history of a number’s servers',
          description:
            'Uptime and response times in buckets of an hour (24h), six hours (7d) or a day (30d), oldest first, without gaps; the last bucket is incomplete.',
          querystring: z.strictObject({
            phone_number: phoneNumberSchema,
            window: z.enum(['24h', '7d', '30d']).default('24h'),
          }),
          response: answers(historySchema),
        },
      },
      async (request) => {
        const number = requirePhoneNumber(request.query.phone_number);
        await readConfigurations(database, request.caller.organizationId, number);
        const names = (await readEndpointNames(database, [number])).get(number) ?? [];
        const since = await readCheckedSince(database, names, number);
        return success(await readHistory(database, names, request.query.window, Date.now(), since));
      },
    );
  };
