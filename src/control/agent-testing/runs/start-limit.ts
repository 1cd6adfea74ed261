import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { enforce } from '../../http/enforce.js';
import type { TokenBudget } from '../budget/token-budget.js';

/** Throws `DemarcError` `TOO_MANY_REQUESTS`, with Retry-After, or `TOKEN_BUDGET_USED`. */
export type StartLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The limits that all endpoints share which start runs or ask a model: each costs money. */
export function startLimit(
  server: ApiServer,
  { settings }: Pick<ControlDeps, 'settings'>,
  budget: Pick<TokenBudget, 'admit'>,
): StartLimit {
  const limit = server.createRateLimit({
    max: settings.agentTests.startsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ caller }) => `agent tests ${caller.organizationId}`,
  });
  return async (request, reply) => {
    await enforce(limit, request, reply);
    await budget.admit(request.caller.organizationId);
  };
}
