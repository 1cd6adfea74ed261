import { describe, expect, it } from 'vitest';
import { contactOf } from '../../../../src/contract/contact-id.js';
import { partyCallOf } from '../../../../src/control/parties/call-parties.js';

type Facts = Parameters<typeof partyCallOf>[0];
const facts = (fields: Partial<Facts> = {}): Facts => ({
  call_id: 'call_1',
  organization: 'org_1',
  number: '14155550100',
  direction: 'inbound',
  from: '"Ada" <sip:+442079460123@pbx.example.com>;tag=1',
  to: '<sip:+14155550100@demarc.example.com>',
  started_at: '2026-11-20T12:00:00.000Z',
  answered_at: '2026-11-20T12:00:05.000Z',
  sip_call_ids: { agent: 'abc' },
  ...fields,
});

describe('the other party of a call', () => {
  it('is the caller of an inbound call', () => {
    expect(partyCallOf(facts())).toEqual({
      callId: 'call_1',
      organizationId: 'org_1',
      contactId: contactOf('org_1', '+442079460123')!.id,
      number: '+442079460123',
      called: '14155550100',
      startedAt: '2026-11-20T12:00:00.000Z',
      makesContact: true,
    });
  });

  it('is the called one of an outbound call', () => {
    const outbound = partyCallOf(
      facts({
        direction: 'outbound',
        from: '<sip:+14155550100@demarc.example.com>',
        to: '<sip:+442079460123@pbx.example.com>',
      }),
    );
    expect(outbound).toMatchObject({ number: '+442079460123', called: undefined });
  });

  it.each<[string, Partial<Facts>]>([
    ['without a number', { from: '<sip:anonymous@anonymous.invalid>' }],
    ['with a header that is none', { from: 'no address' }],
    ['of no organization', { organization: null }],
    ['with an organization that cannot be stored', { organization: 'org\0' }],
    ['with an id that cannot be stored', { call_id: 'call\ud800' }],
  ])('is none of a call %s', (_, fields) => expect(partyCallOf(facts(fields))).toBeUndefined());

  it('gets a contact once the call reached an agent', () => {
    const makesContact = (fields: Partial<Facts>) => partyCallOf(facts(fields))!.makesContact;
    expect(makesContact({ answered_at: null })).toBe(true);
    expect(makesContact({ sip_call_ids: { agent: null } })).toBe(true);
    expect(makesContact({ answered_at: null, sip_call_ids: { agent: null } })).toBe(false);
  });

  it('gets none from a test call, which comes from the number itself', () =>
    expect(partyCallOf(facts({ from: '<sip:+14155550100@demarc.example.com>' }))!.makesContact).toBe(false));
});
