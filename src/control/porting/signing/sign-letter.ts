import { Readable } from 'node:stream';
import type { Selectable } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { addDeliveries } from '../../deliveries/delivery-storage.js';
import { addDocument, type DocumentRow, informationPlace } from '../documents/document-storage.js';
import { makeMoves } from '../make-moves.js';
import type { LosingCarrierInformation } from '../port-order.js';
import { lockRequest, numbersOf, type PortRequest } from '../port-rows.js';
import type { PortingDeps } from '../porting-deps.js';
import type { PortLettersTable } from '../tables.js';
import type { Signature } from './letter-pdf.js';
import { stateOfLetter } from './letter-state.js';
import { type LetterText, letterText } from './letter-text.js';
import { hashOf, isToken } from './link.js';

/** What a link leads to. */
export type FoundLetter =
  | { readonly kind: 'unknown' | 'expired' | 'signed' | 'over' }
  | {
      readonly kind: 'open';
      readonly request: PortRequest;
      readonly letter: Selectable<PortLettersTable>;
      readonly document: DocumentRow;
      readonly text: LetterText;
    };

export async function findLetter({ database, secrets }: PortingDeps, token: string): Promise<FoundLetter> {
  if (!isToken(token)) return { kind: 'unknown' };
  const letter = await database
    .selectFrom('port_letters')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (letter === undefined) return { kind: 'unknown' };
  const request = await database
    .selectFrom('port_requests')
    .selectAll()
    .where('id', '=', letter.request_id)
    .executeTakeFirstOrThrow();
  const state = stateOfLetter(letter, request, Date.now());
  if (state !== 'open') return { kind: state };
  const document = await database
    .selectFrom('port_documents')
    .selectAll()
    .where('id', '=', letter.letter_id)
    .executeTakeFirst();
  if (document === undefined) return { kind: 'over' };
  const information = JSON.parse(
    secrets.open(request.information, informationPlace(request)),
  ) as LosingCarrierInformation;
  const numbers = (await numbersOf(database, request.id)).map(({ number }) => number);
  const text = letterText(request.id, information, numbers, request.target_day);
  return { kind: 'open', request, letter, document, text };
}

/**
 * Signs the letter once: the signed PDF is stored, the request moves on, a copy goes to the signer. False: it was signed or
 * canceled meanwhile. Throws `DemarcError` `DOCUMENTS_UNAVAILABLE`.
 */
export async function signLetter(
  { database, documents, letters }: PortingDeps,
  { request, letter, document }: Extract<FoundLetter, { kind: 'open' }>,
  given: Omit<Signature, 'shownSha256' | 'signedAt'>,
): Promise<boolean> {
  const shown = await documents.readWhole(document);
  const signature = { ...given, signedAt: new Date(), shownSha256: document.sha256.toString('hex') };
  const signed = await letters.sign(request.organization_id, shown, signature);
  const kept = await documents.keep(request.organization_id, Readable.from([signed]));
  try {
    return await database.transaction().execute(async (transaction) => {
      const current = await lockRequest(transaction, request.id);
      if (current?.status !== 'waiting_for_signature') throw new AlreadyDone();
      const { numUpdatedRows } = await transaction
        .updateTable('port_letters')
        .set({
          signed_letter_id: kept.id,
          signer_name: given.name,
          signer_address: given.address,
          signer_agent: given.userAgent,
          shown_sha256: document.sha256,
          signed_at: signature.signedAt,
        })
        .where('request_id', '=', request.id)
        .where('token_hash', '=', letter.token_hash)
        .where('signed_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new AlreadyDone();
      const of = { organization_id: request.organization_id, request_id: request.id };
      await addDocument(transaction, kept, { ...of, kind: 'signed_letter' });
      const reason = `Signed by ${given.name} from ${given.address}.`;
      const mover = { actor: 'signer', name: request.authorized_email } as const;
      await makeMoves(transaction, current, [{ move: 'sign', reason }], mover);
      await addDeliveries(transaction, [
        {
          organizationId: request.organization_id,
          event: 'port.signed_copy',
          subject: request.id,
          channel: 'email',
          target: request.authorized_email,
          content: null,
        },
      ]);
      return true;
    });
  } catch (error) {
    await documents.discard(kept.id).catch(() => {});
    if (error instanceof AlreadyDone) return false;
    throw error;
  }
}

class AlreadyDone extends DemarcError {
  constructor() {
    super('PORT_MOVE_NOT_ALLOWED');
  }
}
