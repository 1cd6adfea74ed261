import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { Caller, RouteGroup } from '../http/api-server.js';
import { enforce } from '../http/enforce.js';
import { answers, success } from '../http/envelope.js';
import { membershipsOf } from '../people/members.js';
import { findPerson, setPassword } from '../people/people.js';
import { givenPasswordSchema, passwordSchema } from '../secrets/passwords.js';
import { sessionSchema, startSession } from '../session/routes.js';

const tags = ['Session'];

/** Throws `DemarcError` `MEMBERS_ONLY`. */
function memberOf({ member, session }: Caller): NonNullable<Caller['member']> {
  if (member === undefined || session === undefined) throw new DemarcError('MEMBERS_ONLY');
  return member;
}

/** A signed-in person's own account: `PATCH /v1/session`, `PUT /v1/session/password`. */
export const accountRoutes: RouteGroup = (server, deps) => {
  const { database, passwords } = deps;
  const perMember = server.createRateLimit({
    max: 10,
    timeWindow: 15 * 60_000,
    keyGenerator: (request) => `password ${request.caller.keyId}`,
  });

  server.patch(
    '/session',
    {
      schema: {
        operationId: 'switchOrganization',
        errors: ['NOT_FOUND', 'MEMBERS_ONLY'],
        tags,
        summary: 'Switch to another organization',
        description:
          'For people who belong to several organizations. The session gets a new cookie; the previous one ends.',
        example: { organization_id: 'org_4f2b8c1d9e0a7b6c5d4e3f2a' },
        body: z.strictObject({
          organization_id: z.string().min(1).max(64).meta({ description: 'One of `organizations`' }),
        }),
        response: answers(sessionSchema),
      },
    },
    async (request, reply) => {
      const { personId } = memberOf(request.caller);
      const memberships = await membershipsOf(database, personId);
      const target = memberships.find(
        (membership) => membership.organization_id === request.body.organization_id,
      );
      if (target === undefined) throw new DemarcError('NOT_FOUND', 'Organization not found');
      await database
        .updateTable('members')
        .set({ signed_in_at: new Date() })
        .where('id', '=', target.id)
        .execute();
      return success(await startSession(deps, request, reply, { memberId: target.id }));
    },
  );

  server.put(
    '/session/password',
    {
      schema: {
        operationId: 'changePassword',
        errors: ['WRONG_PASSWORD', 'MEMBERS_ONLY'],
        tags,
        summary: 'Change your password',
        description: 'Ends all other sessions of the person. This session gets a new cookie.',
        example: {
          current_password: 'correct horse battery staple',
          password: 'eleven blue cups on the shelf',
        },
        body: z.strictObject({
          current_password: givenPasswordSchema.meta({ description: 'The present password' }),
          password: passwordSchema,
        }),
        response: answers(sessionSchema),
      },
    },
    async (request, reply) => {
      const { personId } = memberOf(request.caller);
      await enforce(perMember, request, reply);
      const { current_password: current, password } = request.body;
      const person = await findPerson(database, personId);
      if (!(await passwords.matches(current, person?.password, true)))
        throw new DemarcError('WRONG_PASSWORD');
      const hash = await passwords.hash(password);
      await database.transaction().execute((transaction) => setPassword(transaction, personId, hash));
      return success(await startSession(deps, request, reply, { memberId: request.caller.keyId }));
    },
  );
};
