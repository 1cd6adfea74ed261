import type { FastifyReply, FastifyRequest } from 'fastify';
import { GroupSlots } from '../../base/group-slots.js';
import { DemarcError } from '../../errors.js';
import type { ApiServer } from '../http/api-server.js';

/** Concurrent requests of one organization in a process: the event loop serves other organizations between them. */
const requestsOfOrganization = 8;
const requests = 64;
/** A request that takes longer waits for something else, such as a model or a probe: the next one of the organization may begin. */
const heldMilliseconds = 100;
/** Searches of all calls occupy PostgreSQL: these leave most of the usual ten connections to other requests. */
const searches = 3;
const searchesOfOrganization = 2;
const patienceMilliseconds = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Runs a query that reads many rows when it is the organization's turn. Rejects with `DemarcError` `TOO_MANY_REQUESTS` after a
     * long wait.
     */
    inTurn<Result>(search: () => Promise<Result>): Promise<Result>;
  }
}

/** Lets organizations take turns at a process: further requests of one wait for its earlier ones, not those of others. */
export function takeTurns(server: ApiServer): void {
  const working = new GroupSlots(requests, requestsOfOrganization);
  const searching = new GroupSlots(searches, searchesOfOrganization);
  const enter = async (slots: GroupSlots, { caller }: FastifyRequest): Promise<() => void> => {
    const leave = await slots.enter(caller.organizationId, patienceMilliseconds);
    if (leave === undefined)
      throw new DemarcError(
        'TOO_MANY_REQUESTS',
        `earlier requests of this organization took ${patienceMilliseconds / 1_000} seconds`,
      );
    return leave;
  };
  server.decorateRequest('inTurn', async function inTurn(this: FastifyRequest, search) {
    const leave = await enter(searching, this);
    try {
      return await search();
    } finally {
      leave();
    }
  } as FastifyRequest['inTurn']);
  // The body has arrived: a slow one holds no turn.
  server.addHook('preValidation', async (request: FastifyRequest, reply: FastifyReply) => {
    const { raw } = reply;
    if (raw.destroyed) return;
    const leave = await enter(working, request);
    const end = (): void => {
      clearTimeout(timer);
      raw.off('finish', end);
      raw.off('close', end);
      leave();
    };
    const timer = setTimeout(end, heldMilliseconds);
    // The client disconnected while the request waited.
    if (raw.destroyed) end();
    raw.once('finish', end);
    raw.once('close', end);
  });
}
