import { describe, expect, it } from 'vitest';
import { type DialledKind, readDialled } from '../../../../src/edge/transfer/dialled.js';
import { judgeTarget, type TransferScope } from '../../../../src/edge/transfer/policy.js';
import { parseUri, type SipUri, type TelUri } from '../../../../src/sip/uri.js';

/** By calling number: E.164 digits of the number that is transferred from. */
const us = '14155550100';
const de = '4930123456';
const gb = '442071234567';
const fr = '33123456789';

type Rows = readonly (readonly [callingNumber: string, kind: DialledKind, spellings: string])[];

/** What follows `sip:` and stands before `@pbx.example.com`, or a whole tel URI; separated by white space. */
const rows: Rows = [
  [us, 'extension', '1 12 100 101 1001 1-0-0-1 (1001) 20.01 12345 123456 6000 0 9'],
  [us, 'extension', 'tel:1001 tel:1001;phone-context=pbx.example.com 1001;phone-context=pbx.example.com'],
  [
    us,
    'extension',
    'alice reception sales support front-desk front_desk anna.maria agent7 agent-12 Queue.Support',
  ],
  [us, 'extension', "team1-sales o'brien b2b h2o desk911 sip-user x+y billing room1001 agent-123456"],
  [us, 'extension', '3cx 1001a b2 a1 %61lice voicemail 9%3B911 operator J.R. a=b'],
  [
    us,
    'number',
    '+14155550199 +1-415-555-0199 +1(415)5550199 +1.415.555.0199 4155550199 14155550199 914155550199',
  ],
  [
    us,
    'number',
    '415-555-0199 0114930123456 01144207123456 004930123456 90114930123456 +4930123456 +442071234567',
  ],
  [
    us,
    'number',
    'tel:+14155550199 tel:4155550199;phone-context=+1 4155550199;phone-context=+1 8005550199 5550199',
  ],
  [
    us,
    'number',
    '+14155550199;isub=12 14155550199;npdi 8885550199 8705550199 8785550199 1234567 %2b14155550199',
  ],
  [
    us,
    'premium',
    '+19005551234 19005551234 9005551234 919005551234 99005551234 1-900-555-1234 19005551234. 819005551234',
  ],
  [
    us,
    'premium',
    '0119005551234 00119005551234 0019005551234 tel:+19005551234 tel:9005551234;phone-context=+1 1.900.5551234',
  ],
  [
    us,
    'premium',
    '900555;phone-context=+1 5551234;phone-context=+1900 1234;phone-context=+1900555 +1900 +1900555 1900555',
  ],
  [
    us,
    'premium',
    '19005551234567 +19005551234567 9005551234999 01119005551234 9011881612345678 901119005551234',
  ],
  [
    us,
    'premium',
    '011881612345678 +881612345678 881612345678 00881612345678 119881612345678 +870773111222 011870773111222',
  ],
  [
    us,
    'premium',
    '+88213300000 01188213300000 +979123456789 011979123456789 +883510000000 011449098790000 +449098790000',
  ],
  [us, 'premium', '011447012345678 +447012345678'],
  [
    us,
    'emergency',
    '911 9911 0911 8911 112 9112 999 000 9-1-1 (911) +911 +1911 1911 tel:911 933 9933 911;isub=1',
  ],
  [us, 'emergency', '%39%31%31 91.1 tel:911;phone-context=pbx.example.com 911;phone-context=pbx.example.com'],
  [us, 'feature', '*72 %2A72 **21 %23%23 *98 72%23 *7214155550100 *67 9*72 tel:*72 *72-1 %2A%37%32 *0'],
  [
    us,
    'unclear',
    '9w1900555 9p19005551234 9p*72 9p911 9w911 9W911 9P911 9,911 p911 w911 ,911 911p 911w1 9%2C911 911desk2x',
  ],
  [
    us,
    'unclear',
    'a19005551234 O0119005551234 1900JJJ1234 1800FLOWERS 190JJJ1 a911 d911 911a x1234567 l4155550199',
  ],
  [
    us,
    'unclear',
    '+1900JJJ1234 +abc +1p911 1*a 9005551234p 900w5551234 9p1p9005551234 a+911 alice;x=y alice;phone-context=+1',
  ],
  [us, 'unclear', '911;phone-context=x*y *72;phone-context=+1 %2577911 1900~555 tel:1A001;phone-context=+1'],
  [
    us,
    'premium',
    '19005551234;phone-context=+1 0019005551234;phone-context=+49 0900123456;phone-context=+49',
  ],
  [us, 'unclear', '0112;phone-context=+49 %36p%39%31%31 desk-2024-1001 12a3456 1a2b3c4d'],
  [de, 'extension', '10 11 20 1001 alice zentrale 1180 team110 411'],
  [
    de,
    'number',
    '030123456 0301234567 08912345678 089-123456 +4930123457 0004930123456 0014155550199 0441234567 08900123456',
  ],
  [
    de,
    'premium',
    '09001234567 009001234567 00019005551234 0019005551234 +499001234567 4990012345678 0900123456',
  ],
  [de, 'premium', '0900-1-234567 00881612345678 000881612345678 11833 11880 011833 118000 tel:0900123456'],
  [de, 'emergency', '110 112 0110 0112 9110 +110 +49110 49112 911 999 1-1-2 tel:110'],
  [de, 'feature', '*21 **62 %2321%23'],
  [de, 'unclear', 'a110 0p110 0w112 0p09001234567 0900abc1234 d112 112a'],
  [gb, 'number', '02071234567 +442071234568 902071234567 00442071234567 0014155550199'],
  [
    gb,
    'premium',
    '09098790000 909098790000 +449098790000 07012345678 907012345678 00449098790000 118118 9118118',
  ],
  [gb, 'emergency', '999 112 9999 9112 18000 +999 +44999'],
  [fr, 'premium', '0899123456 +33899123456 00899123456 118218 0033899123456'],
  [fr, 'emergency', '15 17 18 112 114 119 015 0112'],
  [fr, 'extension', '16 19 1001 accueil'],
];

