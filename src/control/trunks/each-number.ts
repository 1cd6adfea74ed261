import { DemarcError } from '../../errors.js';
import { isUnavailable } from '../database/database.js';
import { describeNoNumber, e164, readPhoneNumber } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import type { FailedNumber } from './attach-each.js';

/** Does it to each number once. Rejects when the database is down before anything is done. */
export async function eachNumber<Result>(
  texts: readonly string[],
  act: (phoneNumber: string) => Promise<Result>,
): Promise<{ done: Map<string, Result>; failed: FailedNumber[] }> {
  const done = new Map<string, Result>();
  const failed = new Map<string, DemarcError | InvalidRequest>();
  for (const text of texts) {
    const digits = readPhoneNumber(text);
    const number = digits === undefined ? text : e164(digits);
    if (done.has(number) || failed.has(number)) continue;
    if (digits === undefined) {
      failed.set(number, new DemarcError('INVALID_PHONE_NUMBER', describeNoNumber(text)));
      continue;
    }
    try {
      done.set(number, await act(number));
    } catch (error) {
      // Whether a change contradicts itself depends on what the number has.
      if (error instanceof DemarcError || error instanceof InvalidRequest) failed.set(number, error);
      else if (isUnavailable(error) && done.size > 0) {
        failed.set(number, new DemarcError('SERVICE_UNAVAILABLE'));
      } else throw error;
    }
  }
  return {
    done,
    failed: [...failed].map(([number, error]) => ({
      phone_number: number,
      error: error instanceof DemarcError ? error.code : 'VALIDATION_ERROR',
      message: error.message,
    })),
  };
}
