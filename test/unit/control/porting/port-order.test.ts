import { describe, expect, it } from 'vitest';
import {
  customerName,
  type LosingCarrierInformation,
  portOrderSchema,
} from '../../../../src/control/porting/port-order.js';

const address = { street: '101 Spear St', city: 'San Francisco', state: 'CA', zip: '94105', country: 'US' };
const information = {
  customer_type: 'business',
  business_name: 'Acme',
  first_name: 'Jane',
  last_name: 'Doe',
  authorized_representative_email: 'jane@acme.example',
  address,
};
const order = {
  phone_numbers: ['+14155550100'],
  losing_carrier_information: information,
  documents: ['doc_1'],
};
const inInformation = (fields: object): object => ({
  losing_carrier_information: { ...information, ...fields },
});

/** Paths of what is refused. */
const faults = (fields: object): string[] | undefined =>
  portOrderSchema.safeParse({ ...order, ...fields }).error?.issues.map(({ path }) => path.join('.'));

describe('a port order', () => {
  it('has no notified addresses, PIN or day unless they are given', () => {
    const { losing_carrier_information: read, ...rest } = portOrderSchema.parse(order);
    expect(read.notification_emails).toEqual([]);
    expect([rest.pin, rest.target_port_date]).toEqual([undefined, undefined]);
  });

  it.each<[string, object, string]>([
    ['no number', { phone_numbers: [] }, 'phone_numbers'],
    ['101 numbers', { phone_numbers: Array(101).fill('+14155550100') }, 'phone_numbers'],
    ['no document', { documents: [] }, 'documents'],
    ['11 documents', { documents: Array(11).fill('doc') }, 'documents'],
    ['an empty PIN', { pin: '' }, 'pin'],
    ['a PIN of 21 digits', { pin: '1'.repeat(21) }, 'pin'],
    ['a PIN with a dash', { pin: '12-34' }, 'pin'],
    ['a PIN that ends a line', { pin: '1234\n' }, 'pin'],
    ['a day without zone', { target_port_date: '2026-12-01T15:00:00' }, 'target_port_date'],
    ['a day without time', { target_port_date: '2026-12-01' }, 'target_port_date'],
    ['an unknown field', { carrier: 'x' }, ''],
    [
      'no business name',
      inInformation({ business_name: undefined }),
      'losing_carrier_information.business_name',
    ],
    [
      'a blank business name',
      inInformation({ business_name: '  ' }),
      'losing_carrier_information.business_name',
    ],
    [
      'a name of two lines',
      inInformation({ first_name: 'Jane\r\nBcc: x' }),
      'losing_carrier_information.first_name',
    ],
    [
      'no email',
      inInformation({ authorized_representative_email: 'jane' }),
      'losing_carrier_information.authorized_representative_email',
    ],
    [
      '11 notified addresses',
      inInformation({ notification_emails: Array(11).fill('a@b.example') }),
      'losing_carrier_information.notification_emails',
    ],
    [
      'a country in small letters',
      inInformation({ address: { ...address, country: 'us' } }),
      'losing_carrier_information.address.country',
    ],
    [
      'a country of three letters',
      inInformation({ address: { ...address, country: 'USA' } }),
      'losing_carrier_information.address.country',
    ],
  ])('is refused with %s', (_, fields, path) => expect(new Set(faults(fields))).toEqual(new Set([path])));

  it.each<object>([
    { phone_numbers: Array(100).fill('+14155550100'), documents: Array(10).fill('doc') },
    { pin: 'a1B2'.repeat(5) },
    { target_port_date: '2026-12-01T15:00:00-08:00' },
    inInformation({ customer_type: 'personal', business_name: undefined }),
    inInformation({ address: { ...address, street2: 'Floor 3' } }),
  ])('is taken with %j', (fields) => expect(faults(fields)).toBeUndefined());

  it('keeps texts without the spaces around them', () => {
    const read = portOrderSchema.parse({ ...order, ...inInformation({ first_name: ' Jane ' }) });
    expect(read.losing_carrier_information.first_name).toBe('Jane');
  });

  it('is of the business, or of the person', () => {
    const named = (fields: object) => customerName({ ...information, ...fields } as LosingCarrierInformation);
    expect(named({})).toBe('Acme');
    expect(named({ customer_type: 'personal' })).toBe('Jane Doe');
  });
});
