import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { enforce } from '../../http/enforce.js';
import type { TestBudget } from '../budget/test-budget.js';

/** What the budget of the organization refuses. */
export const usedErrors = ['TOKEN_BUDGET_USED', 'COST_BUDGET_USED', 'MODEL_PRICE_UNKNOWN'] as const;
/** What the budgets of an order and of the organization refuse. */
export const budgetErrors = ['TOKEN_BUDGET_TOO_LOW', 'COST_BUDGET_TOO_LOW', ...usedErrors] as const;

/** Throws `DemarcError` `TOO_MANY_REQUESTS`, with Retry-After, or one of `usedErrors`. */
export type StartLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The limits that all endpoints share which start runs or ask a model: each costs money. */
export function startLimit(
  server: ApiServer,
  { settings }: Pick<ControlDeps, 'settings'>,
  budget: Pick<TestBudget, 'admit'>,
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
