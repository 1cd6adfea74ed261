import { describe, expect, it } from 'vitest';
import type { CarrierNumber, Submission } from '../../../../../src/control/porting/carriers/carrier.js';
import {
  isRequestFor,
  numberCheckOf,
  type PortIn,
  portInBody,
  portInSchema,
  reportOf,
} from '../../../../../src/control/porting/carriers/twilio-answers.js';

const sid = `KW${'0a'.repeat(16)}`;
const found = (fields: Partial<PortIn>): PortIn => ({ port_in_request_sid: sid, ...fields });

describe('what Twilio says of a number', () => {
  it('is portable only when it says so', () => {
    expect(
      numberCheckOf('14155550100', {
        portable: true,
        pin_and_account_number_required: true,
        number_type: 'MOBILE',
        not_portable_reason: 'ignored',
      }),
    ).toEqual({
      number: '14155550100',
      portable: true,
      numberType: 'mobile',
      pinRequired: true,
      reason: null,
      source: 'carrier',
    });
    expect(numberCheckOf('14155550100', { portable: null }).portable).toBe(false);
  });

  it('has the reason of Twilio, or says that there is none', () => {
    const reasonOf = (not_portable_reason?: string | null) =>
      numberCheckOf('1', { portable: false, not_portable_reason }).reason;
    expect(reasonOf('Rate center not covered.')).toBe('Rate center not covered.');
    expect(reasonOf(null)).toBe('The carrier does not port it.');
    expect(reasonOf()).toBe('The carrier does not port it.');
  });

  it.each<[string | null | undefined, string]>([
    ['LOCAL', 'landline'],
    ['local', 'landline'],
    ['MOBILE', 'mobile'],
    ['Toll-Free', 'toll-free'],
    ['SHORT-CODE', 'unknown'],
    ['', 'unknown'],
    [null, 'unknown'],
    [undefined, 'unknown'],
  ])('reads the type %s as %s', (number_type, type) =>
    expect(numberCheckOf('1', { portable: true, number_type }).numberType).toBe(type),
  );

  it.each([
    [true, true],
    [false, false],
    [null, false],
    [undefined, false],
  ])('requires a PIN for %s: %s', (pin_and_account_number_required, pinRequired) =>
    expect(numberCheckOf('1', { portable: true, pin_and_account_number_required }).pinRequired).toBe(
      pinRequired,
    ),
  );
});

describe('a port request of Twilio', () => {
  it.each([sid, sid.toUpperCase().replace('KW', 'KW')])('has an id such as %s', (port_in_request_sid) =>
    expect(portInSchema.safeParse({ port_in_request_sid }).success).toBe(true),
  );

  it.each([
    '',
    'KW',
    `KX${'0'.repeat(32)}`,
    `KW${'0'.repeat(31)}`,
    `KW${'0'.repeat(33)}`,
    `KW${'g'.repeat(32)}`,
  ])('is not read with the id "%s", which would become part of a path', (port_in_request_sid) =>
    expect(portInSchema.safeParse({ port_in_request_sid }).success).toBe(false),
  );

  const numbers = [{ phone_number: '+14155550100' }, { phone_number: '+14155550101' }];

  it('is the one for these numbers when it has all of them and is open', () => {
    const request = found({ phone_numbers: numbers, port_in_request_status: 'In Progress' });
    expect(isRequestFor(request, ['14155550100', '14155550101'])).toBe(true);
    expect(isRequestFor(request, ['14155550101', '14155550100'])).toBe(true);
    expect(isRequestFor(request, ['14155550100', '14155550102'])).toBe(false);
    expect(isRequestFor(found({ phone_numbers: null }), ['14155550100'])).toBe(false);
    expect(isRequestFor(found({}), ['14155550100'])).toBe(false);
  });

  it('is for a part of its numbers as well, since some may have been added by hand', () => {
    expect(isRequestFor(found({ phone_numbers: numbers }), ['14155550100'])).toBe(true);
  });

  it.each(['Canceled', 'cancelled', 'CANCELED', 'Expired', 'expired'])('is over when it is %s', (status) =>
    expect(
      isRequestFor(found({ phone_numbers: numbers, port_in_request_status: status }), ['14155550100']),
    ).toBe(false),
  );

  it.each(['Waiting for Signature', 'Completed', 'not canceled', null, undefined])(
    'is open when it is %s',
    (status) =>
      expect(
        isRequestFor(found({ phone_numbers: numbers, port_in_request_status: status }), ['14155550100']),
      ).toBe(true),
  );
});

