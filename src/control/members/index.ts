import type { Area } from '../area.js';
import type { Senders } from '../deliveries/senders.js';
import type { RouteGroup } from '../http/api-server.js';
import { refuseUnstorableText } from '../http/validation.js';
import { accountRoutes } from './account-routes.js';
import { PasswordAttempts } from './attempts.js';
import { auditRoutes } from './audit-routes.js';
import { AuditSweep } from './audit-sweep.js';
import { invitationRoutes } from './invitation-routes.js';
import { linkRoutes } from './link-routes.js';
import { memberRoutes } from './routes.js';
import { signInRoutes } from './sign-in-routes.js';

/** The members, invitations and changes of an organization. */
export const organizationMemberRoutes =
  (senders: Senders): RouteGroup =>
  (server, deps) => {
    memberRoutes(server, deps);
    invitationRoutes(server, { ...deps, senders });
    auditRoutes(server, deps);
  };

/** People of organizations: invitations, roles, sign-in with a password, and the log of who changed what. */
export const membersArea: Area = {
  name: 'members',
  create: ({ database, senders, log }) => ({
    accountRoutes: (server, deps) => {
      organizationMemberRoutes(senders)(server, deps);
      accountRoutes(server, deps);
    },
    publicRoutes: (server, deps) => {
      const attempts = new PasswordAttempts(server, deps);
      server.addHook('preValidation', refuseUnstorableText);
      signInRoutes(server, deps, attempts);
      linkRoutes(server, { ...deps, senders }, attempts);
    },
    services: [new AuditSweep(database, log)],
  }),
};
