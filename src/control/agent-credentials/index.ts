import type { Area } from '../area.js';
import { resealAgentCredentials } from './credentials.js';
import { agentCredentialRoutes } from './routes.js';

export { readDigestCredentials } from './credentials.js';

/** Digest credentials of agents that place calls by SIP. */
export const agentCredentialsArea: Area = {
  name: 'agent-credentials',
  create: (deps) => ({
    routes: agentCredentialRoutes,
    reseal: () => resealAgentCredentials(deps),
  }),
};
