import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { pageLimit, pageOf, pageStart } from '../http/query.js';
import { requireRights, roles } from '../http/roles.js';
import { changeRole, findMember, type Member, readMembers, removeMember } from '../people/members.js';
import { createReset, requireOwnersReach, resetHours } from '../people/password-resets.js';
import { resetLink } from './links.js';

const tags = ['Members'];
const moment = z.iso.datetime();

export const roleSchema = z.enum(roles).meta({
  description:
    '`owner`: everything, including keys, members and secrets. `operator`: reads everything, handles alerts, places calls and test calls, runs agent tests. `viewer`: reads everything.',
});

const memberSchema = z
  .object({
    member_id: z.string().meta({ examples: ['mem_4f2b8c1d9e0a7b6c5d4e3f2a'] }),
    name: z.string().meta({ description: 'Name of the person' }),
    email: z.string().meta({ description: 'Email address of the person' }),
    role: roleSchema,
    operator: z.boolean().meta({ description: 'Sees the fleet and the totals of all organizations' }),
    created_at: moment.meta({ description: 'When the person joined' }),
    signed_in_at: moment.nullable().meta({ description: 'Last sign-in to this organization; null: never' }),
  })
  .meta({ id: 'Member' });

const path = z.strictObject({
  member_id: z.string().min(1).max(64).meta({ description: 'member_id of the member' }),
});

const view = (member: Member): z.infer<typeof memberSchema> => ({
  member_id: member.id,
  name: member.name,
  email: member.email,
  role: member.role,
  operator: member.is_operator,
  created_at: member.created_at.toISOString(),
  signed_in_at: member.signed_in_at?.toISOString() ?? null,
});

/** `/v1/members`: the people of an organization. */
export const memberRoutes: RouteGroup = (server, { database, settings }) => {
  server.get(
    '/members',
    {
      schema: {
        operationId: 'listMembers',
        tags,
        summary: 'List members',
        description: 'In the order in which they joined.',
        querystring: z.strictObject({ limit: pageLimit(500, 100), after: pageStart.after }),
        response: listAnswers(
          z.object({ members: z.array(memberSchema).meta({ description: 'The members.' }) }),
        ),
      },
    },
    async ({ caller, query }) => {
      const { rows, next } = pageOf(await readMembers(database, caller.organizationId), query);
      return listed({ members: rows.map(view) }, next);
    },
  );

  server.patch(
    '/members/:member_id',
    {
      schema: {
        operationId: 'updateMember',
        errors: ['NOT_FOUND', 'LAST_OWNER', 'INSUFFICIENT_SCOPE'],
        tags,
        summary: 'Change the role of a member',
        description:
          'Applies to the member’s next request. A key can give and take only roles with no more rights than its own. The last owner stays owner.',
        params: path,
        body: z.strictObject({ role: roleSchema }),
        example: { role: 'operator' },
        response: answers(memberSchema),
      },
    },
    async ({ params, body, caller }) =>
      success(view(await changeRole(database, caller, params.member_id, body.role))),
  );

  server.delete(
    '/members/:member_id',
    {
      schema: {
        operationId: 'removeMember',
        errors: ['NOT_FOUND', 'LAST_OWNER', 'INSUFFICIENT_SCOPE'],
        tags,
        summary: 'Remove a member',
        description:
          'The member’s sessions in this organization end at once. API keys that the member created stay: revoke them separately.',
        params: path,
        response: answers(z.object({ member_id: z.string(), removed: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      const { id } = await removeMember(database, caller, params.member_id);
      return success({ member_id: id, removed: true as const });
    },
  );

  server.post(
    '/members/:member_id/reset-link',
    {
      config: { takesIdempotencyKey: false },
      schema: {
        operationId: 'createResetLink',
        errors: ['NOT_FOUND', 'MEMBER_ELSEWHERE', 'INSUFFICIENT_SCOPE'],
        tags,
        summary: 'Create a password reset link for a member',
        description: `For a member who forgot the password; pass the link on. It works once, for ${resetHours} hours, and is returned only this once. Refused if the person belongs to another organization too, or sees the fleet.`,
        params: path,
        response: answers(
          z.object({
            member_id: z.string(),
            link: z.string().meta({ description: 'The link, returned only this once' }),
            expires_at: moment.meta({ description: 'The link is valid until then' }),
          }),
        ),
      },
    },
    async ({ params, caller }) => {
      const member = await findMember(database, caller.organizationId, params.member_id);
      if (member === undefined) throw new DemarcError('NOT_FOUND', 'Member not found');
      requireRights(caller, member.role);
      await requireOwnersReach(database, member.person_id);
      const { token, expiresAt } = await createReset(database, member.person_id, caller.organizationId);
      return success({
        member_id: member.id,
        link: resetLink(settings, token),
        expires_at: expiresAt.toISOString(),
      });
    },
  );
};
