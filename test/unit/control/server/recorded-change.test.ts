import { describe, expect, it } from 'vitest';
import { isRecorded, subjectOf } from '../../../../src/control/server/recorded-change.js';

const route = (tag: string, fields: object = {}) => ({
  method: 'POST',
  config: {},
  schema: { tags: [tag] },
  ...fields,
});
const key = {};
const person = { member: { personId: 'usr_1', email: 'ada@example.com', role: 'owner' as const } };

describe('a request that is recorded', () => {
  it.each(['SIP trunks', 'Keys', 'Members', 'Alerts', 'Webhooks', 'Personas', 'Session', 'Usage'])(
    'changes %s, with a key or by a person',
    (tag) => {
      expect(isRecorded(key, route(tag))).toBe(true);
      expect(isRecorded(person, route(tag))).toBe(true);
    },
  );

  it.each(['Calls', 'Contacts', 'Knowledge', 'Agent testing'])(
    'changes %s when a person does it: programs do so all day',
    (tag) => {
      expect(isRecorded(key, route(tag))).toBe(false);
      expect(isRecorded(person, route(tag))).toBe(true);
    },
  );

  it('reads nothing', () => {
    for (const fields of [{ method: 'GET' }, { method: 'HEAD' }, { config: { access: 'read' } }])
      expect(isRecorded(person, route('SIP trunks', fields))).toBe(false);
    expect(isRecorded(person, route('SIP trunks', { config: { access: 'write' } }))).toBe(true);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(isRecorded(person, route('SIP trunks', { method }))).toBe(true);
  });

  it('is none of an agent in a call', () =>
    expect(isRecorded({ call: {} as never }, route('SIP trunks'))).toBe(false));

  it('may have no group', () => {
    expect(isRecorded(key, { method: 'POST', config: {} })).toBe(true);
    expect(isRecorded(key, { method: 'POST', config: {}, schema: {} })).toBe(true);
  });
});

describe('what a record says was changed', () => {
  const subject = (body: unknown, params: unknown = {}, tag = 'SIP trunks'): string =>
    subjectOf({ tags: [tag] }, { params, body });

  it('is the ids of the path, then the names in the body', () => {
    expect(subject({ name: 'billing', role: 'viewer', scopes: ['x'] }, { key_id: 'key_1' })).toBe(
      'key_1 viewer billing',
    );
    expect(subject({ phone_number: '+14155550100', direction: 'inbound' })).toBe('+14155550100 inbound');
    expect(subject({ email: 'ada@example.com', password: 'secret' })).toBe('ada@example.com');
    expect(subject(null, { a: 1, b: 2 })).toBe('1 2');
    expect(subject(undefined)).toBe('');
    expect(subject(['x'])).toBe('');
  });

  it('names the first number of a list, and counts the others', () => {
    expect(subject({ phone_numbers: ['+1', '+2', '+3'] })).toBe('+1 and 2 more');
    expect(subject({ phone_numbers: ['+1', '+2'] })).toBe('+1 and 1 more');
    expect(subject({ phone_numbers: ['+1'] })).toBe('+1');
    expect(subject({ phone_numbers: [] })).toBe('');
    expect(subject({ phone_numbers: '+1' })).toBe('');
  });

  it('has no path and no query of a URL, which may carry a token', () => {
    expect(subject({ url: 'https://hooks.example.com/secret?token=1' })).toBe('https://hooks.example.com');
    expect(subject({ url: 'not a URL with a secret' })).toBe('');
  });

  it('is ids alone where it is about people', () => {
    for (const tag of ['Contacts', 'Calls'])
      expect(subject({ name: 'Ada', phone_number: '+14155550100' }, { id: 'c1' }, tag)).toBe('c1');
  });

  it('has only texts of fields that name something', () =>
    expect(subject({ name: 7, role: null, host: ['x'], note: 'private' })).toBe(''));
});
