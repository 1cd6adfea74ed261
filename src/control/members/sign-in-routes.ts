import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import { noteEvent } from '../audit/audit-log.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { membershipsOf } from '../people/members.js';
import { emailSchema, type Person, recognizePerson, rememberBrowser } from '../people/people.js';
import { givenPasswordSchema } from '../secrets/passwords.js';
import { originOf, setBrowserCookie } from '../session/cookie.js';
import { sessionSchema, startSession } from '../session/routes.js';
import type { PasswordAttempts } from './attempts.js';

const tags = ['Session'];

/** A member who has just proven who it is. */
interface Arrival {
  readonly person: Person;
  readonly memberId: string;
  readonly organizationId: string;
  readonly isKnownBrowser: boolean;
}

/** Another site must not sign a user in, who would then work in the attacker's organization. Throws `DemarcError` `FOREIGN_ORIGIN`. */
export function refuseForeign(request: FastifyRequest): void {
  if (originOf(request) === 'foreign') throw new DemarcError('FOREIGN_ORIGIN');
}

/** Begins the session of a member and remembers the browser. */
export async function welcome(
  deps: Pick<ControlDeps, 'database' | 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { person, memberId, organizationId, isKnownBrowser }: Arrival,
): Promise<z.infer<typeof sessionSchema>> {
  const { database } = deps;
  await database
    .updateTable('members')
    .set({ signed_in_at: new Date() })
    .where('id', '=', memberId)
    .execute();
  await noteEvent(database, {
    organizationId,
    actor: { kind: 'member', id: memberId, name: person.name },
    action: 'signIn',
    summary: 'Sign in',
    address: request.ip,
  });
  if (!isKnownBrowser) setBrowserCookie(request, reply, await rememberBrowser(database, person.id));
  return startSession(deps, request, reply, { memberId });
}

/** `POST /v1/sign-in`: with email and password. */
export function signInRoutes(server: ApiServer, deps: ControlDeps, attempts: PasswordAttempts): void {
  const { database } = deps;
  server.post(
    '/v1/sign-in',
    {
      schema: {
        operationId: 'signIn',
        errors: ['WRONG_PASSWORD', 'TOO_MANY_REQUESTS', 'FOREIGN_ORIGIN'],
        tags,
        summary: 'Sign in with email and password',
        description:
          'Sets the session cookie, as `POST /v1/session` does for an API key. The session belongs to the organization that the person used last; `PATCH /v1/session` switches.',
        security: [],
        example: { email: 'ada@example.com', password: 'correct horse battery staple' },
        body: z.strictObject({ email: emailSchema, password: givenPasswordSchema }),
        response: answers(sessionSchema),
      },
    },
    async (request, reply) => {
      refuseForeign(request);
      const { email, password } = request.body;
      const isKnownBrowser = await attempts.count(request, reply, email);
      const person = await recognizePerson(deps, email, password, isKnownBrowser);
      const membership = person && (await membershipsOf(database, person.id))[0];
      if (person === undefined || membership === undefined) throw new DemarcError('WRONG_PASSWORD');
      const { id: memberId, organization_id: organizationId } = membership;
      return success(
        await welcome(deps, request, reply, { person, memberId, organizationId, isKnownBrowser }),
      );
    },
  );
}
