import type { Area } from '../area.js';
import { resealAgentCredentials } from './credentials.js';
import { agentCredentialRoutes } from './routes.js';
import { streamSecretRoutes } from './stream-secret-routes.js';
import { resealStreamSecrets } from './stream-secrets.js';

export { readDigestCredentials } from './credentials.js';

/** What agents and Demarc prove themselves with: digest credentials of agents by SIP, signing secrets for those by WebSocket. */
export const agentCredentialsArea: Area = {
  name: 'agent-credentials',
  create: (deps) => ({
    routes: (server, given) => {
      agentCredentialRoutes(server, given);
      streamSecretRoutes(server, given);
    },
    reseal: async () => {
      const passwords = await resealAgentCredentials(deps);
      const signing = await resealStreamSecrets(deps);
      return {
        resealed: passwords.resealed + signing.resealed,
        unreadable: passwords.unreadable + signing.unreadable,
      };
    },
  }),
};
