import { DemarcError } from '../../errors.js';

/** The version of a persona or pathway that is to become live. */
export interface PromotionSubject {
  readonly organizationId: string;
  readonly kind: 'pathway' | 'persona';
  /** Of the pathway or persona. */
  readonly id: string;
  readonly versionId: string;
  readonly versionNumber: number;
  /** A version that changes meanwhile is not promoted. */
  readonly revision: number;
  /** Id of the API key that asks for it. */
  readonly keyId: string;
}

/**
 * Asked before a version becomes live; every gate must agree.
 * @returns reasons why it must not, in the words of an error message; empty: none; `testing`: tests have begun, and the gate makes
 * the version live when they pass
 */
export type PromotionGate = (subject: PromotionSubject) => Promise<readonly string[] | 'testing'>;

/** Asks all gates. Throws `DemarcError` `PROMOTION_REFUSED`. */
export async function askGates(
  gates: readonly PromotionGate[],
  subject: PromotionSubject,
): Promise<'open' | 'testing'> {
  const answers = await Promise.all(gates.map((gate) => gate(subject)));
  const refusals = answers.flatMap((answer) => (answer === 'testing' ? [] : answer));
  if (refusals.length > 0) throw new DemarcError('PROMOTION_REFUSED', refusals.join('; '));
  return answers.includes('testing') ? 'testing' : 'open';
}
