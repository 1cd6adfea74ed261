import type { Selectable } from 'kysely';
import { type AgentStream, agentStreamSchema, isStreamUrl } from '../../contract/agent-stream.js';
import {
  codecPolicySchema,
  type DigestCredential,
  type InboundConfiguration,
  type NumberDocument,
  type OutboundConfiguration,
  type OutboundPolicy,
} from '../../contract/number.js';
import { agentForEdges, streamForEdges } from './agent-streams.js';
import { formatDestination, parseDestination, type SipTransport } from './destination.js';
import type { ConfigurationsTable, DirectionSettingsTable, NumbersTable } from './tables.js';

type Configuration = Selectable<ConfigurationsTable>;
type Settings = Selectable<DirectionSettingsTable>;

/** Agents are reached over TCP unless the customer says otherwise: an INVITE with all its headers outgrows a datagram. */
const agentTransport: SipTransport = 'tcp';
/** Trunks are reached over TLS unless the customer says otherwise. */
export const trunkTransport: SipTransport = 'tls';
const defaultCodecs = codecPolicySchema.parse({});

/**
 * The document of a number, as the edges read it; sealed passwords go through as they are.
 * @param signing sealed secrets of the organization, the current one first
 */
export function composeDocument(
  { number, organization_id, trunk_id: trunk, updated_at }: Selectable<NumbersTable>,
  configurations: readonly Configuration[],
  settings: readonly Settings[],
  signing: readonly string[],
  organizationLimits: NumberDocument['organization_limits'],
): NumberDocument {
  const inbound = settings.find(({ direction }) => direction === 'inbound');
  const outbound = settings.find(({ direction }) => direction === 'outbound');
  const policy = outbound === undefined ? {} : outboundPolicy(outbound);
  return {
    version: 1,
    number,
    organization: organization_id,
    updated_at: updated_at.toISOString(),
    inbound: configurations
      .filter(({ direction }) => direction === 'inbound')
      .map((row) => inboundConfiguration(row, configurations, signing)),
    outbound: configurations
      .filter(({ direction }) => direction === 'outbound')
      .map((row) => outboundConfiguration(row, signing)),
    codecs: inbound?.codecs ?? defaultCodecs,
    limits: inbound?.limits ?? {},
    // Left out where nothing is limited, so that earlier edges read the document as well.
    ...(organizationLimits === undefined ? {} : { organization_limits: organizationLimits }),
    ...(trunk !== null && (isLimited(inbound) || isLimited(outbound)) ? { limits_key: trunk } : {}),
    ...(inbound?.transfer ? { transfer: inbound.transfer } : {}),
    ...(Object.keys(policy).length === 0 ? {} : { outbound_policy: policy }),
  };
}

const isLimited = (settings: Settings | undefined): boolean =>
  settings?.limits?.concurrent_calls !== undefined || settings?.limits?.calls_per_second !== undefined;

function inboundConfiguration(
  row: Configuration,
  all: readonly Configuration[],
  signing: readonly string[],
): InboundConfiguration {
  const credentials: DigestCredential[] = [];
  if (row.register_username !== null && row.pbx_password !== null) {
    credentials.push({ username: row.register_username, password: row.pbx_password });
  }
  credentials.push(...callCredential(row));
  const agentUri = agentUriOf(row);
  const { agents } = row.options;
  const registration = registrationOf(row, all);
  const streams = streamsOf(row, signing);
  return {
    id: row.id,
    allowed_sources: row.allowed_ips,
    credentials,
    headers: row.headers,
    ...(agentUri === undefined ? {} : { agent_uri: agentUri }),
    ...(agents === undefined
      ? {}
      : {
          agents: {
            strategy: agents.strategy,
            uris: agents.endpoints.map((endpoint) => agentUriAt(endpoint, {})),
          },
        }),
    // Left out where there is none, so that earlier edges read the document as well.
    ...(streams.length === 0 ? {} : { streams }),
    ...(registration === undefined ? {} : { registration }),
    ...symmetricRtp(row),
  };
}

/** Left out where the edges' settings decide, so that earlier edges read the document as well. */
const symmetricRtp = ({ options: { symmetric_rtp } }: Configuration): { symmetric_rtp?: boolean } =>
  symmetric_rtp === undefined ? {} : { symmetric_rtp };

/** Settings of the agents that are WebSocket servers; one without settings is called by the defaults. */
function streamsOf(
  { sip_endpoint, options, agent_streams }: Configuration,
  signing: readonly string[],
): AgentStream[] {
  const urls = [sip_endpoint, ...(options.agents?.endpoints ?? [])].filter(
    (endpoint) => endpoint !== null && isStreamUrl(endpoint),
  );
  return [...new Set(urls)].flatMap((url) => {
    const stored = agent_streams.find((stream) => stream.url === url);
    if (stored !== undefined) return streamForEdges(stored, signing);
    return signing.length === 0 ? [] : agentStreamSchema.parse({ url, signing_secrets: signing });
  });
}

