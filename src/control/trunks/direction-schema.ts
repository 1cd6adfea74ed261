import { z } from 'zod';
import { inboundHeaderMappingsSchema, outboundHeaderMappingsSchema } from '../../contract/header-mapping.js';

import { maximumAgents, sourceRangeSchema } from '../../contract/number.js';
import { type AgentRequest, agentSchema, endpointOfAgent } from '../numbers/agent-streams.js';
import { parseDestination } from '../numbers/destination.js';

import { trustedCertificatesSchema } from './trusted-certificates.js';

/** The fields of one direction as the API takes them, for attach and update alike. */

const noControlCharacters = /^[^\x00-\x1f\x7f]*$/;
/** In digest a user name stands between quotes; no PBX has one with quotes inside. */
const username = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\x00-\x1f\x7f"\\]*$/, 'must not contain control characters, quotes or backslashes');
const password = (minimum: number) =>
  z.string().min(minimum).max(256).regex(noControlCharacters, 'must not contain control characters');

export const registerAuthSchema = z
  .strictObject({ username, password: password(8) })
  .meta({ description: 'Credentials that your PBX and Demarc share' });

export const sipEndpointSchema = z
  .string()
  .max(200)
  .superRefine((text, context) => {
    const parsed = parseDestination(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.reason });
  })
  .meta({ examples: ['sip:pbx.example.com:5061;transport=tls'] });

/** Where the service registers. */
export const registrarSchema = sipEndpointSchema.meta({
  description:
    'PBX to register with; requires auth_mode register. Default: the number’s first outbound server.',
  examples: ['sip:pbx.example.com'],
});

interface EndpointNames {
  readonly agent?: AgentRequest | null | undefined;
  readonly registrar?: string | null | undefined;
  readonly sip_endpoint?: string | null | undefined;
}

/** Why an inbound direction cannot have these endpoints; undefined: it can. */
export function endpointNamesProblem(
  authMode: 'ip' | 'register' | null,
  { agent, registrar, sip_endpoint }: EndpointNames,
): { path: string[]; message: string } | undefined {
  if (authMode !== 'register' && (registrar ?? null) !== null) {
    return { path: ['registrar'], message: 'registrar requires auth_mode register.' };
  }
  const [name, own] =
    authMode === 'register' ? (['registrar', registrar] as const) : (['agent', agent] as const);
  if (sip_endpoint === undefined || own === undefined) return undefined;
  if ((own === null ? null : endpointOfAgent(own)) === sip_endpoint) return undefined;
  return {
    path: ['sip_endpoint'],
    message: `sip_endpoint is an older name of ${name}: set only one of them.`,
  };
}

const realm = z
  .string()
  .min(1)
  .max(256)
  .regex(noControlCharacters, 'must not contain control characters')
  .meta({ description: 'Realm that the credentials are for. Default: any' });

const transport = z.enum(['udp', 'tcp', 'tls']);

export const agentsNeedInbound = 'Agents answer calls to the number: an inbound direction has them';

/** Agents that ring together; `endpoints` as `agent` takes them. */
export const agentGroupSchema = z
  .strictObject({
    strategy: z
      .literal('ring_all')
      .meta({ description: 'All ring at once; the first that answers has the call' }),
    endpoints: z.array(agentSchema).min(2).max(maximumAgents),
  })
  .meta({ description: 'Inbound: agents in place of `agent`, which ring together' });

const optionsSchema = z
  .strictObject({
    agents: agentGroupSchema.optional(),
    port: z.int().min(1).max(65_535).optional().meta({ description: 'Overrides the port in sip_endpoint' }),
    transport: transport.optional().meta({ description: 'Overrides the transport in sip_endpoint' }),
    secure_media: z.boolean().optional(),
    symmetric_rtp: z.boolean().optional(),
    sip_username: username.optional(),
    sip_password: password(1).optional(),
    sip_realm: realm.optional(),
    tls_ca: trustedCertificatesSchema.optional(),
  })
  .meta({ id: 'DirectionOptions' });

/** As `optionsSchema`; null takes a field away. */
export const optionChangesSchema = z
  .strictObject({
    agents: agentGroupSchema.nullable().optional(),
    port: z.int().min(1).max(65_535).nullable().optional(),
    transport: transport.nullable().optional(),
    secure_media: z.boolean().nullable().optional(),
    symmetric_rtp: z.boolean().nullable().optional(),
    sip_username: username.nullable().optional(),
    sip_password: password(1).nullable().optional(),
    sip_realm: realm.nullable().optional(),
    tls_ca: trustedCertificatesSchema.nullable().optional(),
  })
  .meta({ id: 'DirectionOptionChanges' });

export const allowedIpsSchema = z
  .array(sourceRangeSchema)
  .max(100)
  .meta({
    description: 'Addresses and CIDRs that may call, IPv4 or IPv6. Demarc extension',
    examples: [['203.0.113.0/24']],
  });

