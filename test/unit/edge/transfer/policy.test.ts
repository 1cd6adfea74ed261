import { describe, expect, it } from 'vitest';
import type { TransferPolicy } from '../../../../src/contract/transfer.js';
import {
  destinationUri,
  judgeTarget,
  type TransferScope,
  uriOf,
} from '../../../../src/edge/transfer/policy.js';
import { parseUri, type SipUri } from '../../../../src/sip/uri.js';

const trunk = {
  host: 'pbx.example.com',
  port: 5070,
  transport: 'tls' as const,
  name: 'tls:pbx.example.com:5070',
  isSecure: true,
  credential: undefined,
  mappings: [],
} as const;
const scope = (policy: Partial<TransferPolicy> = {}, more: Partial<TransferScope> = {}): TransferScope => ({
  policy: { mode: 'bridge', fallback: false, ...policy },
  requestedBy: 'agent',
  number: '4930123456',
  isOwnNumber: false,
  route: { servers: [trunk], triggers: new Set(), failback: 'auto' },
  isCalledByUs: true,
  ownHosts: ['edge.example.net'],
  callHosts: ['192.0.2.7'],
  ...more,
});
const judge = (uri: string, ...rest: Parameters<typeof scope>) =>
  judgeTarget(parseUri(uri) as SipUri, scope(...rest));

describe('the target of a transfer', () => {
  it.each([
    ['sip:+14155550100@pbx.example.com', '+14155550100'],
    ['sip:+14155550100@EDGE.example.net:5061;transport=tls', '+14155550100'],
    ['tel:+1-415-555-0100', '+14155550100'],
    ['sip:1001@192.0.2.7', '1001'],
    ['sip:alice@pbx.example.com.', 'alice'],
  ])('%s is called at the number’s own servers as %s', (uri, user) => {
    expect(judge(uri)).toEqual({ ok: true, destination: { user, servers: [trunk], isOwnTrunk: true } });
  });

  it.each([
    'sip:+14155550100@evil.example',
    'sip:1001@203.0.113.9',
    'sip:a@pbx.example.com.evil.example',
    // What only ends as a known host does is another one.
    'sip:a@evilpbx.example.com',
    'sip:a@x.pbx.example.com',
    'sip:a@1192.0.2.7',
    'sip:a@fooedge.example.net',
  ])('refuses %s, a stranger’s server, to trunks and agents', (uri) => {
    expect(judge(uri)).toMatchObject({ ok: false, status: 403 });
    expect(judge(uri, {}, { requestedBy: 'trunk' })).toMatchObject({ ok: false, status: 403 });
  });

  it('does not match a listed host by its suffix alone', () => {
    const policy = { allowed_targets: ['desk.example.org'] };
    expect(judge('sip:anna@desk.example.org', policy)).toMatchObject({ ok: true });
    for (const host of ['mydesk.example.org', 'my.desk.example.org', 'desk.example.org.evil.example']) {
      expect(judge(`sip:anna@${host}`, policy), host).toMatchObject({ ok: false, status: 403 });
    }
  });

  it('needs a user, and a number with an outbound direction', () => {
    expect(judge('sip:pbx.example.com')).toMatchObject({ ok: false, status: 603 });
    expect(judge('sip:1001@pbx.example.com', {}, { route: undefined })).toMatchObject({
      ok: false,
      status: 603,
    });
  });

  it('must be listed where a list is given', () => {
    const policy = { allowed_targets: ['+4930', 'desk.example.org'] };
    expect(judge('sip:+4930123@pbx.example.com', policy)).toMatchObject({ ok: true });
    expect(judge('sip:+4989123@pbx.example.com', policy)).toMatchObject({ ok: false, status: 403 });
    // Digits without plus would otherwise be a way around the list.
    expect(judge('sip:4989123@pbx.example.com', policy)).toMatchObject({ ok: false, status: 403 });
    expect(judge('sip:anna@desk.example.org:5062', policy)).toMatchObject({
      ok: true,
      destination: {
        user: 'anna',
        servers: [{ host: 'desk.example.org', port: 5062, transport: 'tls', credential: undefined }],
        isOwnTrunk: false,
      },
    });
  });

  it('is written with what may not stand in a user escaped', () => {
    expect(destinationUri('a@b', trunk)).toBe('sip:a%40b@pbx.example.com:5070;transport=tls');
    expect(uriOf('a>;<b"', '192.0.2.1', undefined)).toBe('sip:a%3E;%3Cb%22@192.0.2.1');
    expect(destinationUri('+49', { host: '::1', port: undefined, transport: 'udp' })).toBe(
      'sip:+49@[::1];transport=udp',
    );
  });
});

