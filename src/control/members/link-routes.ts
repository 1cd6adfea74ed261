import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import { noteEvent } from '../audit/audit-log.js';
import type { Senders } from '../deliveries/senders.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { faultsOf, InvalidRequest } from '../http/validation.js';
import { acceptInvitation, lookUpInvitation } from '../people/invitations.js';
import { membershipsOf } from '../people/members.js';
import { createReset, finishReset, resetHours } from '../people/password-resets.js';
import {
  createPerson,
  emailSchema,
  findPersonByEmail,
  personNameSchema,
  recognizePerson,
} from '../people/people.js';
import { givenPasswordSchema, passwordSchema } from '../secrets/passwords.js';
import { sessionSchema } from '../session/routes.js';
import type { PasswordAttempts } from './attempts.js';
import { resetLink } from './links.js';
import { resetMail, sendLink } from './mails.js';
import { roleSchema } from './routes.js';
import { refuseForeign, welcome } from './sign-in-routes.js';

const tags = ['Session'];
const token = z.string().min(1).max(200).meta({ description: 'The part of the link after #' });
const invalid = (): DemarcError => new DemarcError('LINK_NOT_VALID');

/** What the holder of a one-time link can do: accept an invitation, set a new password. */
export function linkRoutes(
  server: ApiServer,
  deps: ControlDeps & { readonly senders: Senders },
  attempts: PasswordAttempts,
): void {
  const { database, settings, senders, passwords, log } = deps;

  server.post(
    '/v1/invitations/look-up',
    {
      schema: {
        operationId: 'lookUpInvitation',
        errors: ['LINK_NOT_VALID', 'TOO_MANY_REQUESTS'],
        tags,
        summary: 'Show what an invitation link invites to',
        description: 'Does not use up the link.',
        security: [],
        example: { token: 'qL0kX3v2m1T9s8R7q6P5o4N3m2L1k0J9i8H7g6F5e4D' },
        body: z.strictObject({ token }),
        response: answers(
          z.object({
            organization: z.string().meta({ description: 'Name of the organization' }),
            email: z.string().meta({ description: 'Address of the invited person' }),
            role: roleSchema,
            invited_by: z.string().meta({ description: 'Name of the member or key that invites' }),
            expires_at: z.iso.datetime().meta({ description: 'The link is valid until then' }),
            has_account: z.boolean().meta({ description: 'True: accept with the password of the account' }),
          }),
        ),
      },
    },
    async (request, reply) => {
      await attempts.countLink(request, reply);
      const found = await lookUpInvitation(database, request.body.token);
      if (found === undefined) throw invalid();
      const { organization, email, role, invited_by, expires_at, has_account } = found;
      return success({
        organization,
        email,
        role,
        invited_by,
        expires_at: expires_at.toISOString(),
        has_account: has_account === true,
      });
    },
  );

  server.post(
    '/v1/invitations/accept',
    {
      schema: {
        operationId: 'acceptInvitation',
        errors: ['LINK_NOT_VALID', 'WRONG_PASSWORD', 'TOO_MANY_REQUESTS', 'FOREIGN_ORIGIN'],
        tags,
        summary: 'Accept an invitation',
        description:
          'Uses up the link, creates the account or adds the organization to an existing one (whose password is then required), and signs in.',
        security: [],
        example: {
          token: 'qL0kX3v2m1T9s8R7q6P5o4N3m2L1k0J9i8H7g6F5e4D',
          name: 'Ada Lovelace',
          password: 'correct horse battery staple',
        },
        body: z.strictObject({
          token,
          name: personNameSchema.optional(),
          password: givenPasswordSchema.meta({
            description: 'A new password of 12–256 characters, or the password of the existing account',
          }),
        }),
        response: answers(sessionSchema),
      },
    },
    async (request, reply) => {
      refuseForeign(request);
      await attempts.countLink(request, reply);
      const { token: linkToken, name, password } = request.body;
      const invitation = await lookUpInvitation(database, linkToken);
      if (invitation === undefined) throw invalid();
      // The inviter has the link, too, which asks for the password of the address: guesses count as sign-ins.
      const isKnownBrowser = await attempts.count(request, reply, invitation.email);
      const isNew = invitation.has_account !== true;
      if (isNew && name === undefined) throw InvalidRequest.at('name', 'name is required.');
      const recognized = isNew
        ? undefined
        : await recognizePerson(deps, invitation.email, password, isKnownBrowser);
      if (!isNew && recognized === undefined) throw new DemarcError('WRONG_PASSWORD');
      const hash = isNew ? await passwords.hash(newPassword(password)) : '';
      const accepted = await acceptInvitation(database, linkToken, async (transaction, email, existing) => {
        // The account was created or deleted since the link was looked up.
        if (existing?.id !== recognized?.id) throw invalid();
        return existing ?? createPerson(transaction, { email, name: name ?? email, password: hash });
      });
      if (accepted === undefined) throw invalid();
      const { organizationId, memberId, person } = accepted;
      await noteEvent(database, {
        organizationId,
        actor: { kind: 'member', id: memberId, name: person.name },
        action: 'acceptInvitation',
        summary: 'Accept an invitation',
        subject: `${person.email} ${invitation.role}`,
        address: request.ip,
      });
      return success(await welcome(deps, request, reply, { ...accepted, isKnownBrowser }));
    },
  );

  server.post(
    '/v1/password/reset',
    {
      schema: {
        operationId: 'requestPasswordReset',
        errors: ['TOO_MANY_REQUESTS', 'FOREIGN_ORIGIN'],
        tags,
        summary: 'Request a password reset link by mail',
        description: `The response is the same whether or not the address has an account. The link works once, for ${resetHours} hours.`,
        security: [],
        example: { email: 'ada@example.com' },
        body: z.strictObject({ email: emailSchema }),
        response: answers(
          z.object({
            sends_mail: z.boolean().meta({
              description: 'False: this service is not configured to send mail; ask an owner for a link',
            }),
          }),
        ),
      },
    },
    async (request, reply) => {
      refuseForeign(request);
      const { email } = request.body;
      await attempts.countMail(request, reply, email);
      const sendsMail = settings.notices.smtp !== undefined;
      // Not awaited: the time of the response would say whether there is an account.
      if (sendsMail) {
        mailReset(email).catch((error: Error) =>
          log.warn({ error: error.message }, 'A password reset link was not mailed.'),
        );
      }
      return success({ sends_mail: sendsMail });
    },
  );

  async function mailReset(email: string): Promise<void> {
    const person = await findPersonByEmail(database, email);
    const membership = person && (await membershipsOf(database, person.id))[0];
    if (person === undefined || membership === undefined) return;
    const { token: created } = await createReset(database, person.id, null);
    const mail = resetMail(resetLink(settings, created), resetHours);
    const problem = await sendLink(senders, {
      organizationId: membership.organization_id,
      to: email,
      ...mail,
    });
    if (problem !== null) log.warn({ problem }, 'A password reset link was not mailed.');
  }

  server.post(
    '/v1/password/set',
    {
      schema: {
        operationId: 'setPassword',
        errors: ['LINK_NOT_VALID', 'TOO_MANY_REQUESTS', 'FOREIGN_ORIGIN'],
        tags,
        summary: 'Set a new password with a reset link',
        description: 'Uses up the link and ends all sessions of the person. Sign in afterwards.',
        security: [],
        example: {
          token: 'qL0kX3v2m1T9s8R7q6P5o4N3m2L1k0J9i8H7g6F5e4D',
          password: 'correct horse battery staple',
        },
        body: z.strictObject({ token, password: passwordSchema }),
        response: answers(z.object({ email: z.string().meta({ description: 'Address of the account' }) })),
      },
    },
    async (request, reply) => {
      refuseForeign(request);
      await attempts.countLink(request, reply);
      const { token: linkToken, password } = request.body;
      const person = await finishReset(database, linkToken, await passwords.hash(password));
      if (person === undefined) throw invalid();
      for (const { id, organization_id: organizationId } of await membershipsOf(database, person.id)) {
        await noteEvent(database, {
          organizationId,
          actor: { kind: 'member', id, name: person.name },
          action: 'setPassword',
          summary: 'Set a new password with a reset link',
          address: request.ip,
        });
      }
      return success({ email: person.email });
    },
  );
}

/** Throws `InvalidRequest`. */
function newPassword(text: string): string {
  const read = passwordSchema.safeParse(text);
  if (read.success) return read.data;
  throw new InvalidRequest(
    faultsOf(
      read.error.issues.map((issue) => ({ ...issue, path: ['password'] })),
      'body',
    ),
  );
}
