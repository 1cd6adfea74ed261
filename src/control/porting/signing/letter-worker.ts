import { letterPdf, type Signature, signedLetterPdf } from './letter-pdf.js';
import type { LetterText } from './letter-text.js';

/** A letter to draw, or one to sign. */
export type LetterOrder =
  | { readonly kind: 'draw'; readonly text: LetterText; readonly madeAt: Date }
  | { readonly kind: 'sign'; readonly letter: Uint8Array; readonly signature: Signature };

/** The octets of the PDF. */
export default (order: LetterOrder): Promise<Uint8Array> =>
  order.kind === 'draw'
    ? letterPdf(order.text, order.madeAt)
    : signedLetterPdf(order.letter, order.signature);
