import { quotedWords } from '../deliveries/quoted-words.js';
import type { Delivery } from '../deliveries/sender.js';
import type { Senders } from '../deliveries/senders.js';
import { newId } from '../organizations/identifiers.js';

interface Letter {
  readonly organizationId: string;
  readonly to: string;
  readonly title: string;
  readonly text: string;
}

/**
 * Sends a mail with a one-time link at once and stores nothing of it: the deliveries of the log can be read.
 * @returns null: the mail server took it; else why not
 */
export async function sendLink(
  senders: Senders,
  { organizationId, to, title, text }: Letter,
): Promise<string | null> {
  const now = new Date();
  const mail: Delivery = {
    id: newId('dlv'),
    organization_id: organizationId,
    event: 'alert.test',
    subject: '',
    channel: 'email',
    target: to,
    content: { title, text },
    status: 'pending',
    attempts: 0,
    last_status: null,
    last_error: null,
    created_at: now,
    last_attempt_at: null,
    next_attempt_at: null,
    delivered_at: null,
    endpoint_id: null,
    event_id: null,
    queue_at: now,
  };
  const outcome = await senders.email.send(mail, AbortSignal.timeout(20_000));
  if (outcome.kind === 'delivered') return null;
  return outcome.kind === 'failed' ? outcome.error : 'The mail server did not respond in time';
}

export const invitationMail = (
  {
    organization,
    invitedBy,
    role,
  }: { readonly organization: string; readonly invitedBy: string; readonly role: string },
  link: string,
  hours: number,
): Pick<Letter, 'title' | 'text'> => ({
  title: `[Demarc] Invitation to ${quotedWords(organization)}`,
  text: [
    `${quotedWords(invitedBy)} invites you to ${quotedWords(organization)} on Demarc as ${role}.`,
    '',
    `Accept the invitation: ${link}`,
    '',
    `The link works once, for ${hours} hours. If you did not expect it, ignore this mail.`,
    '',
  ].join('\n'),
});

export const resetMail = (link: string, hours: number): Pick<Letter, 'title' | 'text'> => ({
  title: '[Demarc] Reset your password',
  text: [
    `Set a new password: ${link}`,
    '',
    `The link works once, for ${hours} hours. If you did not request it, ignore this mail: your password is unchanged.`,
    '',
  ].join('\n'),
});
