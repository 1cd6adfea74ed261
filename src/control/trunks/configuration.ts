import type { HeaderMapping } from '../../contract/header-mapping.js';
import { numberPlace, type SecretBox } from '../../contract/secret.js';
import { formatHostPort } from '../../sip/uri.js';
import {
  areStored,
  endpointOfAgent,
  storedStream,
  type WebSocketAgent,
  webSocketAgentsOf,
} from '../numbers/agent-streams.js';
import { endpointOf, trunkTransport } from '../numbers/compose-document.js';
import type { Configuration, Direction, StoredOptions } from '../numbers/tables.js';
import type { DirectionRequest } from './direction-schema.js';

/** A configuration as requested: passwords are still readable. */
export interface WantedConfiguration {
  readonly direction: Direction;
  readonly sipEndpoint: string | null;
  /** Outbound: the agent of calls that the number places. */
  readonly agent: string | null;
  readonly registrar: string | null;
  readonly authMode: 'ip' | 'register' | null;
  readonly registerAuth: { readonly username: string; readonly password: string } | undefined;
  readonly options: StoredOptions;
  readonly sipPassword: string | undefined;
  readonly allowedIps: readonly string[];
  readonly headers: readonly HeaderMapping[];
  /** Of the agents that are WebSocket servers: header fields are still readable. */
  readonly streams: readonly WebSocketAgent[];
}

export function wantedConfiguration(request: DirectionRequest): WantedConfiguration {
  const { sip_password, agents, ...options } = request.options ?? {};
  const common = {
    direction: request.type,
    options: withoutUndefined({ ...options, agents: agents && storedAgents(agents) }),
    sipPassword: sip_password,
    headers: request.headers?.headers ?? [],
  };
  if (request.type === 'outbound') {
    return {
      ...common,
      sipEndpoint: request.sip_endpoint,
      registrar: null,
      authMode: null,
      registerAuth: undefined,
      allowedIps: [],
      agent: request.agent === undefined ? null : endpointOfAgent(request.agent),
      streams: webSocketAgentsOf([request.agent]),
    };
  }
  const isRegistered = request.auth_mode === 'register';
  return {
    ...common,
    sipEndpoint:
      (request.agent && endpointOfAgent(request.agent)) ??
      (isRegistered ? null : (request.sip_endpoint ?? null)),
    agent: null,
    registrar: isRegistered ? (request.registrar ?? request.sip_endpoint ?? null) : null,
    authMode: request.auth_mode,
    registerAuth: request.register_auth,
    allowedIps: request.allowed_ips ?? [],
    streams: webSocketAgentsOf([request.agent, ...(agents?.endpoints ?? [])]),
  };
}

/** Agents that ring together, by their endpoints. */
export const storedAgents = ({
  strategy,
  endpoints,
}: NonNullable<NonNullable<DirectionRequest['options']>['agents']>): NonNullable<
  StoredOptions['agents']
> => ({
  strategy,
  endpoints: endpoints.map(endpointOfAgent),
});

/** What of an optional property is there; `exactOptionalPropertyTypes` tells absent and undefined apart. */
export function withoutUndefined(
  options: {
    [Name in keyof StoredOptions]: StoredOptions[Name] | undefined;
  },
): StoredOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as StoredOptions;
}

/**
 * Two configurations of one number with the same identity would apply to the same calls, so that a later one replaces the
 * earlier one: for outbound the server, for inbound the callers.
 */
export function identityOfWanted(wanted: WantedConfiguration): string {
  return wanted.direction === 'outbound'
    ? serverIdentity(wanted.sipEndpoint!, wanted.options)
    : callerIdentity(wanted.registerAuth?.username, wanted.options.sip_username, wanted.allowedIps);
}

export function identityOf(row: Configuration): string {
  return row.direction === 'outbound'
    ? serverIdentity(row.sip_endpoint!, row.options)
    : callerIdentity(row.register_username ?? undefined, row.options.sip_username, row.allowed_ips);
}

function serverIdentity(sipEndpoint: string, options: StoredOptions): string {
  const { host, port, transport } = endpointOf(sipEndpoint, options);
  return `server ${formatHostPort(host, port)} ${transport ?? trunkTransport}`;
}

const callerIdentity = (
  registerUsername: string | undefined,
  sipUsername: string | undefined,
  allowedIps: readonly string[],
): string =>
  JSON.stringify(['callers', registerUsername ?? null, sipUsername ?? null, [...allowedIps].sort()]);

/** True for an inbound configuration that says nothing about who may call. */
export const namesNoCallers = (identity: string): boolean =>
  identity === callerIdentity(undefined, undefined, []);

/** True when storing `wanted` would change nothing; an unreadable password counts as different. */
export function isAlready(
  wanted: WantedConfiguration,
  row: Configuration,
  secrets: SecretBox,
  organization: string,
): boolean {
  return (
    wanted.sipEndpoint === row.sip_endpoint &&
    wanted.registrar === row.registrar &&
    wanted.agent === row.agent &&
    wanted.authMode === row.auth_mode &&
    (wanted.registerAuth?.username ?? null) === row.register_username &&
    isPassword(wanted.registerAuth?.password, row.register_password, secrets, organization) &&
    isPassword(wanted.sipPassword, row.sip_password, secrets, organization) &&
    canonical(wanted.options) === canonical(row.options) &&
    canonical(wanted.allowedIps) === canonical(row.allowed_ips) &&
    canonical(wanted.headers) === canonical(row.headers) &&
    areStored(wanted.streams, row.agent_streams, secrets, organization)
  );
}

export function isPassword(
  wanted: string | undefined,
  sealed: string | null,
  secrets: SecretBox,
  organization: string,
): boolean {
  if (wanted === undefined || sealed === null) return wanted === undefined && sealed === null;
  try {
    return secrets.open(sealed, numberPlace(organization)) === wanted;
  } catch {
    return false;
  }
}

/** The order of fields does not count; `jsonb` changes it. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );

/** The columns for `wanted`; passwords are sealed. */
export function columnsOf(
  wanted: WantedConfiguration,
  pbxPassword: string | undefined,
  secrets: SecretBox,
  organization: string,
) {
  const seal = (password: string | undefined): string | null =>
    password === undefined ? null : secrets.seal(password, numberPlace(organization));
  return {
    sip_endpoint: wanted.sipEndpoint,
    registrar: wanted.registrar,
    agent: wanted.agent,
    auth_mode: wanted.authMode,
    register_username: wanted.registerAuth?.username ?? null,
    register_password: seal(wanted.registerAuth?.password),
    pbx_password: seal(pbxPassword),
    options: JSON.stringify(wanted.options),
    sip_password: seal(wanted.sipPassword),
    allowed_ips: JSON.stringify(wanted.allowedIps),
    headers: JSON.stringify(wanted.headers),
    agent_streams: JSON.stringify(
      wanted.streams.map((stream) => storedStream(stream, secrets, organization)),
    ),
  };
}
