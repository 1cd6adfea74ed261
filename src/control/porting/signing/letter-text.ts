import { e164 } from '../../http/phone-number.js';
import { customerName, type LosingCarrierInformation } from '../port-order.js';

/** What the authorized representative signs, before it has a form. Holds neither account number nor PIN. */
export interface LetterText {
  readonly title: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly numbers: readonly string[];
  readonly paragraphs: readonly string[];
}

export function letterText(
  requestId: string,
  information: LosingCarrierInformation,
  numbers: readonly string[],
  targetDay: string,
): LetterText {
  const { address, customer_type: type } = information;
  const street = address.street2 === undefined ? address.street : `${address.street}, ${address.street2}`;
  const name = `${information.first_name} ${information.last_name}`;
  return {
    title: 'Letter of Authorization to port telephone numbers',
    fields: [
      ['Request', requestId],
      ['Customer', customerName(information)],
      ['Type of account', type === 'business' ? 'Business' : 'Personal'],
      ['Authorized representative', name],
      ['Mail address of the representative', information.authorized_representative_email],
      ['Service address', `${street}, ${address.city}, ${address.state} ${address.zip}, ${address.country}`],
      [
        'Account number',
        information.account_number === undefined ? 'None given' : 'On file, not printed for protection',
      ],
      ['Requested port date', targetDay],
    ],
    numbers: numbers.map(e164),
    paragraphs: [
      `I, ${name}, am the customer named above or am authorized to act for this customer. I authorize the service that sent me this letter, and the carrier that it works with, to act as agent of the customer and to move the telephone numbers listed in this letter from their present carrier.`,
      'I authorize the present carrier to release all information about the account that is needed for it. The information above agrees with the records of the present carrier to the best of my knowledge.',
      'The present service of these numbers ends with the port; I remain responsible for charges of the present carrier up to then, and for charges of an early termination if there are any.',
    ],
  };
}

export const consentText =
  'I have read this letter, I am authorized to sign it, and I agree to sign it electronically.';
