import { z } from 'zod';
import { agentStreamSchema } from './agent-stream.js';
import { inboundHeaderMappingsSchema, outboundHeaderMappingsSchema } from './header-mapping.js';
import { completedNumber } from './local-number.js';
import { parseSourceRange } from './source-range.js';
import { transferPolicySchema } from './transfer.js';

/**
 * The configuration of one phone number: what the control plane writes to Redis and every edge reads.
 * One document per number, so that a change is atomic. Unknown fields are refused: a typing error must not pass as a policy.
 */

export const codecNames = ['PCMU', 'PCMA', 'opus', 'G722', 'G729'] as const;
export const codecNameSchema = z.enum(codecNames);

export const transportSchema = z.enum(['udp', 'tcp', 'tls']);

/** A secret sealed with AES-256-GCM (`contract/secret.ts`); never the secret itself. */
export const sealedSecretSchema = z.string().regex(/^v[12]:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/);

const digestCredentialSchema = z.strictObject({
  username: z.string().min(1).max(128),
  password: sealedSecretSchema,
});

/** The one protection domain whose challenges we answer (RFC 3261 §22.1); absent: any. */
const realmSchema = z.string().min(1).max(256).optional();

/** What we answer a server's challenges with. */
const serverCredentialSchema = digestCredentialSchema.extend({ realm: realmSchema });

/**
 * PEM: authorities whose certificates the server may show, or its very own, in place of those that the edge trusts. Checked
 * where it is stored.
 */
const trustedCertificatesSchema = z.string().min(1).max(20_000).optional();

/** A CIDR or a single address, IPv4 or IPv6. */
export const sourceRangeSchema = z
  .string()
  .min(1)
  .max(64)
  .superRefine((text, context) => {
    const parsed = parseSourceRange(text);
    if (parsed.ok) return;
    context.addIssue({
      code: 'custom',
      message:
        parsed.problem === 'too-wide'
          ? `${text} covers nearly every address; use ranges of at least /8 (IPv6: /7)`
          : `${text} is not an address or CIDR`,
    });
  });

/** The customer's PBX, at which the edge registers itself in order to get the number's calls (RFC 3261 §10). */
const registrationSchema = z.strictObject({
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535).optional(),
  transport: transportSchema,
  username: z.string().min(1).max(128),
  password: sealedSecretSchema,
  realm: realmSchema,
  tls_ca: trustedCertificatesSchema,
});

/**
 * Whether the agent, and a trunk of plain RTP, may send audio from another address than the described one; absent: as the edge's
 * settings say.
 */
const symmetricRtpSchema = z.boolean().optional();

/** A SIP URI, or the `wss:` URL of a WebSocket server. */
export const agentUriSchema = z.string().min(5).max(512);
/** Each rings with its own INVITE: more would make one call a flood. */
export const maximumAgents = 10;

/** Who may call the number, and who answers. The first configuration that admits a call is used. */
const inboundConfigurationSchema = z.strictObject({
  id: z.string().min(1).max(64),
  /** A source outside is challenged when credentials are given, else refused (403). */
  allowed_sources: z.array(sourceRangeSchema).max(100).default([]),
  /** Digest credentials a caller may use instead of a known source. */
  credentials: z.array(digestCredentialSchema).max(10).default([]),
  /** The agent runtime's SIP URI; the edge's default agent when absent. */
  agent_uri: agentUriSchema.optional(),
  /** Several agents in its place. `ring_all`: all ring at once, and the first that answers has the call. */
  agents: z
    .strictObject({
      strategy: z.literal('ring_all'),
      uris: z.array(agentUriSchema).min(1).max(maximumAgents),
    })
    .optional(),
  /** How those of the agents that are WebSocket servers are called, by their URLs. */
  streams: z.array(agentStreamSchema).max(maximumAgents).optional(),
  /** The trunk's headers as variables of the agent. */
  headers: inboundHeaderMappingsSchema.default([]),
  /** Calls that come by this registration are admitted without further ado. */
  registration: registrationSchema.optional(),
  symmetric_rtp: symmetricRtpSchema,
});

/** One server of the customer's, for calls from us to them; its addresses are known sources as well. */
const outboundConfigurationSchema = z.strictObject({
  id: z.string().min(1).max(64),
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535).optional(),
  transport: transportSchema.default('tls'),
  credential: serverCredentialSchema.optional(),
  /** For its backups as well. */
  tls_ca: trustedCertificatesSchema,
  /** False: RTP/AVP is offered instead of SRTP. */
  secure_media: z.boolean().optional(),
  /** Variables of the agent as headers for the trunk. */
  headers: outboundHeaderMappingsSchema.default([]),
  /** Agent of calls that the number places by order; absent: that of its first inbound configuration. */
  agent_uri: agentUriSchema.optional(),
  /** How that agent is called if it is a WebSocket server. */
  stream: agentStreamSchema.optional(),
  symmetric_rtp: symmetricRtpSchema,
});

export const codecPolicySchema = z.strictObject({
  /** Enabled codecs in order of preference; others are removed from offers and answers. */
  order: z.array(codecNameSchema).min(1).max(5).default(['PCMU', 'PCMA', 'opus']),
  /** True: rtpengine converts when the two sides share no enabled codec. */
  transcode: z.boolean().default(false),
});

export const limitsSchema = z.strictObject({
  concurrent_calls: z.int().min(0).max(10_000).optional(),
  calls_per_second: z.number().positive().max(1_000).optional(),
  max_duration_seconds: z.int().min(1).max(86_400).optional(),
});

/** What all calls of an organization may use together. */
export const organizationLimitsSchema = z.strictObject({
  concurrent_calls: z.int().min(1).max(100_000).optional(),
  calls_per_second: z.int().min(1).max(10_000).optional(),
});

