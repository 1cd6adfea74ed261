import type { Kysely } from 'kysely';
import type { ControlSettings } from '../../../config/control-settings.js';
import type { SecretBox } from '../../../contract/secret.js';
import type { Database } from '../../database/tables.js';
import type { Mail } from '../../deliveries/mail-sender.js';
import type { Delivery } from '../../deliveries/sender.js';
import { e164 } from '../../http/phone-number.js';
import { DocumentStorage } from '../documents/document-storage.js';
import { signatureUrl, tokenWith } from './link.js';
import { readSubject, signatureMail, signedCopyMail } from './mail-texts.js';

interface MailDeps {
  readonly database: Kysely<Database>;
  readonly settings: ControlSettings;
  readonly secrets: SecretBox;
}

/**
 * Composes the mails of signatures when they are sent: neither the link nor the letter is stored with the delivery. Undefined:
 * there is nothing to send any more, or it is another mail.
 */
export function portMails({ database, settings, secrets }: MailDeps) {
  const documents = new DocumentStorage(secrets, settings.porting.documents);
  return async ({ event, subject }: Delivery): Promise<Mail | undefined> => {
    const { id, link } = readSubject(subject);
    if (event !== 'port.signature_request' && event !== 'port.signed_copy') return undefined;
    const request = await database
      .selectFrom('port_requests')
      .innerJoin('port_letters', 'port_letters.request_id', 'port_requests.id')
      .innerJoin('organizations', 'organizations.id', 'port_requests.organization_id')
      .select(['port_requests.id', 'organizations.name', 'link_number', 'token_hash'])
      .select(['signed_at', 'signed_letter_id', 'expires_at'])
      .where('port_requests.id', '=', id)
      .executeTakeFirst();
    if (request === undefined) return undefined;
    const numbers = await database
      .selectFrom('port_numbers')
      .select('number')
      .where('request_id', '=', id)
      .orderBy('position')
      .execute();
    const list = numbers.map(({ number }) => e164(number));
    if (event === 'port.signature_request') {
      if (request.signed_at !== null || request.link_number !== link) return undefined;
      const token = tokenWith(settings, request.id, request.link_number, request.token_hash);
      if (token === undefined) return undefined;
      return signatureMail(request, list, signatureUrl(settings, token));
    }
    if (request.signed_letter_id === null) return undefined;
    const row = await database
      .selectFrom('port_documents')
      .selectAll()
      .where('id', '=', request.signed_letter_id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return signedCopyMail(request, list, await documents.readWhole(row));
  };
}
