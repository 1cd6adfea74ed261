import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { Tag } from './tags.js';

/** Parts of the API that a key may be limited to. */
const areas = [
  'trunks',
  'porting',
  'personas',
  'pathways',
  'calls',
  'knowledge',
  'contacts',
  'agent-testing',
  'alerts',
  'webhooks',
  'noc',
  'usage',
  'keys',
  'members',
  'organizations',
] as const;
type Area = (typeof areas)[number];
/** `listen`: to active calls. */
type Access = 'read' | 'write' | 'listen';

/** `write` includes `read`; neither includes `calls:listen`. */
export type Scope = `${Area}:${Exclude<Access, 'listen'>}` | 'calls:listen';

export const allScopes: readonly [Scope, ...Scope[]] = [
  'calls:listen',
  ...areas.flatMap((area): Scope[] => [`${area}:read`, `${area}:write`]),
];

export const scopeSchema = z.enum(allScopes);

/** The area of each group of operations; null: every key reaches it. */
export const areaOfTag: Readonly<Record<Tag, Area | null>> = {
  'SIP trunks': 'trunks',
  'Number porting': 'porting',
  Personas: 'personas',
  Pathways: 'pathways',
  Calls: 'calls',
  Knowledge: 'knowledge',
  Contacts: 'contacts',
  'Agent testing': 'agent-testing',
  Alerts: 'alerts',
  Webhooks: 'webhooks',
  NOC: 'noc',
  Session: null,
  Keys: 'keys',
  Members: 'members',
  Organizations: 'organizations',
  Usage: 'usage',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route needs of its area; absent: `read` for GET, else `write`. */
    access?: Access;
    /** A scope that is enough, too. */
    otherScope?: Scope;
  }
}

/** The scope that an operation needs; undefined: none. */
export function scopeOf(
  method: string,
  tags: readonly string[] | undefined,
  access: Access | undefined,
): Scope | undefined {
  const area = areaOfTag[tags?.[0] as Tag];
  if (area === undefined || area === null) return undefined;
  if (access === 'listen') return 'calls:listen';
  const isReading = method === 'GET' || method === 'HEAD';
  return `${area}:${access ?? (isReading ? 'read' : 'write')}`;
}

/** Whether a key with these scopes may do that; null: the key has all. */
export function hasScope(scopes: readonly Scope[] | null, needed: Scope): boolean {
  if (scopes === null || scopes.includes(needed)) return true;
  return needed.endsWith(':read') && scopes.includes(needed.replace(/read$/, 'write') as Scope);
}

/** Hook, after `authenticate`. Throws `DemarcError` `INSUFFICIENT_SCOPE` (RFC 6750 §3.1). */
export async function requireScope(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { scopes, member } = request.caller;
  const { method, config, schema } = request.routeOptions;
  if (scopes === null) return;
  const needed = scopeOf(String(method), schema?.tags, config.access);
  if (needed === undefined || hasScope(scopes, needed)) return;
  if (config.otherScope !== undefined && hasScope(scopes, config.otherScope)) return;
  reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${needed}"`);
  throw new DemarcError('INSUFFICIENT_SCOPE', whyRefused(needed, member?.role));
}

const whyRefused = (needed: Scope, role: string | undefined): string =>
  role === undefined ? `${needed} is required` : `${needed} is required; your role is ${role}`;
