import { z } from 'zod';
import {
  type AgentStream,
  agentStreamSchema,
  isStreamUrl,
  maximumStreamHeaders,
  streamFormats,
  streamParametersSchema,
  streamRates,
  streamUrlProblem,
} from '../../contract/agent-stream.js';
import { type SecretBox, SecretError, streamPlace } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import { formatDestination, parseDestination } from './destination.js';
import { checkReachable } from './private-endpoints.js';

/** Agents that are WebSocket servers: as the API takes them, as they are stored, and as edges read them. */

const maximumHeadersLength = 2_000;
/** The handshake's own, those of the connection, and those that prove who connects. */
const reservedHeader =
  /^(host|connection|upgrade|content-length|transfer-encoding|user-agent|origin|sec-websocket-.*|x-twilio-signature|x-demarc-.*)$/i;

const headersSchema = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, 'is not the name of a header'),
    z.string().regex(/^[\x20-\x7e]{0,1000}$/, 'must be printable ASCII, at most 1000 characters'),
  )
  .superRefine((headers, context) => {
    const entries = Object.entries(headers);
    if (entries.length > maximumStreamHeaders)
      context.addIssue({ code: 'custom', message: `at most ${maximumStreamHeaders} headers` });
    for (const [name] of entries)
      if (reservedHeader.test(name))
        context.addIssue({ code: 'custom', path: [name], message: 'is set by Demarc' });
    if (entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > maximumHeadersLength)
      context.addIssue({
        code: 'custom',
        message: `all headers together have at most ${maximumHeadersLength} characters`,
      });
  })
  .meta({
    description:
      'Headers of the handshake, such as Authorization. Stored encrypted; responses show [redacted]. Default: none',
  });

const sipAgent = z
  .string()
  .max(200)
  .superRefine((text, context) => {
    const parsed = parseDestination(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.reason });
  });

/** Where calls are answered: a SIP URI or host, or the URL of a WebSocket server. */
const agentTextSchema = z
  .string()
  .max(512)
  .superRefine((text, context) => {
    const parsed = isStreamUrl(text) ? undefined : parseDestination(text);
    const problem = parsed === undefined ? streamUrlProblem(text) : parsed.ok ? undefined : parsed.reason;
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ examples: ['sip:agent.example.com'] });

export const webSocketAgentSchema = z
  .strictObject({
    type: z.literal('websocket'),
    url: z
      .string()
      .superRefine((text, context) => {
        const problem = streamUrlProblem(text);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      })
      .meta({ description: 'wss:// URL without a query', examples: ['wss://bot.example.com/stream'] }),
    format: z.enum(streamFormats).optional().meta({
      description:
        'media-streams: the message shapes of Twilio Media Streams. pcm: JSON and linear samples. Default: media-streams',
    }),
    sample_rate: z
      .union(streamRates.map((rate) => z.literal(rate)))
      .optional()
      .meta({ description: 'Hertz, of pcm. Default: 16000' }),
    preamble: z
      .enum(['demarc', 'listen'])
      .optional()
      .meta({ description: 'Of pcm. listen: the messages of jambonz listen. Default: demarc' }),
    parameters: streamParametersSchema
      .optional()
      .meta({ description: 'Passed to the bot in its first message. Default: none' }),
    headers: headersSchema.optional(),
    answer_on: z
      .enum(['start', 'first_audio'])
      .optional()
      .meta({ description: 'When the call is answered. Default: start, once the bot is connected' }),
    comfort_tone: z
      .boolean()
      .optional()
      .meta({ description: 'Whether callers hear a soft tone until the first audio. Default: false' }),
    fallback: sipAgent.optional().meta({
      description: 'SIP agent that takes calls when the bot cannot be reached. Default: the call fails',
      examples: ['sip:agent.example.com'],
    }),
  })
  .meta({ id: 'WebSocketAgent' });
export type WebSocketAgent = z.infer<typeof webSocketAgentSchema>;

export const agentSchema = z.union([agentTextSchema, webSocketAgentSchema]).meta({
  description:
    'Agent that calls are sent to: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the service’s agent.',
});
export type AgentRequest = z.infer<typeof agentSchema>;

