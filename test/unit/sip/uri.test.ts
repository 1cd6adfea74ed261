import { describe, expect, it } from 'vitest';
import type { SipUri, Uri } from '../../../src/sip/uri.js';
import {
  equalUris,
  escapeUser,
  formatHostPort,
  isIpv6,
  parseHostPort,
  parseUri,
  userOf,
} from '../../../src/sip/uri.js';
import { processorMilliseconds } from '../../support/processor-use.js';
import { formatUri } from './written.js';

const sip = (text: string): SipUri => parseUri(text) as SipUri;
const uri = (text: string): Uri => {
  const parsed = parseUri(text);
  if (parsed === undefined) throw new Error(`not a URI: ${text}`);
  return parsed;
};

describe('parseUri', () => {
  it('reads every part of a SIP URI', () => {
    expect(sip('SIPS:alice:secret@[2001:DB8::1]:5061;Transport=TLS;lr?subject=x&priority=urgent')).toEqual({
      kind: 'sip',
      scheme: 'sips',
      user: 'alice',
      password: 'secret',
      host: '2001:DB8::1',
      port: 5061,
      parameters: new Map([
        ['transport', 'TLS'],
        ['lr', undefined],
      ]),
      headers: 'subject=x&priority=urgent',
    });
  });

  it.each([
    'sip:alice@atlanta.com',
    'sip:alice:secretword@atlanta.com;transport=tcp',
    'sips:alice@atlanta.com?subject=project%20x&priority=urgent',
    'sip:+1-212-555-1212:1234@gateway.com;user=phone',
    'sips:1212@gateway.com',
    'sip:alice@192.0.2.4',
    'sip:atlanta.com;method=REGISTER?to=alice%40atlanta.com',
    'sip:alice;day=tuesday@atlanta.com',
    'sip:192.0.2.4:5060;maddr=239.255.255.1;ttl=15',
    'sip:*67#@gateway.com',
    'sip:a@host_with_underscore.',
    'sip:a@[::ffff:192.0.2.1]',
    'sip:a@h;p=[::1]:5/x',
    'tel:+1-201-555-0123',
    'tel:7042;phone-context=example.com',
    'tel:863-1234;phone-context=+1-914-555;ext=22',
    'tel:*67',
    'urn:service:sos',
    'http://www.example.com/a?b#c',
  ])('reads and writes %s', (text) => {
    expect(formatUri(uri(text))).toBe(text);
  });

  it.each([
    '',
    ':',
    'sip',
    'sip:',
    'sip:@',
    'sip:@host',
    'sip:alice@',
    'sip:alice@host:',
    'sip:alice@host:x',
    'sip:alice@host:99999',
    'sip:alice@host:-1',
    'sip:alice@2001:db8::1',
    'sip:alice@[2001:db8::1',
    'sip:alice@[2001:db8::g]',
    'sip:alice@[1.2.3.4]',
    'sip:alice@[::1]x',
    'sip:a b@host',
    'sip:a@host;',
    'sip:a@host;;lr',
    'sip:a@host;=x',
    'sip:a@host;x=',
    'sip:a%4@host',
    'sip:a%zz@host',
    'sip:a@ho%41st',
    'sip:a"b@host',
    'sip:a<b@host',
    'sip:a@b@c',
    'sip:a@host?x=<y>',
    'tel:',
    'tel:+',
    'tel:---',
    'tel:+1x',
    'tel:hello world',
    '1a:x',
    'ünknown:x',
    'x:',
    'x:a b',
  ])('refuses %j', (text) => {
    expect(parseUri(text)).toBeUndefined();
  });

  it('keeps the first of repeated parameters', () => {
    expect(sip('sip:a@h;x=1;X=2').parameters.get('x')).toBe('1');
  });

  it('is fast on long hostile text', () => {
    const texts = ['(', '1', '%41', ';a', ':', '[', '?', '@', '.', ' '].map((part) => part.repeat(30_000));
    const milliseconds = processorMilliseconds(() => {
      for (const text of texts)
        for (const prefix of ['sip:', 'tel:', 'tel:+', 'sip:a@', 'sip:[', 'x:', ''])
          parseUri(`${prefix}${text}x\x01`);
    });
    expect(milliseconds).toBeLessThan(2_000);
  });
});

