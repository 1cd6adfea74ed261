import { e164 } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import { requirePhoneNumber } from '../numbers/number-access.js';
import type { NumberCheck } from './carriers/carrier.js';
import type { PortOrder } from './port-order.js';

/** The digits of the numbers of an order. Throws `InvalidRequest` for a text that is no number, and for a number listed twice. */
export function readPortNumbers(texts: readonly string[]): string[] {
  const numbers = texts.map((text, place) => requirePhoneNumber(text, `phone_numbers.${place}`));
  const place = numbers.findIndex((number, at) => numbers.indexOf(number) !== at);
  if (place >= 0) {
    throw InvalidRequest.at(`phone_numbers.${place}`, `${e164(numbers[place]!)} is listed twice.`);
  }
  return numbers;
}

/** What is known of a number here overrides the carrier: another organization of this service has it attached. */
export const withForeign = (
  checks: readonly NumberCheck[],
  foreign: ReadonlySet<string>,
): readonly NumberCheck[] =>
  checks.map((check) =>
    check.portable && foreign.has(check.number)
      ? {
          ...check,
          portable: false,
          reason: 'The number is attached by another organization of this service.',
        }
      : check,
  );

/** Throws `InvalidRequest` with one fault for each number that cannot be ported, or lacks what its carrier asks for. */
export function refuseUnportable(
  checks: readonly NumberCheck[],
  order: {
    readonly pin?: string | undefined;
    readonly losing_carrier_information: Pick<PortOrder['losing_carrier_information'], 'account_number'>;
  },
): void {
  const faults = checks.flatMap(({ number, portable, reason }, place) =>
    portable
      ? []
      : [
          {
            error: 'VALIDATION_ERROR' as const,
            path: `phone_numbers.${place}`,
            message: `${e164(number)} cannot be ported: ${reason ?? 'the carrier gives no reason.'}`,
          },
        ],
  );
  if (faults.length > 0) throw new InvalidRequest(faults);
  const strict = checks.find(({ pinRequired }) => pinRequired);
  if (strict === undefined) return;
  const { account_number: account } = order.losing_carrier_information;
  const lacking =
    order.pin === undefined
      ? 'pin'
      : account === undefined
        ? 'losing_carrier_information.account_number'
        : undefined;
  if (lacking === undefined) return;
  throw InvalidRequest.at(
    lacking,
    `${lacking.split('.').at(-1)} is required: the carrier of ${e164(strict.number)} asks for a PIN and the account number.`,
  );
}
