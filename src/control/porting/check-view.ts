import { z } from 'zod';
import { describeNoNumber, e164, readPhoneNumber } from '../http/phone-number.js';
import type { NumberCheck } from './carriers/carrier.js';
import { numberTypes } from './number-plan.js';

export const checkSchema = z
  .object({
    phone_number: z
      .string()
      .meta({ description: 'The number in E.164 with +, or the text as sent if it is not a phone number.' }),
    portable: z.boolean().meta({ description: 'Whether it can be ported.' }),
    number_type: z.enum(numberTypes).meta({
      description: 'Kind of number; unknown: North American plans do not tell mobile numbers from landlines.',
    }),
    pin_required: z.boolean().meta({ description: 'Whether the losing carrier requires a PIN.' }),
    reason: z.string().nullable().meta({ description: 'Why it is not portable; null: it is.' }),
    source: z.enum(['carrier', 'numbering_plan']).meta({
      description:
        'Source of the result. numbering_plan: no carrier was asked, so the port may still be refused.',
    }),
  })
  .meta({ id: 'PortCheck' });

const checkView = (check: NumberCheck): z.infer<typeof checkSchema> => ({
  phone_number: e164(check.number),
  portable: check.portable,
  number_type: check.numberType,
  pin_required: check.pinRequired,
  reason: check.reason,
  source: check.source,
});

/** An entry that is not a phone number does not prevent the check of the others. */
const unreadable = (text: string): z.infer<typeof checkSchema> => ({
  phone_number: text,
  portable: false,
  number_type: 'unknown',
  pin_required: false,
  reason: describeNoNumber(text),
  source: 'numbering_plan',
});

/** One entry for each text as it was sent, in order. */
export const checkViews = (
  texts: readonly string[],
  checks: readonly NumberCheck[],
): z.infer<typeof checkSchema>[] =>
  texts.map((text) => {
    const digits = readPhoneNumber(text);
    const check = checks.find(({ number }) => number === digits);
    return check === undefined ? unreadable(text) : checkView(check);
  });
