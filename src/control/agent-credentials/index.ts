export { resealAgentCredentials } from './credentials.js';
export { agentCredentialRoutes } from './routes.js';
