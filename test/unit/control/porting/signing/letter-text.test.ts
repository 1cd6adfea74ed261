import { describe, expect, it } from 'vitest';
import type { LosingCarrierInformation } from '../../../../../src/control/porting/port-order.js';
import { letterText } from '../../../../../src/control/porting/signing/letter-text.js';

const information: LosingCarrierInformation = {
  customer_type: 'business',
  business_name: 'Acme Corp',
  first_name: 'Jane',
  last_name: 'Doe',
  account_number: '998877',
  pin: '4321',
  authorized_representative_email: 'jane@example.com',
  address: {
    street: '101 Spear St',
    street2: 'Floor 5',
    city: 'San Francisco',
    state: 'CA',
    zip: '94105',
    country: 'US',
  },
};
const textOf = (fields: Partial<LosingCarrierInformation> = {}) =>
  letterText('port_1', { ...information, ...fields }, ['14155550100', '14155550101'], '2026-12-01');
const field = (name: string, fields?: Partial<LosingCarrierInformation>): string | undefined =>
  textOf(fields).fields.find(([title]) => title === name)?.[1];

describe('the letter of authorization', () => {
  it('names the customer, who may sign, and the day', () => {
    expect(textOf().fields).toEqual([
      ['Request', 'port_1'],
      ['Customer', 'Acme Corp'],
      ['Type of account', 'Business'],
      ['Authorized representative', 'Jane Doe'],
      ['Mail address of the representative', 'jane@example.com'],
      ['Service address', '101 Spear St, Floor 5, San Francisco, CA 94105, US'],
      ['Account number', 'On file, not printed for protection'],
      ['Requested port date', '2026-12-01'],
    ]);
  });

  it('names a person by the name of the person', () => {
    expect(field('Customer', { customer_type: 'personal' })).toBe('Jane Doe');
    expect(field('Type of account', { customer_type: 'personal' })).toBe('Personal');
  });

  it('has an address of one line', () => {
    const { street2: _, ...address } = information.address;
    expect(field('Service address', { address })).toBe('101 Spear St, San Francisco, CA 94105, US');
  });

  it('shows neither account number nor PIN', () => {
    expect(JSON.stringify(textOf())).not.toMatch(/998877|4321/);
    expect(field('Account number', { account_number: undefined })).toBe('None given');
  });

  it('lists the numbers with plus, and says who authorizes it', () => {
    expect(textOf().numbers).toEqual(['+14155550100', '+14155550101']);
    expect(textOf().paragraphs[0]).toMatch(/^I, Jane Doe, am the customer named above/);
  });
});
