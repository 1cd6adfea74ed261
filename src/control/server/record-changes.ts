import type { FastifyRequest } from 'fastify';
import { actorOf, noteEvent } from '../audit/audit-log.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { areaOfTag } from '../http/scopes.js';
import type { Tag } from '../http/tags.js';

/** What programs do all day with a key is no change to the set-up of an organization; what a person does is always recorded. */
const unrecordedForKeys: ReadonlySet<string | null> = new Set([
  'calls',
  'contacts',
  'knowledge',
  'agent-testing',
]);

/** Their names and numbers are those of people, whom an erasure must remove: only ids are recorded. */
const aboutPeople: ReadonlySet<string | null> = new Set(['contacts', 'calls']);

/** Records every successful change through the API: who, what, when and from where. To be called before routes are registered. */
export function recordChanges(server: ApiServer, { database, log }: ControlDeps): void {
  server.addHook('onSend', async (request, reply, payload) => {
    const { caller } = request;
    if (reply.statusCode >= 400 || reply.hasHeader('idempotent-replayed')) return payload;
    if (caller === undefined || caller === null || !isRecorded(request)) return payload;
    const { schema } = request.routeOptions;
    const { operationId = '', summary = '' } = schema as { operationId?: string; summary?: string };
    try {
      const { organizationId, homeOrganizationId = organizationId } = caller;
      // What an operator does for another organization is in the logs of both.
      for (const id of new Set([organizationId, homeOrganizationId])) {
        await noteEvent(database, {
          organizationId: id,
          actor: actorOf(caller),
          action: operationId,
          summary,
          subject: subjectOf(request),
          fields: Object.keys(asObject(request.body)),
          address: request.ip,
        });
      }
    } catch (error) {
      // The change is made: an error response would make the client repeat it.
      log.error(
        { error: String(error), operation: operationId, by: caller.keyId },
        'A change was not recorded.',
      );
    }
    return payload;
  });
}

function isRecorded({ caller, routeOptions }: FastifyRequest): boolean {
  const { method, config, schema } = routeOptions;
  if (method === 'GET' || method === 'HEAD' || config.access === 'read' || caller.call !== undefined)
    return false;
  return caller.member !== undefined || !unrecordedForKeys.has(areaOf(schema));
}

const areaOf = (schema: unknown): string | null =>
  areaOfTag[(schema as { tags?: Tag[] } | undefined)?.tags?.[0] as Tag] ?? null;

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** Fields that name something and hold no secret. */
const naming = ['phone_number', 'direction', 'email', 'role', 'name', 'host', 'webhook_id', 'url'] as const;

/** Ids of the path, then names in the body. */
function subjectOf({ params, body, routeOptions }: FastifyRequest): string {
  const ids = Object.values(asObject(params)).map(String);
  if (aboutPeople.has(areaOf(routeOptions.schema))) return ids.join(' ');
  const fields = asObject(body);
  const named = naming.flatMap((name) => {
    const value = fields[name];
    if (typeof value !== 'string') return [];
    return [name === 'url' ? originOf(value) : value];
  });
  const numbers = Array.isArray(fields.phone_numbers) ? fields.phone_numbers : [];
  const listed = numbers.length === 0 ? [] : [String(numbers[0])];
  const more = numbers.length > 1 ? [`and ${numbers.length - 1} more`] : [];
  return [...ids, ...named, ...listed, ...more].join(' ');
}

/** Paths and queries of webhook URLs often carry tokens. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');