export const inboundHeadersSchema = z
  .strictObject({
    direction: z.literal('inbound'),
    headers: inboundHeaderMappingsSchema,
  })
  .meta({ id: 'InboundHeaders' });

export const outboundHeadersSchema = z
  .strictObject({
    direction: z.literal('outbound'),
    headers: outboundHeaderMappingsSchema,
  })
  .meta({ id: 'OutboundHeaders' });

const inboundSchema = z
  .strictObject({
    type: z.literal('inbound'),
    auth_mode: z.enum(['ip', 'register']).default('ip'),
    register_auth: registerAuthSchema.optional(),
    allowed_ips: allowedIpsSchema.optional(),
    agent: agentSchema.optional(),
    registrar: registrarSchema.optional(),
    sip_endpoint: sipEndpointSchema.optional().meta({
      description: 'Older name of `registrar` with auth_mode register, else of `agent`.',
    }),
    options: optionsSchema.optional(),
    headers: inboundHeadersSchema.optional(),
  })
  .superRefine(({ auth_mode, register_auth, agent, registrar, sip_endpoint }, context) => {
    const problem = endpointNamesProblem(auth_mode, { agent, registrar, sip_endpoint });
    if (problem !== undefined) context.addIssue({ code: 'custom', ...problem });
    if (auth_mode === 'register' && register_auth === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['register_auth'],
        message: 'Required with auth_mode register',
      });
    }
    if (auth_mode === 'ip' && register_auth !== undefined) {
      context.addIssue({ code: 'custom', path: ['register_auth'], message: 'Requires auth_mode register' });
    }
  })
  .meta({ id: 'InboundDirection' });

export const outboundAgentSchema = agentSchema.meta({
  description:
    'Agent of calls that the number places: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the inbound direction, else the service’s agent.',
});

const outboundSchema = z
  .strictObject({
    type: z.literal('outbound'),
    sip_endpoint: sipEndpointSchema,
    agent: outboundAgentSchema.optional(),
    options: optionsSchema.optional(),
    headers: outboundHeadersSchema.optional(),
  })
  .meta({ id: 'OutboundDirection' });

/** Why options cannot name a realm; undefined: they can, or do not. */
export function realmProblem(
  { sip_realm, sip_username }: { sip_realm?: string | undefined; sip_username?: string | undefined },
  direction: { readonly type: 'inbound' | 'outbound'; readonly auth_mode?: string | null },
): string | undefined {
  if (sip_realm === undefined) return undefined;
  if (direction.type === 'outbound') return sip_username === undefined ? 'Requires sip_username' : undefined;
  return direction.auth_mode === 'register' ? undefined : 'Inbound directions require auth_mode register';
}

/** Why options cannot name certificates; undefined: they can, or do not. */
export function trustProblem(
  { tls_ca, transport: given }: { tls_ca?: string | undefined; transport?: string | undefined },
  direction: {
    readonly type: 'inbound' | 'outbound';
    readonly auth_mode?: string | null | undefined;
    readonly sip_endpoint?: string | null | undefined;
  },
): string | undefined {
  if (tls_ca === undefined) return undefined;
  if (direction.type === 'inbound' && direction.auth_mode !== 'register')
    return 'Inbound directions require auth_mode register';
  const parsed = direction.sip_endpoint == null ? undefined : parseDestination(direction.sip_endpoint);
  const transport = given ?? (parsed?.ok === true ? parsed.destination.transport : undefined) ?? 'tls';
  return transport === 'tls' ? undefined : `Requires transport tls; it is ${transport}`;
}

export const directionSchema = z
  .discriminatedUnion('type', [inboundSchema, outboundSchema])
  .superRefine((direction, context) => {
    const { options } = direction;
    const message = realmProblem(options ?? {}, direction);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', path: ['options', 'sip_realm'], message });
    }
    const trust = trustProblem(options ?? {}, direction);
    if (trust !== undefined) {
      context.addIssue({ code: 'custom', path: ['options', 'tls_ca'], message: trust });
    }
    if (direction.type === 'outbound' && options?.agents !== undefined) {
      context.addIssue({ code: 'custom', path: ['options', 'agents'], message: agentsNeedInbound });
    }
    if ((options?.sip_username === undefined) === (options?.sip_password === undefined)) return;
    const missing = options?.sip_username === undefined ? 'sip_username' : 'sip_password';
    context.addIssue({
      code: 'custom',
      path: ['options', missing],
      message: 'sip_username and sip_password must be set together',
    });
  });

export type DirectionRequest = z.infer<typeof directionSchema>;

/** Of any length: a text that is no number is one failed number and does not spoil the others. */
export const numberToAttachSchema = z.string().meta({ examples: ['+14155550100'] });