/** Where the edges register: at the registrar of the direction, else at the number's first server for calls from us. */
function registrationOf(
  row: Configuration,
  all: readonly Configuration[],
): InboundConfiguration['registration'] {
  if (row.register_username === null || row.pbx_password === null) return undefined;
  const server =
    row.registrar === null
      ? all.find(({ direction }) => direction === 'outbound')
      : { sip_endpoint: row.registrar, options: row.options };
  if (server === undefined) return undefined;
  const { port: ownPort, transport: ownTransport } = row.options;
  const realm = row.options.sip_realm ?? server.options.sip_realm;
  const tlsCa = row.options.tls_ca ?? server.options.tls_ca;
  const { host, port, transport } = endpointOf(server.sip_endpoint!, {
    ...server.options,
    ...(ownPort === undefined ? {} : { port: ownPort }),
    ...(ownTransport === undefined ? {} : { transport: ownTransport }),
  });
  return {
    host,
    ...(port === undefined ? {} : { port }),
    transport: transport ?? trunkTransport,
    username: row.register_username,
    password: row.pbx_password,
    ...(realm === undefined ? {} : { realm }),
    ...(tlsCa === undefined ? {} : { tls_ca: tlsCa }),
  };
}

/** Port and transport of the options are those of the registrar where there is one to register at. */
function agentUriOf({ auth_mode, sip_endpoint, options }: Configuration): string | undefined {
  if (sip_endpoint === null) return undefined;
  return agentUriAt(sip_endpoint, auth_mode === 'register' ? {} : options);
}

function agentUriAt(
  sipEndpoint: string,
  options: Pick<Configuration['options'], 'port' | 'transport'>,
): string {
  if (isStreamUrl(sipEndpoint)) return sipEndpoint;
  const endpoint = endpointOf(sipEndpoint, options);
  return formatDestination({ ...endpoint, transport: endpoint.transport ?? agentTransport });
}

function outboundConfiguration(row: Configuration, signing: readonly string[]): OutboundConfiguration {
  const { host, port, transport } = endpointOf(row.sip_endpoint!, row.options);
  const [credential] = callCredential(row);
  const { sip_realm: realm } = row.options;
  return {
    id: row.id,
    host,
    ...(port === undefined ? {} : { port }),
    transport: transport ?? trunkTransport,
    ...(credential === undefined ? {} : { credential: { ...credential, ...(realm && { realm }) } }),
    ...(row.options.tls_ca === undefined ? {} : { tls_ca: row.options.tls_ca }),
    // SRTP is the rule and stays unsaid, so that earlier edges read the document as well.
    ...(row.options.secure_media === false ? { secure_media: false } : {}),
    ...symmetricRtp(row),
    headers: row.headers,
    ...outboundAgent(row, signing),
  };
}

/** Left out where there is none, so that earlier edges read the document as well. */
function outboundAgent({ agent, agent_streams }: Configuration, signing: readonly string[]) {
  if (agent === null) return {};
  const stream = agent_streams.find(({ url }) => url === agent);
  return agentForEdges({ endpoint: agent, ...(stream === undefined ? {} : { stream }) }, signing);
}

const callCredential = ({ options, sip_password }: Configuration): DigestCredential[] =>
  options.sip_username === undefined || sip_password === null
    ? []
    : [{ username: options.sip_username, password: sip_password }];

/** The parts of an endpoint that was checked when it was stored; `options` go before what the URI says. */
export function endpointOf(
  sipEndpoint: string,
  options: { readonly port?: number; readonly transport?: SipTransport },
): { host: string; user?: string; port?: number; transport?: SipTransport } {
  const parsed = parseDestination(sipEndpoint);
  if (!parsed.ok) throw new Error(`A stored endpoint is invalid: ${parsed.reason}`);
  const { isPrivate: _, ...destination } = parsed.destination;
  return {
    ...destination,
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.transport === undefined ? {} : { transport: options.transport }),
  };
}

function outboundPolicy({ codecs, limits, failover, transfer }: Settings): OutboundPolicy {
  return {
    ...(transfer === null ? {} : { transfer }),
    ...(codecs === null ? {} : { codecs }),
    ...(limits === null ? {} : { limits }),
    ...(failover?.enabled !== true || failover.endpoints.length === 0
      ? {}
      : {
          failover: {
            endpoints: [...failover.endpoints]
              .sort((left, right) => left.priority - right.priority)
              .map(({ priority: _, transport, ...endpoint }) => ({
                ...endpoint,
                transport: transport ?? trunkTransport,
              })),
            triggers: failover.triggers,
            failback: failover.failback,
          },
        }),
  };
}
