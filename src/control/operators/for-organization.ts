import type { z } from 'zod';
import type { ApiServer, ControlDeps, RouteGroup } from '../http/api-server.js';
import { requireOperator } from '../http/roles.js';
import { findOrganization } from '../organizations/organizations.js';
import { organizationPath, unknownOrganization } from './organization-routes.js';

/** What an operation is described with; other fields stay. */
interface Described {
  readonly operationId?: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly errors?: readonly string[];
}

/**
 * Registers operations of an organization a second time, below `/operator/organizations/{organization_id}`: there an operator with
 * `organizations:read` or `organizations:write` uses them for any organization, with all rights in it.
 */
export function routesForOrganization(
  server: ApiServer,
  deps: ControlDeps,
  groups: readonly RouteGroup[],
): void {
  void server.register(
    async (scope) => {
      scope.addHook('onRoute', (route) => {
        const schema = route.schema as Described;
        route.schema = {
          ...schema,
          ...(schema.operationId === undefined
            ? {}
            : { operationId: `${schema.operationId}ForOrganization` }),
          tags: ['Organizations'],
          description: `For operators only. ${schema.description?.replace(/\byour organization\b/g, 'the organization') ?? ''}`,
          params: organizationPath.extend(schema.params?.shape ?? {}),
          errors: [...new Set(['OPERATOR_ONLY', 'NOT_FOUND', ...(schema.errors ?? [])])],
        } as never;
      });
      // After those that identify the operator and check the scope.
      scope.addHook('onRequest', async (request) => {
        const { caller } = request;
        requireOperator(caller);
        const { organization_id: id } = request.params as z.infer<typeof organizationPath>;
        const found = await findOrganization(deps.database, id);
        if (found === undefined || found.id !== id) throw unknownOrganization(id);
        request.caller = {
          ...caller,
          organizationId: id,
          region: found.region,
          sipEnabled: found.sipEnabled,
          scopes: null,
          homeOrganizationId: caller.organizationId,
        };
      });
      for (const group of groups) group(scope as unknown as ApiServer, deps);
    },
    { prefix: '/operator/organizations/:organization_id' },
  );
}
