import { z } from 'zod';
import type { NumberType } from '../number-plan.js';
import { customerName } from '../port-order.js';
import type { CarrierNumber, CarrierReport, NumberCheck, Submission } from './carrier.js';

export const portabilitySchema = z.object({
  portable: z.boolean().nullable(),
  pin_and_account_number_required: z.boolean().nullish(),
  number_type: z.string().nullish(),
  not_portable_reason: z.string().nullish(),
});

export const portInSchema = z.object({
  port_in_request_sid: z.string().regex(/^KW[0-9a-fA-F]{32}$/),
  port_in_request_status: z.string().nullish(),
  order_cancellation_reason: z.string().nullish(),
  signature_request_url: z.string().nullish(),
  phone_numbers: z
    .array(
      z.object({
        phone_number: z.string(),
        port_in_phone_number_status: z.string().nullish(),
        portable: z.boolean().nullish(),
        not_portability_reason: z.string().nullish(),
        rejection_reason: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type PortIn = z.output<typeof portInSchema>;

const numberTypes: Readonly<Record<string, NumberType>> = {
  LOCAL: 'landline',
  MOBILE: 'mobile',
  'TOLL-FREE': 'toll-free',
};

/** What Twilio's Portability says of a number. */
export function numberCheckOf(number: string, answer: z.output<typeof portabilitySchema>): NumberCheck {
  const portable = answer.portable === true;
  return {
    number,
    portable,
    numberType: numberTypes[answer.number_type?.toUpperCase() ?? ''] ?? 'unknown',
    pinRequired: answer.pin_and_account_number_required === true,
    reason: portable ? null : (answer.not_portable_reason ?? 'The carrier does not port it.'),
    source: 'carrier',
  };
}

/** Whether a port request of Twilio is for all of these numbers, and still open. */
export function isRequestFor(
  { phone_numbers, port_in_request_status }: PortIn,
  numbers: readonly string[],
): boolean {
  const wanted = new Set(numbers.map((number) => `+${number}`));
  const has = (phone_numbers ?? []).filter(({ phone_number: number }) => wanted.has(number));
  return has.length === wanted.size && !/^(cancel|expired)/i.test(port_in_request_status ?? '');
}

/** A port request of Twilio, as our state machine knows it. */
export function reportOf(found: PortIn): CarrierReport {
  const request = wordsOf(found.port_in_request_status);
  return {
    numbers: (found.phone_numbers ?? []).map((number) => numberOf(number, request, found)),
    note: noteOf(request),
  };
}

/**
 * The body that asks Twilio for a port.
 * @param documents Twilio's ids of what was uploaded
 */
export const portInBody = (
  accountSid: string,
  { numbers, information, notificationEmails, targetDay }: Submission,
  documents: readonly string[],
) => ({
  account_sid: accountSid,
  documents,
  phone_numbers: numbers.map((number) => ({
    phone_number: `+${number}`,
    ...(information.pin === undefined ? {} : { pin: information.pin }),
  })),
  losing_carrier_information: {
    customer_type: information.customer_type === 'business' ? 'Business' : 'Individual',
    customer_name: customerName(information),
    authorized_representative: `${information.first_name} ${information.last_name}`,
    authorized_representative_email: information.authorized_representative_email,
    ...(information.account_number === undefined ? {} : { account_number: information.account_number }),
    account_telephone_number: `+${numbers[0]}`,
    address: {
      street: information.address.street,
      ...(information.address.street2 === undefined ? {} : { street_2: information.address.street2 }),
      city: information.address.city,
      state: information.address.state,
      zip: information.address.zip,
      country: information.address.country,
    },
  },
  notification_emails: notificationEmails,
  target_port_in_date: targetDay,
});

/** `Waiting for Signature` and `waiting-for-signature` are the same. */
const wordsOf = (status: string | null | undefined): string =>
  (status ?? '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

const numberStatuses: Readonly<Record<string, CarrierNumber['status']>> = {
  completed: 'completed',
  ported: 'completed',
  pending: 'in_progress',
  'in progress': 'in_progress',
  rejected: 'failed',
  'not portable': 'failed',
  expired: 'failed',
  canceled: 'canceled',
  cancelled: 'canceled',
};

function numberOf(
  number: NonNullable<PortIn['phone_numbers']>[number],
  request: string,
  { order_cancellation_reason: why }: PortIn,
): CarrierNumber {
  const own = numberStatuses[wordsOf(number.port_in_phone_number_status)];
  const overall = {
    completed: 'completed',
    expired: 'failed',
    canceled: 'canceled',
    cancelled: 'canceled',
  } as const;
  const status =
    own ??
    (number.portable === false
      ? 'failed'
      : (overall[request as keyof typeof overall] ??
        (request === 'in progress' ? 'in_progress' : 'submitted')));
  return {
    number: number.phone_number.replace(/^\+/, ''),
    status,
    reason: number.rejection_reason ?? number.not_portability_reason ?? why ?? null,
  };
}

const noteOf = (request: string): string | null => {
  switch (request) {
    case 'waiting for signature':
      return 'Twilio has sent its own letter to the authorized representative and is waiting for the signature.';
    case 'action required':
      return 'Twilio waits for an action: see the request in its console.';
    default:
      return null;
  }
};
