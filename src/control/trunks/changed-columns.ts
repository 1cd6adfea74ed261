import type { Updateable } from 'kysely';
import { z } from 'zod';
import { numberPlace } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import type { ControlDeps } from '../http/api-server.js';
import { InvalidRequest } from '../http/validation.js';
import {
  type AgentRequest,
  agentSchema,
  endpointOfAgent,
  storedStream,
  type WebSocketAgent,
  webSocketAgentsOf,
  withStoredHeaders,
} from '../numbers/agent-streams.js';
import { phoneNumberSchema } from '../numbers/fields.js';
import { checkReachable } from '../numbers/private-endpoints.js';
import type { Configuration, ConfigurationsTable, StoredOptions } from '../numbers/tables.js';
import { identityOf, isPassword, storedAgents, withoutUndefined } from './configuration.js';
import {
  agentsNeedInbound,
  allowedIpsSchema,
  endpointNamesProblem,
  inboundHeadersSchema,
  optionChangesSchema,
  outboundAgentSchema,
  outboundHeadersSchema,
  realmProblem,
  registerAuthSchema,
  registrarSchema,
  sipEndpointSchema,
  trustProblem,
} from './direction-schema.js';
import { derivePbxPassword } from './passwords.js';

const id = z
  .string()
  .max(64)
  .optional()
  .meta({ description: 'Which configuration, when the number has several of the direction' });

const inboundChangesSchema = z
  .strictObject({
    type: z.literal('inbound'),
    id,
    auth_mode: z.enum(['ip', 'register']).optional(),
    register_auth: registerAuthSchema.optional(),
    allowed_ips: allowedIpsSchema.optional(),
    agent: agentSchema.nullable().optional(),
    registrar: registrarSchema.nullable().optional(),
    sip_endpoint: sipEndpointSchema.nullable().optional(),
    options: optionChangesSchema.nullable().optional(),
    headers: inboundHeadersSchema.nullable().optional(),
  })
  .meta({ id: 'InboundChanges' });

const outboundChangesSchema = z
  .strictObject({
    type: z.literal('outbound'),
    id,
    sip_endpoint: sipEndpointSchema.optional(),
    agent: outboundAgentSchema.nullable().optional(),
    options: optionChangesSchema.nullable().optional(),
    headers: outboundHeadersSchema.nullable().optional(),
  })
  .meta({ id: 'OutboundChanges' });

export const updateSchema = z.strictObject({
  phone_number: phoneNumberSchema,
  updates: z
    .discriminatedUnion('type', [inboundChangesSchema, outboundChangesSchema])
    .meta({ description: 'Fields to change. Omitted fields keep their value; null clears a field.' }),
});
export type Changes = z.infer<typeof updateSchema>['updates'];

/** True when the change made it apply to the same calls as another configuration of the number. */
export function isDuplicate(
  changed: Configuration,
  before: Configuration,
  existing: readonly Configuration[],
): boolean {
  const identity = identityOf(changed);
  if (identity === identityOf(before)) return false;
  return existing.some(
    (candidate) =>
      candidate.id !== changed.id &&
      candidate.direction === changed.direction &&
      identityOf(candidate) === identity,
  );
}

export type Columns = Updateable<ConfigurationsTable>;

/** True when storing the column would change nothing; JSON is compared as it would be written. */
export const isSameColumn = (stored: unknown, wanted: unknown): boolean =>
  stored === wanted || (typeof stored === 'object' && stored !== null && JSON.stringify(stored) === wanted);

/**
 * What of a configuration a request changes. Throws `InvalidRequest` when the outcome contradicts itself, `DemarcError` `SECRET_KEY_MISSING`.
 */