const trunk = {
  host: 'pbx.example.com',
  port: 5070,
  transport: 'tls' as const,
  name: 'tls:pbx.example.com:5070',
  isSecure: true,
  credential: undefined,
  mappings: [],
} as const;
const scope = (number: string, requestedBy: 'trunk' | 'agent'): TransferScope => ({
  policy: { mode: 'bridge', fallback: false },
  requestedBy,
  number,
  isOwnNumber: false,
  route: { servers: [trunk], triggers: new Set(), failback: 'auto' },
  isCalledByUs: true,
  ownHosts: [],
  callHosts: [],
});
const uriOf = (spelling: string): SipUri | TelUri => {
  const text = spelling.startsWith('tel:') ? spelling : `sip:${spelling}@pbx.example.com`;
  const uri = parseUri(text);
  if (uri === undefined || uri.kind === 'other') throw new Error(`${text} is no URI.`);
  return uri;
};
const cases = rows.flatMap(([number, kind, spellings]) =>
  spellings.split(/\s+/).map((spelling) => [spelling, number, kind] as const),
);

describe('what a spelling dials', () => {
  it('is judged for more than 200 spellings', () => {
    expect(new Set(cases.map(([spelling, number]) => `${number} ${spelling}`)).size).toBeGreaterThan(200);
  });

  it.each(cases)('%s from +%s is: %s', (spelling, number, kind) => {
    expect(readDialled(uriOf(spelling), number)?.kind).toBe(kind);
    expect(judgeTarget(uriOf(spelling), scope(number, 'trunk')).ok).toBe(kind === 'extension');
    expect(judgeTarget(uriOf(spelling), scope(number, 'agent')).ok).toBe(
      kind === 'extension' || kind === 'number',
    );
  });

  it.each([
    ['tel:4155550199;phone-context=+1', '+14155550199'],
    ['0199;phone-context=+1-415-555', '+14155550199'],
    ['0014155550199;phone-context=+49', '+14155550199'],
    ['+1-(415)-555.0199;isub=1;rn=+19005551234', '+14155550199'],
    ['1-0-0-1', '1001'],
    ['1001;phone-context=pbx.example.com', '1001'],
    ['front-desk', 'front-desk'],
  ])('%s is dialled as it was judged: %s', (spelling, user) => {
    expect(judgeTarget(uriOf(spelling), scope(us, 'agent'))).toMatchObject({ destination: { user } });
  });

  it('is allowed where the list names it, however it is spelled', () => {
    const listing = (target: string) => ({
      ...scope(us, 'trunk'),
      policy: { mode: 'bridge' as const, fallback: false, allowed_targets: [target] },
    });
    expect(judgeTarget(uriOf('9-1-1'), listing('911'))).toMatchObject({ destination: { user: '911' } });
    expect(judgeTarget(uriOf('5551234;phone-context=+1900'), listing('+1900')).ok).toBe(true);
    expect(judgeTarget(uriOf('5551234;phone-context=+1900'), listing('+1')).ok).toBe(false);
    expect(judgeTarget(uriOf('9p911'), listing('911')).ok).toBe(false);
  });
});