/** When and where to a call from us goes next: the outbound configuration first, then these by priority. */
const failoverSchema = z.strictObject({
  endpoints: z
    .array(
      z.strictObject({
        host: z.string().min(1).max(253),
        port: z.int().min(1).max(65_535).optional(),
        transport: transportSchema,
      }),
    )
    .min(1)
    .max(2),
  triggers: z.array(z.enum(['unreachable', 'auth_failure', 'timeout'])).min(1),
  /** `manual`: the backup stays in use until an operator changes it. */
  failback: z.enum(['auto', 'manual']),
});

/** Settings of outbound calls that differ from `codecs` and `limits`. */
const outboundPolicySchema = z.strictObject({
  codecs: codecPolicySchema.optional(),
  limits: limitsSchema.optional(),
  failover: failoverSchema.optional(),
  transfer: transferPolicySchema.optional(),
});

/** Of one call: with them a call token has at most 1,700 octets, and fits an INVITE through any SIP server. */
export const maximumKnowledgeBases = 50;

/** The live version of the persona that answers inbound calls. */
const personaSchema = z.strictObject({
  id: z.uuid(),
  version: z.int().min(1),
  knowledge_ids: z.array(z.uuid()).max(maximumKnowledgeBases).optional(),
});

/** The version of the pathway that inbound calls follow. */
export const followedPathwaySchema = z.strictObject({
  id: z.uuid(),
  version: z.int().min(1),
});

/** Name or id of a voice, which only the agent knows; without control characters, because it becomes a header. */
export const voiceSchema = z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/);

export const numberDocumentSchema = z.strictObject({
  version: z.literal(1),
  /** E.164 digits without plus. */
  number: z.string().regex(/^[0-9]{3,15}$/),
  organization: z.string().min(1).max(64),
  updated_at: z.iso.datetime(),
  inbound: z.array(inboundConfigurationSchema).max(10).default([]),
  outbound: z.array(outboundConfigurationSchema).max(10).default([]),
  codecs: codecPolicySchema.prefault({}),
  limits: limitsSchema.prefault({}),
  /** Replace those of the settings of the edges. */
  organization_limits: organizationLimitsSchema.optional(),
  /** The limits hold for all numbers with this key together; absent: for this number alone. */
  limits_key: z.string().min(1).max(64).optional(),
  /** Of calls to the number, and of calls from it unless `outbound_policy` says otherwise. */
  transfer: transferPolicySchema.optional(),
  /** The organization's own agents, which may call from the number by sending an INVITE. */
  agent_credentials: z.array(digestCredentialSchema).max(20).optional(),
  outbound_policy: outboundPolicySchema.optional(),
  persona: personaSchema.optional(),
  pathway: followedPathwaySchema.optional(),
  /** Knowledge bases of the pathway's nodes. */
  pathway_knowledge_ids: z.array(z.uuid()).max(maximumKnowledgeBases).optional(),
  voice: voiceSchema.optional(),
});

/** What the limits of a number count under: the number, or the trunk that it shares with others. */
export const limitedBy = ({
  number,
  limits_key: key,
}: Pick<z.infer<typeof numberDocumentSchema>, 'number' | 'limits_key'>): string => key ?? number;

/** SIP URIs of the agents that a configuration names: several ring at once. Undefined: it names none. */
export function agentsOf(inbound: InboundConfiguration | undefined): readonly string[] | undefined {
  if (inbound?.agents !== undefined) return inbound.agents.uris;
  return inbound?.agent_uri === undefined ? undefined : [inbound.agent_uri];
}

export type DigestCredential = z.infer<typeof digestCredentialSchema>;
export type ServerCredential = z.infer<typeof serverCredentialSchema>;
export type InboundConfiguration = z.infer<typeof inboundConfigurationSchema>;
export type OutboundConfiguration = z.infer<typeof outboundConfigurationSchema>;
export type CodecPolicy = z.infer<typeof codecPolicySchema>;
export type OutboundPolicy = z.infer<typeof outboundPolicySchema>;
export type NumberPersona = z.infer<typeof personaSchema>;
export type FollowedPathway = z.infer<typeof followedPathwaySchema>;
export type NumberDocument = z.infer<typeof numberDocumentSchema>;

/**
 * The E.164 digits that a called user names, with or without plus, visual separators (RFC 3966 §5.1.1), escapes and
 * parameters; undefined if it is not a number. A local number is completed by a `phone-context` of digits (`completedNumber`).
 */
export function numberDigits(user: string): string | undefined {
  let text = user;
  if (text.includes('%')) {
    try {
      text = decodeURIComponent(text);
    } catch {
      return undefined;
    }
  }
  const semicolon = text.indexOf(';');
  let context: string | undefined;
  if (semicolon >= 0) {
    context = /;phone-context=([^;]*)/i.exec(text)?.[1];
    text = text.slice(0, semicolon);
  }
  const digits = withoutSeparators(text.startsWith('+') ? text.slice(1) : text);
  if (context !== undefined && !text.startsWith('+')) return completedDigits(digits, context);
  return wholeNumber.test(digits) ? digits : undefined;
}

const withoutSeparators = (text: string): string => text.replace(/[-.()]/g, '');
const wholeNumber = /^[0-9]{3,15}$/;

/** @param context the value of `phone-context` */
function completedDigits(local: string, context: string): string | undefined {
  const prefix = withoutSeparators(context);
  if (!/^\+[0-9]+$/.test(prefix) || !/^[0-9]+$/.test(local)) return undefined;
  const digits = completedNumber(local, prefix.slice(1));
  return digits !== undefined && wholeNumber.test(digits) ? digits : undefined;
}
