import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { Senders } from '../deliveries/senders.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { mailLimits } from '../http/mail-limits.js';
import { pageLimit, pageOf, pageStart } from '../http/query.js';
import { requireRights } from '../http/roles.js';
import {
  type Invitation,
  invitationHours,
  invite,
  readInvitations,
  withdrawInvitation,
} from '../people/invitations.js';
import { emailSchema } from '../people/people.js';
import { invitationLink } from './links.js';
import { invitationMail, sendLink } from './mails.js';
import { roleSchema } from './routes.js';

const tags = ['Members'];
const moment = z.iso.datetime();

const invitationSchema = z
  .object({
    invitation_id: z.string().meta({ examples: ['inv_4f2b8c1d9e0a7b6c5d4e3f2a'] }),
    email: z.string().meta({ description: 'Address of the invited person' }),
    role: roleSchema,
    invited_by: z.string().meta({ description: 'Name of the member or key that invites' }),
    created_at: moment.meta({ description: 'When it was created' }),
    expires_at: moment.meta({ description: 'The link is valid until then' }),
  })
  .meta({ id: 'Invitation' });

const view = (invitation: Invitation): z.infer<typeof invitationSchema> => ({
  invitation_id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});

/** `/v1/invitations`. */
export function invitationRoutes(
  server: ApiServer,
  { database, settings, senders }: ControlDeps & { readonly senders: Senders },
): void {
  const countMails = mailLimits(server);
  server.get(
    '/invitations',
    {
      schema: {
        operationId: 'listInvitations',
        tags,
        summary: 'List open invitations',
        description: 'Newest first, without links.',
        querystring: z.strictObject({ limit: pageLimit(500, 100), after: pageStart.after }),
        response: listAnswers(
          z.object({ invitations: z.array(invitationSchema).meta({ description: 'The invitations.' }) }),
        ),
      },
    },
    async ({ caller, query }) => {
      const { rows, next } = pageOf(await readInvitations(database, caller.organizationId), query);
      return listed({ invitations: rows.map(view) }, next);
    },
  );

  server.post(
    '/invitations',
    {
      config: { takesIdempotencyKey: false },
      schema: {
        operationId: 'inviteMember',
        errors: ['ALREADY_MEMBER', 'TOO_MANY_MEMBERS', 'INSUFFICIENT_SCOPE'],
        tags,
        summary: 'Invite a person',
        description: [
          `Returns a link that works once, for ${invitationHours} hours; it is returned only this once. If the service sends mail, it is also mailed.`,
          'A new invitation of the same address replaces the earlier one. A key can invite only to roles with no more rights than its own. Limits per day: 10 emails to an address, 200 from an organization.',
        ].join(' '),
        body: z.strictObject({ email: emailSchema, role: roleSchema }),
        example: { email: 'ada@example.com', role: 'operator' },
        response: answers(
          invitationSchema.extend({
            link: z.string().meta({ description: 'The link, returned only this once' }),
            mailed: z.boolean().meta({ description: 'True: the mail server accepted the mail' }),
            mail_error: z
              .string()
              .nullable()
              .meta({ description: 'Why the invitation was not mailed; null: it was' }),
          }),
        ),
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      requireRights(caller, body.role);
      await countMails(request, reply, [body.email]);
      const { organizationId, name: invitedBy } = caller;
      const { invitation, token } = await invite(database, organizationId, { ...body, invitedBy });
      const link = invitationLink(settings, token);
      const { name: organization } = await database
        .selectFrom('organizations')
        .select('name')
        .where('id', '=', organizationId)
        .executeTakeFirstOrThrow();
      const mail = invitationMail({ organization, invitedBy, role: body.role }, link, invitationHours);
      const mailError = await sendLink(senders, { organizationId, to: body.email, ...mail });
      return success({ ...view(invitation), link, mailed: mailError === null, mail_error: mailError });
    },
  );

  server.delete(
    '/invitations/:invitation_id',
    {
      schema: {
        operationId: 'withdrawInvitation',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Withdraw an invitation',
        description: 'Its link no longer works.',
        params: z.strictObject({
          invitation_id: z.string().min(1).max(64).meta({ description: 'invitation_id of the invitation' }),
        }),
        response: answers(
          z.object({
            invitation_id: z.string(),
            withdrawn: z.literal(true).meta({ description: 'True: withdrawn' }),
          }),
        ),
      },
    },
    async ({ params, caller }) => {
      const withdrawn = await withdrawInvitation(database, caller.organizationId, params.invitation_id);
      if (withdrawn === undefined) throw new DemarcError('NOT_FOUND', 'Invitation not found');
      return success({ invitation_id: withdrawn.id, withdrawn: true as const });
    },
  );
}
