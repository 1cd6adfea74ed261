import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { analyticsQuery, analyticsSchema, enhancedAnalyticsSchema } from '../schemas/analytics.js';
import { coverageQuery, coverageSchema } from '../schemas/coverage.js';
import { basicAnalytics, enhancedAnalytics } from './analytics.js';
import { pathwayCoverage } from './pathway-coverage.js';

const params = z.strictObject({
  pathwayId: z.string().min(1).max(64).meta({ description: 'Id of the pathway, or of a persona.' }),
});

/** `/agent-testing/analytics/{pathwayId}`, basic and enhanced. */
export function analyticsRoutes(server: ApiServer, { database }: ControlDeps): void {
  server.get(
    '/agent-testing/analytics/:pathwayId',
    {
      config: { isSearch: true },
      schema: {
        operationId: 'getTestAnalytics',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get analytics of tests',
        description:
          'Pass rate and mean score of the runs that ended within the days in UTC, and the latest runs.',
        params,
        querystring: analyticsQuery,
        response: answers(analyticsSchema),
      },
    },
    async (request) => {
      const { params: of, query, caller } = request;
      const window = { days: query.days, now: new Date() };
      return success(
        await request.inTurn(() => basicAnalytics(database, caller.organizationId, of.pathwayId, window)),
      );
    },
  );

  server.get(
    '/agent-testing/analytics/:pathwayId/enhanced',
    {
      config: { isSearch: true },
      schema: {
        operationId: 'getEnhancedTestAnalytics',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get enhanced analytics of tests',
        description:
          'Adds health, reliability, the trend, failures by node, and the flow from scenarios over nodes to outcomes.',
        params,
        querystring: analyticsQuery,
        response: answers(enhancedAnalyticsSchema),
      },
    },
    async (request) => {
      const { params: of, query, caller } = request;
      const window = { days: query.days, now: new Date() };
      return success(
        await request.inTurn(() => enhancedAnalytics(database, caller.organizationId, of.pathwayId, window)),
      );
    },
  );

  server.get(
    '/agent-testing/coverage/:pathwayId',
    {
      config: { isSearch: true },
      schema: {
        operationId: 'getPathwayCoverage',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get the coverage of a pathway',
        description:
          'Nodes and edges of a version that tests by text visited, those that they did not, and scenarios that would.',
        params: z.strictObject({
          pathwayId: z.string().min(1).max(64).meta({ description: 'Id of the pathway.' }),
        }),
        querystring: coverageQuery,
        response: answers(coverageSchema),
      },
    },
    async (request) => {
      const { params: of, query, caller } = request;
      return success(
        await request.inTurn(() => pathwayCoverage(database, caller.organizationId, of.pathwayId, query)),
      );
    },
  );
}
