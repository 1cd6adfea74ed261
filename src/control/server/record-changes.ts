import { actorOf, noteEvent } from '../audit/audit-log.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { asObject, isRecorded, subjectOf } from './recorded-change.js';

/** Records every successful change through the API: who, what, when and from where. To be called before routes are registered. */
export function recordChanges(server: ApiServer, { database, log }: ControlDeps): void {
  server.addHook('onSend', async (request, reply, payload) => {
    const { caller } = request;
    if (reply.statusCode >= 400 || reply.hasHeader('idempotent-replayed')) return payload;
    if (caller === undefined || caller === null || !isRecorded(caller, request.routeOptions)) return payload;
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
          subject: subjectOf(schema, request),
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
