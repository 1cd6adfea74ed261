import { z } from 'zod';
import { contactNumber } from '../../contract/contact-id.js';
import { maximumMetadataOctets } from '../http/metadata.js';
import { oneLine } from '../http/one-line.js';
import { describeNoNumber } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import type { Identifier } from './contact-rows.js';

export const nameSchema = oneLine(200);
export const emailSchema = z.email().max(254).meta({ description: 'Email address; case is ignored.' });
export const externalIdSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: 'Id of the contact in your own system.' });
export const phoneSchema = z
  .string()
  .max(40)
  .meta({ description: 'E.164 with +, such as +14155550100.', examples: ['+14155550100'] });

/** Of a change: it is merged into what is there, and null removes a field. */
export const metadataSchema = z.record(z.string().min(1).max(100), z.unknown()).meta({
  description: `Your own data; merged into what is there, null removes a field. At most ${maximumMetadataOctets} octets of JSON.`,
});

/** E.164 with plus. Throws `InvalidRequest`. */
export function requireContactNumber(text: string, path = 'phone_number'): string {
  const number = contactNumber(text.replace(/\s/g, ''));
  if (number === undefined) throw InvalidRequest.at(path, describeNoNumber(text));
  return number;
}

export const identifierFields = {
  phone_number: phoneSchema.optional(),
  email: emailSchema.optional(),
  external_id: externalIdSchema.optional(),
};

interface IdentifierInput {
  readonly phone_number?: string | undefined;
  readonly email?: string | undefined;
  readonly external_id?: string | undefined;
}

/** In order of weight. Throws `InvalidRequest` for none. */
export function identifiersIn({ phone_number, email, external_id }: IdentifierInput): Identifier[] {
  const found: Identifier[] = [];
  if (phone_number !== undefined)
    found.push({ type: 'phone_number', value: requireContactNumber(phone_number) });
  if (email !== undefined) found.push({ type: 'email', value: email.toLowerCase() });
  if (external_id !== undefined) found.push({ type: 'external_id', value: external_id });
  return found;
}

/** Throws `InvalidRequest` when the result is too large. */
export function mergedMetadata(
  current: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null),
  );
  const octets = Buffer.byteLength(JSON.stringify(merged));
  if (octets > maximumMetadataOctets) {
    throw InvalidRequest.at(
      'metadata',
      `metadata would have ${octets} octets and the limit is ${maximumMetadataOctets}; remove fields with null`,
    );
  }
  return merged;
}