describe('the target of a REFER of the trunk', () => {
  const byTrunk = (uri: string, policy: Partial<TransferPolicy> = {}, more: Partial<TransferScope> = {}) =>
    judge(uri, policy, { requestedBy: 'trunk', ...more });
  const isAllowed = (...request: Parameters<typeof byTrunk>): boolean => byTrunk(...request).ok;
  const everything = { allowed_targets: ['+1', '+4', '+9'] };

  it.each([
    'sip:1001@pbx.example.com',
    'sip:reception@pbx.example.com',
    'tel:1001;phone-context=pbx.example.com',
  ])('%s is an extension at the trunk’s own server', (uri) => expect(isAllowed(uri)).toBe(true));

  it.each([
    'tel:+14155550100',
    'sip:+14155550100@pbx.example.com',
    'sip:14155550100@pbx.example.com',
    'sip:0014155550100@pbx.example.com',
    'sip:914155550100@192.0.2.7',
    'sip:+14155550100;x=y@edge.example.net',
  ])('%s, of the public network, is refused by default and allowed where the list says so', (uri) => {
    expect(byTrunk(uri)).toMatchObject({ ok: false, status: 403 });
    if (/[:]\+/.test(uri)) expect(isAllowed(uri, { allowed_targets: ['+1415'] })).toBe(true);
  });

  it('is a number of the same organization, but not where a list leaves it out', () => {
    const own = { isOwnNumber: true };
    expect(isAllowed('tel:+14155550100', {}, own)).toBe(true);
    expect(isAllowed('sip:14155550100@pbx.example.com', {}, own)).toBe(true);
    expect(isAllowed('tel:+14155550100', { allowed_targets: ['+44'] }, own)).toBe(false);
  });

  it.each([
    ['911', '14155550100'],
    ['112', '4930123456'],
    ['110', '4930123456'],
    ['9911', '14155550100'],
    ['0112', '4930123456'],
    ['+112', '4930123456'],
    ['999', '442071234567'],
    ['15', '33123456789'],
  ])('%s is an emergency call from +%s, for whom the list names it only', (user, number) => {
    const uri = `sip:${user}@pbx.example.com`;
    expect(byTrunk(uri, {}, { number })).toMatchObject({ ok: false, status: 403 });
    expect(isAllowed(uri, everything, { number, isOwnNumber: true })).toBe(false);
    expect(judge(uri, {}, { number })).toMatchObject({ ok: false });
    expect(isAllowed(uri, { allowed_targets: [user] }, { number })).toBe(true);
  });

  it.each(['*72', '%2A72', '**21', '#31', '*98', '72#', '*7214155550100'])(
    '%s is a feature code, for whom the list names it only',
    (user) => {
      const uri = `sip:${user}@pbx.example.com`.replace('#', '%23');
      expect(byTrunk(uri)).toMatchObject({ ok: false, status: 403 });
      expect(isAllowed(uri, everything)).toBe(false);
      const named = user.replace('%2A', '*');
      expect(isAllowed(uri, { allowed_targets: [named] })).toBe(true);
    },
  );

  it.each([
    '+19005551234',
    '+449098790000',
    '+33899123456',
    '+979123456789',
    '+881612345678',
    '+88213300000',
  ])('%s is a premium number, for whom the list names its kind only', (number) => {
    const uri = `tel:${number}`;
    expect(isAllowed(uri, {}, { isOwnNumber: false })).toBe(false);
    expect(isAllowed(uri, { allowed_targets: ['+1', '+44', '+33', '+9', '+8'] })).toBe(false);
    expect(judge(uri)).toMatchObject({ ok: false, status: 403 });
    expect(isAllowed(uri, { allowed_targets: [number.slice(0, 6)] })).toBe(true);
  });
});
