import { z } from 'zod';
import { explainUnreachable } from '../../contract/explanations.js';
import {
  type EndpointHealth,
  type UnreachableReason,
  unreachableReasonSchema,
} from '../../contract/health.js';
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
import {
  endpointNamesOf,
  healthSchema,
  readChecks,
  readEndpointNames,
  readStatistics,
  type Statistics,
  statusOf,
  statusOfTrunk,
} from './number-health.js';
import type { ProbeRequests } from './probe-requests.js';
import type { RegistrationStates } from './registrations/registration-states.js';
import { registrationIds, registrationViewSchema, registrationViews } from './registrations/view.js';

const milliseconds = z.number().nullable();
const percentage = z.number().nullable();
const windows = <Value extends z.ZodType>(value: Value) =>
  z.object({ '24h': value, '7d': value, '30d': value });

const explained = {
  reason: unreachableReasonSchema.nullable(),
  detail: z.string().nullable(),
  cause: z.string().nullable().meta({ description: 'The likely cause' }),
  advice: z.string().nullable().meta({ description: 'Recommended action' }),
};

const outcome = {
  status: healthSchema,
  ...explained,
  response_time_ms: milliseconds,
  checked_at: z.iso.datetime().nullable(),
  uptime_percent: windows(percentage),
  average_response_time_ms: windows(milliseconds),
};

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
  endpoints: z.array(
    z.object({
      endpoint: z.string(),
      checked_since: z.iso
        .datetime()
        .nullable()
        .meta({ description: 'Since when the server is checked, to the hour; null: not checked' }),
      ...outcome,
      sip_code: z.int().nullable(),
      evidence: z.enum(['probe', 'call']).nullable(),
      targets: z.array(
        z.object({
          address: z.string(),
          status: z.enum(['healthy', 'unreachable']),
          ...explained,
          sip_code: z.int().nullable(),
          response_time_ms: milliseconds,
          retry_at: z.iso.datetime().nullable(),
        }),
      ),
    }),
  ),
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
        const endpoints = names.map((name) =>
          endpointView(name, fresh.get(name) ?? stored.get(name), statistics.get(name)!, since.get(name)),
        );
        const status = statusOfTrunk(endpoints.map((endpoint) => endpoint.status));
        const decisive = endpoints.find((endpoint) => endpoint.status === status);
        const [first] = endpoints;
        return success({
          status,
          ...explain(decisive?.reason, decisive?.detail),
          response_time_ms: decisive?.response_time_ms ?? null,
          checked_at: decisive?.checked_at ?? null,
          uptime_percent: first?.uptime_percent ?? noWindows,
          average_response_time_ms: first?.average_response_time_ms ?? noWindows,
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

const noWindows = { '24h': null, '7d': null, '30d': null };

function endpointView(
  endpoint: string,
  check: EndpointHealth | undefined,
  statistics: Statistics,
  checkedSince: string | undefined,
) {
  return {
    endpoint,
    checked_since: checkedSince ?? null,
    status: statusOf(check, Date.now()),
    ...explain(check?.reason, check?.detail),
    response_time_ms: check?.response_time_milliseconds ?? null,
    checked_at: check?.checked_at ?? null,
    uptime_percent: overWindows(statistics, 'uptime'),
    average_response_time_ms: overWindows(statistics, 'averageMilliseconds'),
    sip_code: check?.sip_status ?? null,
    evidence: check?.evidence ?? null,
    targets: (check?.targets ?? []).map(({ address, status, reason, detail, retry_at, ...measured }) => ({
      address,
      status,
      ...explain(reason, detail),
      sip_code: measured.sip_status,
      response_time_ms: measured.response_time_milliseconds,
      retry_at,
    })),
  };
}

function explain(reason: UnreachableReason | null = null, detail: string | null = null) {
  const { cause, advice } = reason === null ? { cause: null, advice: null } : explainUnreachable(reason);
  return { reason, detail, cause, advice };
}

const overWindows = (statistics: Statistics, field: 'uptime' | 'averageMilliseconds') => ({
  '24h': statistics['24h'][field],
  '7d': statistics['7d'][field],
  '30d': statistics['30d'][field],
});