/** The SIP endpoint or URL of an agent. */
export const endpointOfAgent = (agent: AgentRequest): string =>
  typeof agent === 'string' ? agent : agent.url;

/** Those of the agents that have settings apart from their URL. */
export const webSocketAgentsOf = (agents: readonly (AgentRequest | null | undefined)[]): WebSocketAgent[] =>
  agents.filter((agent): agent is WebSocketAgent => typeof agent === 'object' && agent !== null);

/** As a row keeps it. */
export interface StoredStream extends Omit<AgentStream, 'signing_secrets'> {
  /** Of the sealed headers. */
  readonly header_names: readonly string[];
}

const agentTransport = 'tcp';

/** Throws `DemarcError` `SECRET_KEY_MISSING` for headers without a key. */
export function storedStream(agent: WebSocketAgent, secrets: SecretBox, organization: string): StoredStream {
  const { type: _, headers = {}, fallback, ...given } = agent;
  const names = Object.keys(headers);
  if (names.length > 0 && !secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  return {
    url: given.url,
    format: given.format ?? 'media-streams',
    sample_rate: given.sample_rate ?? 16_000,
    preamble: given.preamble ?? 'demarc',
    parameters: given.parameters ?? {},
    answer_on: given.answer_on ?? 'start',
    comfort_tone: given.comfort_tone ?? false,
    header_names: names,
    ...(names.length === 0
      ? {}
      : { headers: secrets.seal(JSON.stringify(headers), streamPlace(organization)) }),
    ...(fallback === undefined ? {} : { fallback: agentUri(fallback) }),
  };
}

function agentUri(text: string): string {
  const parsed = parseDestination(text);
  if (!parsed.ok) throw new Error(`An agent was not checked: ${parsed.reason}`);
  const { isPrivate: _, ...destination } = parsed.destination;
  return formatDestination({ ...destination, transport: destination.transport ?? agentTransport });
}

/** One agent as a row keeps it. */
export interface StoredAgent {
  /** A SIP URI or host, or the URL of a WebSocket server. */
  readonly endpoint: string;
  /** Of a WebSocket server with settings. */
  readonly stream?: StoredStream;
}

/** Throws `DemarcError` `SECRET_KEY_MISSING` for headers without a key. */
export const storedAgent = (agent: AgentRequest, secrets: SecretBox, organization: string): StoredAgent => ({
  endpoint: endpointOfAgent(agent),
  ...(typeof agent === 'string' ? {} : { stream: storedStream(agent, secrets, organization) }),
});

/** The agent of a call, as edges read it. */
export interface AgentForEdges {
  readonly agent_uri: string;
  readonly stream?: AgentStream;
}

/** @param signing sealed secrets of the organization, the current one first */
export function agentForEdges({ endpoint, stream }: StoredAgent, signing: readonly string[]): AgentForEdges {
  if (!isStreamUrl(endpoint)) return { agent_uri: agentUri(endpoint) };
  const whole =
    stream === undefined
      ? agentStreamSchema.parse({ url: endpoint, signing_secrets: signing })
      : streamForEdges(stream, signing);
  return { agent_uri: endpoint, stream: whole };
}

/** Throws `InvalidRequest` for an agent, or its fallback, that may not be reached. @param path of the agent in the request */
export function checkAgentReachable(
  settings: Parameters<typeof checkReachable>[0],
  agent: AgentRequest | null | undefined,
  path: string,
): void {
  if (agent === null || agent === undefined) return;
  checkReachable(settings, endpointOfAgent(agent), path);
  if (typeof agent === 'object') checkReachable(settings, agent.fallback ?? null, `${path}.fallback`);
}

/** True when storing the agents would change nothing. */
export function areStored(
  agents: readonly WebSocketAgent[],
  stored: readonly StoredStream[],
  secrets: SecretBox,
  organization: string,
): boolean {
  if (agents.length !== stored.length) return false;
  return agents.every((agent) => {
    const row = stored.find(({ url }) => url === agent.url);
    if (row === undefined) return false;
    const { headers: sealed, ...plain } = row;
    const { headers: _, ...wanted } = storedStream({ ...agent, headers: {} }, secrets, organization);
    const names = Object.keys(agent.headers ?? {});
    return (
      sameFields({ ...wanted, header_names: names }, plain) &&
      sameFields(agent.headers ?? {}, openedHeaders(sealed, secrets, organization))
    );
  });
}

/** Header fields of a stored agent; undefined: they cannot be opened. */
export function openedHeaders(
  sealed: string | undefined,
  secrets: SecretBox,
  organization: string,
): Record<string, string> | undefined {
  if (sealed === undefined) return {};
  try {
    return z
      .record(z.string(), z.string())
      .parse(JSON.parse(secrets.open(sealed, streamPlace(organization))));
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
}

const sameFields = (left: object, right: object | undefined): boolean =>
  right !== undefined && canonical(left) === canonical(right);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );

/** As edges read it. @param signing sealed secrets of the organization, the current one first */
export function streamForEdges(
  { header_names: _, ...stream }: StoredStream,
  signing: readonly string[],
): AgentStream {
  return { ...stream, signing_secrets: [...signing] };
}

const redacted = '[redacted]';

export const webSocketAgentViewSchema = z
  .object({
    type: z.literal('websocket').meta({ description: 'Kind of agent' }),
    url: z.string().meta({ description: 'wss:// URL', examples: ['wss://bot.example.com/stream'] }),
    format: z.enum(streamFormats).meta({ description: 'Messages: media-streams or pcm' }),
    sample_rate: z.int().optional().meta({ description: 'Hertz; of pcm' }),
    preamble: z
      .enum(['demarc', 'listen'])
      .optional()
      .meta({ description: 'listen: the messages of jambonz listen; of pcm' }),
    parameters: z
      .record(z.string(), z.string())
      .meta({ description: 'Passed to the bot in its first message', examples: [{ tenant: 'blue' }] }),
    headers: z
      .record(z.string(), z.literal(redacted))
      .meta({ description: 'Headers of the handshake, without their values' }),
    answer_on: z.enum(['start', 'first_audio']).meta({ description: 'When calls are answered' }),
    comfort_tone: z.boolean().meta({ description: 'True: callers hear a soft tone until the first audio' }),
    fallback: z
      .string()
      .nullable()
      .meta({ description: 'SIP agent that takes calls when the bot cannot be reached; null: none' }),
  })
  .meta({ id: 'WebSocketAgentView' });

/** As responses show it. */
export function webSocketAgentView(stored: StoredStream): z.infer<typeof webSocketAgentViewSchema> {
  const { format, sample_rate, preamble } = stored;
  return {
    type: 'websocket',
    url: stored.url,
    format,
    ...(format === 'pcm' ? { sample_rate, preamble } : {}),
    parameters: stored.parameters,
    headers: Object.fromEntries(stored.header_names.map((name) => [name, redacted])),
    answer_on: stored.answer_on,
    comfort_tone: stored.comfort_tone,
    fallback: stored.fallback ?? null,
  };
}

export const agentViewSchema = z.union([z.string(), webSocketAgentViewSchema]);

/** As responses show it. */
export const agentView = ({ endpoint, stream }: StoredAgent): z.infer<typeof agentViewSchema> =>
  stream === undefined ? endpoint : webSocketAgentView(stream);

/** The headers of an update: `[redacted]` and an absent field stand for what is stored at the same URL. */
export function withStoredHeaders(
  agent: WebSocketAgent,
  stored: readonly StoredStream[],
  secrets: SecretBox,
  organization: string,
): WebSocketAgent {
  const row = stored.find(({ url }) => url === agent.url);
  const present = row === undefined ? {} : (openedHeaders(row.headers, secrets, organization) ?? {});
  if (agent.headers === undefined) return { ...agent, headers: present };
  const headers = Object.entries(agent.headers).map(([name, value]) => [
    name,
    value === redacted ? (present[name] ?? value) : value,
  ]);
  return { ...agent, headers: Object.fromEntries(headers) };
}