describe('the report on a port request of Twilio', () => {
  const statusOf = (
    own: string | null | undefined,
    request?: string | null,
    portable?: boolean | null,
  ): CarrierNumber['status'] =>
    reportOf(
      found({
        port_in_request_status: request,
        phone_numbers: [{ phone_number: '+1', port_in_phone_number_status: own, portable }],
      }),
    ).numbers[0]!.status;

  it.each<[string, CarrierNumber['status']]>([
    ['completed', 'completed'],
    ['Ported', 'completed'],
    ['pending', 'in_progress'],
    ['In Progress', 'in_progress'],
    ['in-progress', 'in_progress'],
    ['IN_PROGRESS', 'in_progress'],
    [' in   progress ', 'in_progress'],
    ['rejected', 'failed'],
    ['not portable', 'failed'],
    ['expired', 'failed'],
    ['canceled', 'canceled'],
    ['Cancelled', 'canceled'],
  ])('reads a number that is "%s" as %s, whatever the request is', (own, status) => {
    for (const request of [undefined, 'In Review', 'Completed', 'Canceled'])
      expect(statusOf(own, request)).toBe(status);
    expect(statusOf(own, undefined, false)).toBe(status);
  });

  it.each<[string | null | undefined, CarrierNumber['status']]>([
    ['Completed', 'completed'],
    ['expired', 'failed'],
    ['Canceled', 'canceled'],
    ['Cancelled', 'canceled'],
    ['In Progress', 'in_progress'],
    ['in-progress', 'in_progress'],
    ['Waiting for Signature', 'submitted'],
    ['In Review', 'submitted'],
    ['', 'submitted'],
    [null, 'submitted'],
    [undefined, 'submitted'],
  ])('reads a number without state by its request, which is "%s", as %s', (request, status) => {
    expect(statusOf(undefined, request)).toBe(status);
    expect(statusOf('a new state', request)).toBe(status);
    expect(statusOf(null, request, true)).toBe(status);
  });

  it('reads a number that is not portable as failed', () => {
    expect(statusOf(undefined, 'In Progress', false)).toBe('failed');
    expect(statusOf(undefined, 'Completed', false)).toBe('failed');
    expect(statusOf(undefined, undefined, null)).toBe('submitted');
  });

  it('has the digits of each number, in order', () => {
    const numbers = [{ phone_number: '+14155550100' }, { phone_number: '14155550101' }];
    expect(reportOf(found({ phone_numbers: numbers })).numbers.map(({ number }) => number)).toEqual([
      '14155550100',
      '14155550101',
    ]);
    expect(reportOf(found({ phone_numbers: null })).numbers).toEqual([]);
  });

  it('takes the nearest reason: of the rejection, of the check, of the whole request', () => {
    const reasonOf = (rejection_reason?: string, not_portability_reason?: string, why?: string) =>
      reportOf(
        found({
          order_cancellation_reason: why,
          phone_numbers: [{ phone_number: '+1', rejection_reason, not_portability_reason }],
        }),
      ).numbers[0]!.reason;
    expect(reasonOf('rejected', 'not portable', 'canceled')).toBe('rejected');
    expect(reasonOf(undefined, 'not portable', 'canceled')).toBe('not portable');
    expect(reasonOf(undefined, undefined, 'canceled')).toBe('canceled');
    expect(reasonOf()).toBeNull();
  });

  it('notes what Twilio waits for', () => {
    const noteOf = (port_in_request_status?: string | null) =>
      reportOf(found({ port_in_request_status })).note;
    expect(noteOf('Waiting for Signature')).toMatch(/waiting for the signature\.$/);
    expect(noteOf('waiting-for-signature')).toBe(noteOf('Waiting for Signature'));
    expect(noteOf('Action Required')).toMatch(/waits for an action/);
    expect([noteOf('In Progress'), noteOf(null), noteOf()]).toEqual([null, null, null]);
  });
});

describe('the request to Twilio', () => {
  const submission: Submission = {
    requestId: 'port_1',
    numbers: ['14155550100', '14155550101'],
    information: {
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
    },
    notificationEmails: ['phones@example.com'],
    targetDay: '2026-12-01',
    documents: [],
    begunAt: null,
  };

  it('has each number with the PIN, the account, and the uploaded documents', () => {
    expect(portInBody('AC1', submission, ['RD1', 'RD2'])).toEqual({
      account_sid: 'AC1',
      documents: ['RD1', 'RD2'],
      phone_numbers: [
        { phone_number: '+14155550100', pin: '4321' },
        { phone_number: '+14155550101', pin: '4321' },
      ],
      losing_carrier_information: {
        customer_type: 'Business',
        customer_name: 'Acme Corp',
        authorized_representative: 'Jane Doe',
        authorized_representative_email: 'jane@example.com',
        account_number: '998877',
        account_telephone_number: '+14155550100',
        address: {
          street: '101 Spear St',
          street_2: 'Floor 5',
          city: 'San Francisco',
          state: 'CA',
          zip: '94105',
          country: 'US',
        },
      },
      notification_emails: ['phones@example.com'],
      target_port_in_date: '2026-12-01',
    });
  });

  it('has no field for what a person did not give', () => {
    const { account_number: _, pin: _pin, business_name: _name, ...information } = submission.information;
    const { street2: _street, ...address } = information.address;
    const body = portInBody(
      'AC1',
      {
        ...submission,
        numbers: ['14155550100'],
        information: { ...information, customer_type: 'personal', address },
      },
      [],
    );
    expect(body.phone_numbers).toEqual([{ phone_number: '+14155550100' }]);
    expect(body.losing_carrier_information).toEqual({
      customer_type: 'Individual',
      customer_name: 'Jane Doe',
      authorized_representative: 'Jane Doe',
      authorized_representative_email: 'jane@example.com',
      account_telephone_number: '+14155550100',
      address: { street: '101 Spear St', city: 'San Francisco', state: 'CA', zip: '94105', country: 'US' },
    });
    expect('account_number' in body.losing_carrier_information).toBe(false);
    expect('street_2' in body.losing_carrier_information.address).toBe(false);
  });
});
