import type { Area } from '../area.js';
import { keyRoutes } from '../keys/index.js';
import { organizationMemberRoutes } from '../members/index.js';
import { usageRoutes } from '../usage/index.js';
import { routesForOrganization } from './for-organization.js';
import { organizationRoutes } from './organization-routes.js';

/** Those who run the service: organizations, their limits, members, keys and usage. */
export const operatorsArea: Area = {
  name: 'operators',
  create: ({ senders }) => ({
    accountRoutes: (server, deps) => {
      organizationRoutes(server, deps);
      routesForOrganization(server, deps, [organizationMemberRoutes(senders), keyRoutes, usageRoutes]);
    },
  }),
};
