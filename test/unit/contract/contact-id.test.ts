import { describe, expect, it } from 'vitest';
import { contactId, contactNumber, contactOf } from '../../../src/contract/contact-id.js';

describe('the id of a contact', () => {
  // Made with Python's uuid.uuid5(UUID('69a95d1f-c5c9-4245-bf46-73af011d9904'), "acme\n+14155550100").
  it.each([
    ['acme', '+14155550100', 'b4fedd2b-29f6-52b0-872f-31396ef38dba'],
    ['org_0123456789abcdef01234567', '+493012345678', '32999dee-aff5-5c0d-9875-6c4432845fcb'],
    ['Zoë', '+14155550100', 'd3a5afd2-26b3-5ea8-a4a5-ec77aff1ab53'],
  ])('is the version 5 UUID of %s and %s', (organization, number, id) => {
    expect(contactId(organization, number)).toBe(id);
  });

  it('differs between organizations', () => {
    expect(contactId('acme', '+14155550100')).not.toBe(contactId('acme2', '+14155550100'));
  });
});

describe('the number of a contact', () => {
  it.each([
    ['+14155550100', '+14155550100'],
    ['14155550100', '+14155550100'],
    ['%2B14155550100', '+14155550100'],
    ['+1-415-555.0100;verstat=TN-Validation-Passed', '+14155550100'],
    ['5550100;phone-context=+1415', '+14155550100'],
    ['+2901234', '+2901234'],
  ])('of %s is %s', (user, number) => {
    expect(contactNumber(user)).toBe(number);
    expect(contactOf('acme', user)).toEqual({ id: contactId('acme', number), number });
  });

  it.each(['100', '5550100', '1234567', '00493012345', '+0493012345', 'anonymous', 'alice', '', '+112', '%'])(
    'does not come from %s',
    (user) => {
      expect(contactNumber(user)).toBeUndefined();
    },
  );

  it('does not come from a URI without a user', () => {
    expect(contactOf('acme', undefined)).toBeUndefined();
  });
});