describe('user parts', () => {
  it('are unescaped for reading and escaped for writing', () => {
    expect(userOf(uri('sip:%2B1%20x@h'))).toBe('+1 x');
    expect(userOf(uri('tel:+1-2'))).toBe('+1-2');
    expect(userOf(uri('sip:host'))).toBeUndefined();
    expect(escapeUser('+1 a@b#\xc3\xbc')).toBe('+1%20a%40b%23%C3%BC');
    expect(parseUri(`sip:${escapeUser('\x00\x7f<>@:"')}@h`)).toBeDefined();
  });
});

describe('hosts', () => {
  it.each([
    '::',
    '::1',
    '1::',
    '2001:db8::1',
    '1:2:3:4:5:6:7:8',
    '::ffff:1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
    'fe80::ABCD',
  ])('%s is IPv6', (host) => expect(isIpv6(host)).toBe(true));

  it.each([
    '',
    ':',
    ':::',
    '1',
    '1:2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '12345::',
    'g::',
    '::1.2.3',
    '::1.2.3.256',
    '1.2.3.4::',
    '1:2:3:4:5:6:7::8',
    '::1%eth0',
    '::1:',
    'host',
  ])('%j is not', (host) => expect(isIpv6(host)).toBe(false));

  it('are read and written with their ports', () => {
    expect(parseHostPort('[::1]:5060')).toEqual({ host: '::1', port: 5060 });
    expect(parseHostPort('h')).toEqual({ host: 'h' });
    expect(parseHostPort('::1')).toBeUndefined();
    expect(formatHostPort('::1', 5060)).toBe('[::1]:5060');
    expect(formatHostPort('192.0.2.1')).toBe('192.0.2.1');
  });
});

describe('equalUris: the examples of RFC 3261 §19.1.4', () => {
  it.each([
    ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtLanTa.CoM;Transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;security=on'],
    [
      'sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com',
      'sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com',
    ],
    [
      'sip:alice@atlanta.com?subject=project%20x&priority=urgent',
      'sip:alice@atlanta.com?priority=urgent&subject=project%20x',
    ],
    ['tel:+1-201-555-0123', 'tel:+12015550123'],
    ['tel:7042;phone-context=Example.com', 'tel:7042;phone-context=example.com'],
    ['tel:863-1234;phone-context=+1-914-555', 'tel:8631234;phone-context=+1914555'],
    ['urn:service:sos', 'URN:service:sos'],
  ])('%s = %s', (a, b) => {
    expect(equalUris(uri(a), uri(b))).toBe(true);
    expect(equalUris(uri(b), uri(a))).toBe(true);
  });

  it.each([
    ['SIP:ALICE@AtLanTa.CoM;Transport=udp', 'sip:alice@AtLanTa.CoM;Transport=UDP'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com;transport=udp'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:6000;transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com?Subject=next%20meeting'],
    ['sip:bob@phone21.boxesbybob.com', 'sip:bob@192.0.2.4'],
    ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;security=off'],
    ['sip:a@h', 'sips:a@h'],
    ['sip:a@h', 'sip:h'],
    ['sip:a:x@h', 'sip:a@h'],
    ['sip:1@h', 'tel:1'],
    ['tel:7042;phone-context=a', 'tel:7042;phone-context=b'],
    ['tel:7042', 'tel:7042;ext=1'],
    ['x:a', 'x:b'],
  ])('%s ≠ %s', (a, b) => {
    expect(equalUris(uri(a), uri(b))).toBe(false);
    expect(equalUris(uri(b), uri(a))).toBe(false);
  });
});