export function changedColumns(
  { settings, secrets }: Pick<ControlDeps, 'settings' | 'secrets'>,
  organizationId: string,
  row: Configuration,
  changes: Changes,
): { columns: Columns; newPassword: string | undefined } {
  const columns: Columns = {};
  const changed: { options?: StoredOptions; authMode?: Configuration['auth_mode'] } = {};
  let newPassword: string | undefined;
  const seal = (password: string): string => {
    if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
    return secrets.seal(password, numberPlace(organizationId));
  };
  if (changes.type === 'inbound') Object.assign(columns, changedEndpoints(settings, row, changes));
  else {
    if (changes.sip_endpoint !== undefined) {
      checkReachable(settings, changes.sip_endpoint, 'updates.sip_endpoint');
      columns.sip_endpoint = changes.sip_endpoint;
    }
    if (changes.agent !== undefined) {
      const endpoint = changes.agent === null ? null : endpointOfAgent(changes.agent);
      checkReachable(settings, endpoint, 'updates.agent');
      columns.agent = endpoint;
    }
  }
  const streams = changedStreams(row, changes);
  if (streams !== undefined) {
    for (const { fallback } of streams) checkReachable(settings, fallback ?? null, 'updates.agent.fallback');
    columns.agent_streams = JSON.stringify(
      streams.map((stream) =>
        storedStream(
          withStoredHeaders(stream, row.agent_streams, secrets, organizationId),
          secrets,
          organizationId,
        ),
      ),
    );
  }
  if (changes.headers !== undefined) columns.headers = JSON.stringify(changes.headers?.headers ?? []);
  if (changes.options !== undefined) {
    const { options, sipPassword } = changedOptions(row, changes.options ?? {}, changes.options === null);
    if (row.direction === 'outbound' && options.agents !== undefined)
      throw InvalidRequest.at('updates.options.agents', agentsNeedInbound);
    for (const [index, endpoint] of (options.agents?.endpoints ?? []).entries())
      checkReachable(settings, endpoint, `updates.options.agents.endpoints.${index}`);
    columns.options = JSON.stringify(options);
    changed.options = options;
    if (sipPassword === null) columns.sip_password = null;
    else if (
      sipPassword !== undefined &&
      !isPassword(sipPassword, row.sip_password, secrets, organizationId)
    ) {
      columns.sip_password = seal(sipPassword);
    }
    const hasPassword = sipPassword === undefined ? row.sip_password !== null : sipPassword !== null;
    if ((options.sip_username !== undefined) !== hasPassword) {
      const missing = hasPassword ? 'sip_username' : 'sip_password';
      throw InvalidRequest.at(
        `updates.options.${missing}`,
        'sip_username and sip_password must be set together',
      );
    }
  }
  if (changes.type === 'inbound') {
    if (changes.allowed_ips !== undefined) columns.allowed_ips = JSON.stringify(changes.allowed_ips);
    const authMode = changes.auth_mode ?? row.auth_mode;
    columns.auth_mode = authMode;
    changed.authMode = authMode;
    if (authMode === 'ip') {
      if (changes.register_auth !== undefined) {
        throw InvalidRequest.at('updates.register_auth', 'Requires auth_mode register');
      }
      Object.assign(columns, { register_username: null, register_password: null, pbx_password: null });
    } else if (changes.register_auth !== undefined) {
      const { username, password } = changes.register_auth;
      if (
        username !== row.register_username ||
        !isPassword(password, row.register_password, secrets, organizationId)
      ) {
        newPassword = derivePbxPassword(settings.secretKeys[0], organizationId, changes.register_auth);
        columns.register_username = username;
        columns.register_password = seal(password);
        columns.pbx_password = seal(newPassword);
      }
    } else if (row.register_username === null) {
      throw InvalidRequest.at('updates.register_auth', 'Required with auth_mode register');
    }
  }
  const { options = row.options, authMode = row.auth_mode } = changed;
  const problem = realmProblem(options, { type: row.direction, auth_mode: authMode });
  if (problem !== undefined) throw InvalidRequest.at('updates.options.sip_realm', problem);
  const { sip_endpoint = row.sip_endpoint } = changes;
  const trust = trustProblem(options, { type: row.direction, auth_mode: authMode, sip_endpoint });
  if (trust !== undefined) throw InvalidRequest.at('updates.options.tls_ca', trust);
  return { columns, newPassword };
}

/**
 * Where calls are forwarded to and where to register. `sip_endpoint` is either, by the auth_mode after the change. Throws
 * `InvalidRequest` when a change to auth_mode ip does not say who answers: with one name for both, the PBX became the agent.
 */
function changedEndpoints(
  settings: ControlDeps['settings'],
  row: Configuration,
  changes: Extract<Changes, { type: 'inbound' }>,
): Columns {
  const authMode = changes.auth_mode ?? row.auth_mode;
  const problem = endpointNamesProblem(authMode, changes);
  if (problem !== undefined) throw InvalidRequest.at(`updates.${problem.path.join('.')}`, problem.message);
  const isRegistered = authMode === 'register';
  const named = changes.agent ?? undefined;
  const agent =
    named === undefined ? (isRegistered ? undefined : changes.sip_endpoint) : endpointOfAgent(named);
  const isAgentNamed = changes.agent !== undefined || (!isRegistered && changes.sip_endpoint !== undefined);
  if (!isRegistered && row.auth_mode === 'register' && row.registrar !== null && !isAgentNamed) {
    throw InvalidRequest.at(
      'updates.agent',
      `agent is required: auth_mode ip gives up the registrar ${row.registrar}. Name the SIP URI that answers, or null for the service’s own agents.`,
    );
  }
  const registrar = changes.registrar === undefined ? changes.sip_endpoint : changes.registrar;
  checkReachable(settings, agent ?? null, 'updates.agent');
  checkReachable(settings, (isRegistered ? registrar : null) ?? null, 'updates.registrar');
  return {
    ...(isAgentNamed ? { sip_endpoint: agent ?? null } : {}),
    ...(isRegistered ? (registrar === undefined ? {} : { registrar }) : { registrar: null }),
  };
}

/** The WebSocket agents after the change, where it is about agents; undefined: they stay. */
function changedStreams(row: Configuration, changes: Changes): readonly WebSocketAgent[] | undefined {
  if (changes.type === 'outbound')
    return changes.agent === undefined ? undefined : webSocketAgentsOf([changes.agent]);
  const { agent, sip_endpoint, options } = changes;
  const isSingleChanged = agent !== undefined || sip_endpoint !== undefined;
  const isGroupChanged = options === null || options?.agents !== undefined;
  if (!isSingleChanged && !isGroupChanged) return undefined;
  const present = (endpoint: string): AgentRequest => {
    const stored = row.agent_streams.find(({ url }) => url === endpoint);
    if (stored === undefined) return endpoint;
    const { header_names: _, headers: _sealed, ...stream } = stored;
    return { type: 'websocket', ...stream };
  };
  const single = isSingleChanged ? agent : row.sip_endpoint === null ? null : present(row.sip_endpoint);
  const group = isGroupChanged
    ? (options?.agents?.endpoints ?? [])
    : (row.options.agents?.endpoints ?? []).map(present);
  return webSocketAgentsOf([single, ...group]);
}

type OptionChanges = NonNullable<Changes['options']>;

/** `sipPassword`: null takes it away, undefined leaves it. */
function changedOptions(
  row: Configuration,
  changes: OptionChanges,
  clear: boolean,
): { options: StoredOptions; sipPassword: string | null | undefined } {
  const { sip_password, agents, ...rest } = changes;
  const group = agents && storedAgents(agents);
  const merged = clear ? {} : { ...row.options, ...rest, ...(agents === undefined ? {} : { agents: group }) };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  return { options: withoutUndefined(kept), sipPassword: clear ? null : sip_password };
}
