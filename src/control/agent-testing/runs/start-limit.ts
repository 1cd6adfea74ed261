import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { enforce } from '../../http/authentication.js';

/** Throws `DemarcError` `TOO_MANY_REQUESTS`, with Retry-After. */
export type StartLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The limit that all endpoints share which start runs or ask a model: each costs money. */
export function startLimit(server: ApiServer, { settings }: Pick<ControlDeps, 'settings'>): StartLimit {
  const limit = server.createRateLimit({
    max: settings.agentTests.startsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ caller }) => `agent tests ${caller.organizationId}`,
  });
  return (request, reply) => enforce(limit, request, reply);
}
