import { z } from 'zod';
import { nameOf } from '../http/one-line.js';

/** What the losing carrier compares with its records, as `POST /v1/sip/port/initiate` takes it. */

export const maximumNumbers = 100;
export const maximumDocuments = 10;
const maximumEmails = 10;

const email = z.email().max(254);

const addressSchema = z
  .strictObject({
    street: nameOf(120).meta({ description: 'Street and house number.', examples: ['101 Spear St'] }),
    street2: nameOf(120).optional().meta({ description: 'Floor, suite or apartment.' }),
    city: nameOf(80).meta({ description: 'City.', examples: ['San Francisco'] }),
    state: nameOf(40).meta({ description: 'State or province, written as the losing carrier writes it.' }),
    zip: nameOf(16).meta({ description: 'Postal code.', examples: ['94105'] }),
    country: nameOf(2)
      .regex(/^[A-Z]{2}$/, 'country must be two letters, such as US.')
      .meta({ description: 'ISO 3166-1 alpha-2 code of the country.', examples: ['US'] }),
  })
  .meta({ description: 'Service address in the records of the losing carrier.' });

const informationSchema = z
  .strictObject({
    customer_type: z
      .enum(['business', 'personal'])
      .meta({ description: 'Kind of account at the losing carrier.' }),
    business_name: nameOf(120)
      .optional()
      .meta({ description: 'Name of the business on the bill. Required for customer_type business.' }),
    first_name: nameOf(60).meta({ description: 'First name of the authorized representative.' }),
    last_name: nameOf(60).meta({ description: 'Last name of the authorized representative.' }),
    account_number: nameOf(40)
      .optional()
      .meta({ description: 'Account number at the losing carrier. Required if a PIN is required.' }),
    authorized_representative_email: email.meta({
      description: 'Where the Letter of Authorization is sent for signature.',
      examples: ['jane.doe@example.com'],
    }),
    notification_emails: z
      .array(email)
      .max(maximumEmails)
      .default([])
      .meta({ description: `Addresses notified of each change of state. At most ${maximumEmails}.` }),
    address: addressSchema,
  })
  .superRefine(({ customer_type, business_name }, context) => {
    if (customer_type === 'business' && business_name === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['business_name'],
        message: 'business_name is required for customer_type business.',
      });
    }
  });

export const portOrderSchema = z.strictObject({
  phone_numbers: z
    .array(z.string().max(32))
    .min(1)
    .max(maximumNumbers)
    .meta({ description: `Numbers to port, E.164 with +. 1–${maximumNumbers}.` }),
  pin: z
    .string()
    .regex(/^[A-Za-z0-9]{1,20}$/, 'pin must be 1 to 20 letters and digits.')
    .optional()
    .meta({ description: 'Port-out PIN of the losing carrier, if it requires one. Never returned.' }),
  losing_carrier_information: informationSchema.meta({
    description: 'The account at the losing carrier; it must match the carrier’s records.',
  }),
  target_port_date: z.iso
    .datetime({
      offset: true,
      error: 'target_port_date must be ISO 8601 with a zone, such as 2026-12-01T15:00:00Z.',
    })
    .transform((text) => new Date(text))
    .optional()
    .meta({
      description:
        'When the numbers move: at least 7 days ahead, counted in the carrier’s time zone. Default: the earliest day.',
      examples: ['2026-12-01T15:00:00Z'],
    }),
  documents: z
    .array(z.string().max(64))
    .min(1)
    .max(maximumDocuments)
    .meta({
      description: `document_sid of bills or invoices with account name and service address. 1–${maximumDocuments}.`,
    }),
});
export type PortOrder = z.output<typeof portOrderSchema>;

/** As it is stored, sealed. */
export interface LosingCarrierInformation
  extends Omit<PortOrder['losing_carrier_information'], 'notification_emails'> {
  readonly pin?: string | undefined;
}

/** The name that the losing carrier knows its customer by. */
export const customerName = ({
  customer_type,
  business_name,
  first_name,
  last_name,
}: LosingCarrierInformation): string =>
  customer_type === 'business' ? business_name! : `${first_name} ${last_name}`;
