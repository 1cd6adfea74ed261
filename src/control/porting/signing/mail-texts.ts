import type { Mail } from '../../deliveries/mail-sender.js';
import { quotedWords } from '../../deliveries/quoted-words.js';

/** The subject of the delivery of a link: one of each, as a delivery is made once for its subject. */
export const linkSubject = (requestId: string, linkNumber: number): string =>
  linkNumber === 1 ? requestId : `${requestId}#${linkNumber}`;

/** The request and the link that such a subject is about. */
export function readSubject(subject: string): { readonly id: string; readonly link: number } {
  const [id = '', link = '1'] = subject.split('#');
  return { id, link: Number(link) };
}

/**
 * Asks for a signature.
 * @param organization its name
 * @param numbers E.164 with plus
 */
export const signatureMail = (
  { name: organization, expires_at: expiresAt }: { readonly name: string; readonly expires_at: Date },
  numbers: readonly string[],
  url: string,
): Mail => ({
  title: `[Demarc] Please sign: move ${numbers[0]} to ${quotedWords(organization)}`,
  text: [
    `${quotedWords(organization)} asks to move these telephone numbers from your present carrier:`,
    ...numbers.map((number) => `  ${number}`),
    '',
    'You are named as the person who may authorize it. Read and sign the Letter of Authorization here:',
    url,
    '',
    `The link works once, until ${expiresAt.toISOString()}. Do not pass it on.`,
    'If you did not expect this, do nothing: without your signature no number moves.',
    '',
  ].join('\n'),
});

/** Brings the signer the signed letter. */
export const signedCopyMail = (
  request: { readonly id: string; readonly name: string; readonly signed_at: Date | null },
  numbers: readonly string[],
  letter: Buffer,
): Mail => ({
  title: '[Demarc] Your copy of the signed Letter of Authorization',
  text: [
    `Attached is the letter that you signed at ${request.signed_at?.toISOString()}.`,
    `It authorizes ${quotedWords(request.name)} to move: ${numbers.join(', ')}.`,
    '',
  ].join('\n'),
  attachments: [{ filename: `letter-of-authorization-${request.id}.pdf`, content: letter }],
});
