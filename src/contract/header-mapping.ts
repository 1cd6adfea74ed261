import { z } from 'zod';

/**
 * How SIP headers of the trunk and variables of the agent correspond. On the agent's leg a variable is a header line of
 * the variable's name; so neither may be called like a header that the protocol or the edge itself needs.
 */

export const maximumHeaderMappings = 15;

/** Headers that carry the protocol, credentials or Demarc's identification can't be mapped. */
const reservedHeaders = new Set([
  ...[
    'accept',
    'accept-contact',
    'accept-encoding',
    'accept-language',
    'alert-info',
    'allow',
    'allow-events',
  ],
  ...[
    'authentication-info',
    'authorization',
    'call-id',
    'contact',
    'content-disposition',
    'content-encoding',
  ],
  ...['content-language', 'content-length', 'content-type', 'cseq', 'date', 'event', 'expires', 'flow-timer'],
  ...[
    'from',
    'identity',
    'in-reply-to',
    'join',
    'max-breadth',
    'max-forwards',
    'mime-version',
    'min-expires',
  ],
  ...['min-se', 'path', 'proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization'],
  ...[
    'proxy-require',
    'rack',
    'reason',
    'record-route',
    'refer-to',
    'referred-by',
    'reject-contact',
    'replaces',
  ],
  ...['request-disposition', 'require', 'retry-after', 'route', 'rseq', 'security-client', 'security-server'],
  ...['security-verify', 'server', 'service-route', 'session-expires', 'sip-etag', 'sip-if-match'],
  ...['subscription-state', 'supported', 'timestamp', 'to', 'unsupported', 'user-agent', 'via', 'warning'],
  ...['www-authenticate'],
]);

/** Headers that the agent's INVITE has anyway. */
const headersOfAgentLeg = new Set([
  'diversion',
  'history-info',
  'p-asserted-identity',
  'privacy',
  'remote-party-id',
  'user-to-user',
]);

/** Variables of inbound `X-` headers: `sip_header_x-name`. */
export const headerVariablePrefix = 'sip_header_';

/** RFC 3261 §25.1 `token`; one letter would be a compact form (§7.3.3). */
const tokenPattern = /^[A-Za-z0-9\-.!%*_+`'~]{2,64}$/;
const variablePattern = /^[A-Za-z_][A-Za-z0-9_.-]{1,63}$/;
const ownPrefix = 'x-demarc-';

/** False for headers that SIP itself needs, and for text that is no header name. */
function isMappableHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return tokenPattern.test(name) && !reservedHeaders.has(lower) && !lower.startsWith(ownPrefix);
}

function isVariableName(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    variablePattern.test(name) &&
    isMappableHeader(name) &&
    !headersOfAgentLeg.has(lower) &&
    !lower.startsWith(headerVariablePrefix)
  );
}

/** No line ends and no other control characters: nothing that could start another header. */
export const isHeaderText = (text: string): boolean => !/[\x00-\x08\x0a-\x1f\x7f]/.test(text);

/** What a name must be, by the place where it stands. */
const places = {
  header: {
    test: isMappableHeader,
    message: 'must be a SIP header name of 2 to 64 characters that is not reserved',
  },
  variable: {
    test: isVariableName,
    message:
      'must be 2 to 64 letters, digits, dots, hyphens or underscores, and neither a header of the protocol nor reserved',
  },
  text: { test: isHeaderText, message: 'must not contain line breaks or control characters' },
} as const;
type Place = keyof typeof places;

const uuiToken = z.string().regex(/^[A-Za-z0-9\-.!%*_+`'~]{1,64}$/, 'must be a token');

/** RFC 7433: the trunk's User-to-User header with that purpose, and the variable `target`. */
const uui = z.strictObject({
  type: z.literal('uui'),
  target: z.string().refine(places.variable.test, places.variable.message),
  purpose: uuiToken.optional(),
  encoding: z.enum(['hex', 'ascii']).default('hex'),
  content: uuiToken.optional(),
});

function mappingsSchema(kinds: Record<'mapped' | 'constant', readonly [key: Place, value: Place]>) {
  const custom = z
    .strictObject({
      type: z.literal('custom'),
      key: z.string().max(64),
      value: z.string().max(256),
      /** True: `value` is the text itself. */
      passthrough: z.boolean().default(false),
    })
    .superRefine((mapping, context) => {
      const [key, value] = mapping.passthrough ? kinds.constant : kinds.mapped;
      for (const [path, place] of [
        ['key', key],
        ['value', value],
      ] as const) {
        if (places[place].test(mapping[path])) continue;
        context.addIssue({ code: 'custom', path: [path], message: places[place].message });
      }
    });
  return z.array(z.discriminatedUnion('type', [custom, uui])).max(maximumHeaderMappings);
}

/** From the trunk to the agent: `key` is the trunk's header and `value` the variable, or with `passthrough` a variable and its value. */
export const inboundHeaderMappingsSchema = mappingsSchema({
  mapped: ['header', 'variable'],
  constant: ['variable', 'text'],
});

/** From the agent to the trunk: `key` is the variable and `value` the trunk's header, or with `passthrough` a header and its value. */
export const outboundHeaderMappingsSchema = mappingsSchema({
  mapped: ['variable', 'header'],
  constant: ['header', 'text'],
});

export type HeaderMapping = z.infer<typeof inboundHeaderMappingsSchema>[number];
