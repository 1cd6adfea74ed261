import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { KeyStore } from './keys.js';
import type { AuditEvent, People } from './members.js';
import type { ApiRequest } from './request.js';
import type { UsageSource } from './usage.js';

/** Organizations as those who run the service manage them. */

export type Organization = api.ManagedOrganization;
export type Limits = Organization['limits'];
export type OrganizationPage = api.ListOrganizationsAnswer['data'] & { readonly next: string | null };

/** By name. */
export const readOrganizations = async (
  filter: api.ListOrganizationsQuery,
  signal?: AbortSignal,
): Promise<OrganizationPage> => {
  const asked = demarc.listOrganizations(filter, { signal });
  const { organizations } = await ask(asked);
  return { organizations, next: (await asked).next };
};

export const readOrganization = (organization_id: string, signal?: AbortSignal): Promise<Organization> =>
  ask(demarc.getOrganization({ organization_id }, { signal }));

export const creationOf =
  (body: api.CreateOrganizationBody): ApiRequest<Organization> =>
  (client) =>
    client.createOrganization(body);

export const updateOf =
  (organization_id: string, body: api.UpdateOrganizationBody): ApiRequest<Organization> =>
  (client) =>
    client.updateOrganization({ organization_id }, body);

/** Members and invitations of that organization. */
export const peopleOf = (organization_id: string): People => ({
  scope: 'organizations:write',
  readMembers: async (signal) =>
    (await ask(demarc.listMembersForOrganization({ organization_id }, { limit: 500 }, { signal }))).members,
  readInvitations: async (signal) =>
    (await ask(demarc.listInvitationsForOrganization({ organization_id }, { limit: 500 }, { signal })))
      .invitations,
  inviteOf: (email, role) => (client) =>
    client.inviteMemberForOrganization({ organization_id }, { email, role }),
  changeRole: (member_id, role) =>
    ask(demarc.updateMemberForOrganization({ organization_id, member_id }, { role })),
  removeMember: (member_id) => ask(demarc.removeMemberForOrganization({ organization_id, member_id })),
  createResetLink: (member_id) => ask(demarc.createResetLinkForOrganization({ organization_id, member_id })),
  withdrawInvitation: (invitation_id) =>
    ask(demarc.withdrawInvitationForOrganization({ organization_id, invitation_id })),
});

/** API keys of that organization. */
export const keysOf = (organization_id: string): KeyStore => ({
  scope: 'organizations:write',
  read: async (signal) =>
    (await ask(demarc.listKeysForOrganization({ organization_id }, { limit: 100 }, { signal }))).keys,
  keyOf: (body) => (client) => client.createKeyForOrganization({ organization_id }, body),
  revocationOf: (key_id) => (client) => client.revokeKeyForOrganization({ organization_id, key_id }),
});

export const usageOf = (organization_id: string): UsageSource => ({
  read: (period, signal) => ask(demarc.getUsageForOrganization({ organization_id }, period, { signal })),
  readGroups: async (wanted, signal) =>
    (await ask(demarc.getUsageBreakdownForOrganization({ organization_id }, wanted, { signal }))).groups,
});

/** The newest changes of that organization. */
export const readAuditOf = async (
  organization_id: string,
  signal?: AbortSignal,
): Promise<readonly AuditEvent[]> =>
  (await ask(demarc.listAuditEventsForOrganization({ organization_id }, { limit: 20 }, { signal }))).events;
