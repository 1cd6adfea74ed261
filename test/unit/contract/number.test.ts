import { describe, expect, it } from 'vitest';
import { numberDigits, numberDocumentSchema } from '../../../src/contract/number.js';

const minimal = {
  version: 1,
  number: '14155550100',
  organization: 'acme',
  updated_at: '2026-01-01T00:00:00Z',
};

const problemOf = (document: unknown): string => {
  const read = numberDocumentSchema.safeParse(document);
  return read.success
    ? ''
    : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
};

const withSource = (source: string) => ({ ...minimal, inbound: [{ id: 'a', allowed_sources: [source] }] });

describe('the number document', () => {
  it('fills in defaults', () => {
    expect(numberDocumentSchema.parse(minimal)).toMatchObject({
      inbound: [],
      outbound: [],
      codecs: { order: ['PCMU', 'PCMA', 'opus'], transcode: false },
      limits: {},
    });
  });

  it.each([
    ['an unknown field', { ...minimal, colour: 'red' }, 'colour'],
    ['an unknown field inside', { ...minimal, limits: { calls: 1 } }, 'calls'],
    ['another version', { ...minimal, version: 2 }, 'version'],
    ['a plus in the number', { ...minimal, number: '+14155550100' }, 'number'],
    [
      'a password that is not sealed',
      { ...minimal, inbound: [{ id: 'a', credentials: [{ username: 'u', password: 'p' }] }] },
      'password',
    ],
    ['a codec that does not exist', { ...minimal, codecs: { order: ['PCMX'] } }, 'codecs.order.0'],
    ['no codec', { ...minimal, codecs: { order: [] } }, 'codecs.order'],
    ['a negative limit', { ...minimal, limits: { concurrent_calls: -1 } }, 'limits.concurrent_calls'],
  ])('refuses %s', (_name, document, field) => {
    expect(problemOf(document)).toContain(field);
  });

  it.each([
    '203.0.113.0/24',
    '203.0.113.7',
    '10.0.0.0/8',
    '2001:db8::/32',
    '::1',
    'fc00::/7',
    '::ffff:10.0.0.0/104',
  ])('takes the source %s', (source) => expect(problemOf(withSource(source))).toBe(''));

  it.each([
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1',
    '128.0.0.0/1',
    '::ffff:0.0.0.0/96',
    '::ffff:0:0/90',
    '2000::/3',
  ])('refuses the source %s, which covers too much', (source) =>
    expect(problemOf(withSource(source))).toMatch(/nearly every address|not an address/),
  );

  it.each([
    '',
    'example.com',
    '300.1.1.1',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.1',
    '0x0a000001',
    '10.0.0.0/ 8',
    '010.0.0.1',
  ])('refuses the source %j, which is none', (source) =>
    expect(problemOf(withSource(source))).toContain('allowed_sources'),
  );
});

describe('the digits of a called user', () => {
  it.each([
    ['14155550100', '14155550100'],
    ['+14155550100', '14155550100'],
    ['+1-(415)-555.0100', '14155550100'],
    ['%2B14155550100', '14155550100'],
    ['14155550100;npdi', '14155550100'],
    ['4155550100;phone-context=+1', '14155550100'],
    ['+14155550100;phone-context=+49', '14155550100'],
    ['5550100;phone-context=+1-415', '14155550100'],
    ['0049301234567;phone-context=+49', '49301234567'],
    ['030-1234567;phone-context=+49', '49301234567'],
    ['100', '100'],
  ])('%s are %s', (user, digits) => expect(numberDigits(user)).toBe(digits));

  it.each([
    '',
    '+',
    '12',
    'alice',
    '1415555010a',
    '++14155550100',
    '1234567890123456',
    '100;phone-context=example.com',
    '0112;phone-context=+49',
    'alice;phone-context=+49',
    '%',
    '%zz100',
    '１２３',
    '100\r\n',
  ])('%j has none', (user) => expect(numberDigits(user)).toBeUndefined());
});
