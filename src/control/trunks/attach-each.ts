import { DemarcError, type ErrorCode } from '../../errors.js';
import { isUnavailable } from '../database/database.js';
import { describeNoNumber, e164, readPhoneNumber } from '../http/phone-number.js';
import type { Warning } from '../numbers/warnings.js';

export interface FailedNumber {
  readonly phone_number: string;
  readonly error: ErrorCode;
  readonly message: string;
}

export interface Attached {
  /** E.164 with plus. */
  readonly configured: string[];
  readonly failed: FailedNumber[];
  readonly warnings: Warning[];
  /** Null unless a registration was attached that was not before. */
  readonly register_password_for_pbx: string | null;
}

export interface AttachedNumber {
  readonly warnings: Warning[];
  readonly newPassword: string | undefined;
}

/** Attaches each number once, and tells which ones failed and why. Rejects with what the database throws for the first one. */
export async function attachEach(
  phoneNumbers: readonly string[],
  attachOne: (number: string) => Promise<AttachedNumber>,
): Promise<Attached> {
  const configured: string[] = [];
  const failed: FailedNumber[] = [];
  const warnings: Warning[] = [];
  let newPassword: string | null = null;
  const done = new Set<string>();
  for (const text of phoneNumbers) {
    const number = readPhoneNumber(text);
    if (number === undefined) {
      failed.push(failedNumber(text, new DemarcError('INVALID_PHONE_NUMBER', describeNoNumber(text))));
      continue;
    }
    if (done.has(number)) continue;
    done.add(number);
    try {
      const outcome = await attachOne(number);
      configured.push(e164(number));
      warnings.push(...outcome.warnings);
      newPassword ??= outcome.newPassword ?? null;
    } catch (error) {
      if (error instanceof DemarcError) {
        failed.push(failedNumber(e164(number), error));
      } else if (isUnavailable(error) && configured.length > 0) {
        failed.push(failedNumber(e164(number), new DemarcError('SERVICE_UNAVAILABLE')));
      } else {
        throw error;
      }
    }
  }
  return { configured, failed, warnings, register_password_for_pbx: newPassword };
}

const failedNumber = (phoneNumber: string, error: DemarcError): FailedNumber => ({
  phone_number: phoneNumber,
  error: error.code,
  message: error.message,
});
