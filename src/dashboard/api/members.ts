import { computed } from '@preact/signals';
import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';
import { session } from './session.js';

export type Member = api.Member;
export type Invitation = api.Invitation;
export type Invited = api.InviteMemberAnswer['data'];
export type Role = Member['role'];
export type AuditEvent = api.AuditEvent;
export type AuditPage = api.ListAuditEventsAnswer['data'] & { readonly next: string | null };

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  operator: 'Operator',
  viewer: 'Viewer',
};

export const roleRights: Readonly<Record<Role, string>> = {
  owner: 'everything, including keys, members and secrets',
  operator:
    'reads everything, handles alerts and maintenance windows, places calls and test calls, runs agent tests',
  viewer: 'reads everything',
};

type Scope = NonNullable<api.Session['scopes']>[number];

/** Whether scopes include the needed one; `write` includes `read`. Null: all. */
export const includesScope = (scopes: readonly Scope[] | null, needed: Scope): boolean =>
  scopes === null ||
  scopes.includes(needed) ||
  (needed.endsWith(':read') && scopes.includes(needed.replace(/read$/, 'write') as Scope));

/** Whether the signed-in person or key may do that. */
export const may = (needed: Scope): boolean =>
  session.value !== null && session.value !== undefined && includesScope(session.value.scopes, needed);

/** Why a button is disabled. */
export const whyNot = computed(() =>
  session.value?.member == null
    ? 'This key lacks the scope for it.'
    : `Your role is ${session.value.member.role}. Ask an owner of ${session.value.organization.name}.`,
);

export const readMembers = async (signal?: AbortSignal): Promise<Member[]> =>
  (await ask(demarc.listMembers({ limit: 500 }, { signal }))).members;

export const readInvitations = async (signal?: AbortSignal): Promise<Invitation[]> =>
  (await ask(demarc.listInvitations({ limit: 500 }, { signal }))).invitations;

/** Members and invitations of one organization: the session's, or another one that an operator manages. */
export interface People {
  /** What changes need. */
  readonly scope: Scope;
  readonly readMembers: (signal?: AbortSignal) => Promise<Member[]>;
  readonly readInvitations: (signal?: AbortSignal) => Promise<Invitation[]>;
  readonly inviteOf: (email: string, role: Role) => ApiRequest<Invited>;
  readonly changeRole: (member_id: string, role: Role) => Promise<Member>;
  readonly removeMember: (member_id: string) => Promise<unknown>;
  readonly createResetLink: (member_id: string) => Promise<api.CreateResetLinkAnswer['data']>;
  readonly withdrawInvitation: (invitation_id: string) => Promise<unknown>;
}

/** Those of the session's organization. */
export const ownPeople: People = {
  scope: 'members:write',
  readMembers,
  readInvitations,
  inviteOf: (email, role) => (client) => client.inviteMember({ email, role }),
  changeRole: (member_id, role) => ask(demarc.updateMember({ member_id }, { role })),
  removeMember: (member_id) => ask(demarc.removeMember({ member_id })),
  createResetLink: (member_id) => ask(demarc.createResetLink({ member_id })),
  withdrawInvitation: (invitation_id) => ask(demarc.withdrawInvitation({ invitation_id })),
};

export const readAudit = async (
  filter: api.ListAuditEventsQuery,
  signal?: AbortSignal,
): Promise<AuditPage> => {
  const asked = demarc.listAuditEvents(filter, { signal });
  const { events } = await ask(asked);
  return { events, next: (await asked).next };
};
