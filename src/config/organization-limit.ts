import { whole } from './environment.js';

/** Edges enforce it; control bounds load tests by it. */
export const organizationLimitVariables = {
  /** Concurrent calls of an organization without a separate limit, at all edges together. */
  DEMARC_ORGANIZATION_MAX_CALLS: whole(1, 100_000).default(1_000),
};
