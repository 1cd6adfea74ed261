import { describe, expect, it } from 'vitest';
import { formatDestination, parseDestination } from '../../../src/control/numbers/destination.js';

describe('destinations', () => {
  it.each([
    ['pbx.example.com', 'sip:pbx.example.com', false],
    ['PBX.Example.com.', 'sip:pbx.example.com', false],
    ['pbx.example.com:5080', 'sip:pbx.example.com:5080', false],
    [' 203.0.113.5 ', 'sip:203.0.113.5', false],
    ['10.0.0.1:5061', 'sip:10.0.0.1:5061', true],
    ['100.64.0.1', 'sip:100.64.0.1', true],
    ['169.254.169.254', 'sip:169.254.169.254', true],
    ['localhost', 'sip:localhost', true],
    ['2001:db8::1', 'sip:[2001:db8::1]', false],
    ['[2001:DB8::1]:5061', 'sip:[2001:db8::1]:5061', false],
    ['fd00::1', 'sip:[fd00::1]', true],
    ['::ffff:10.0.0.1', 'sip:10.0.0.1', true],
    ['sip:pbx.example.com:5061;transport=tls', 'sip:pbx.example.com:5061;transport=tls', false],
    ['sip:100@pbx.example.com;transport=UDP;lr', 'sip:100@pbx.example.com;transport=udp', false],
    ['<sip:pbx.example.com>', 'sip:pbx.example.com', false],
    ['sips:pbx.example.com', 'sip:pbx.example.com;transport=tls', false],
    ['tls://pbx.example.com:5061', 'sip:pbx.example.com:5061;transport=tls', false],
    ['tls://pbx.example.com:5061/', 'sip:pbx.example.com:5061;transport=tls', false],
    ['TCP://10.0.0.1', 'sip:10.0.0.1;transport=tcp', true],
    ['udp:pbx.example.com:5060', 'sip:pbx.example.com:5060;transport=udp', false],
    ['sip://pbx.example.com', 'sip:pbx.example.com', false],
    ['tls:5061', 'sip:tls:5061', false],
  ])('%s is %s', (input, normalized, isPrivate) => {
    const parsed = parseDestination(input);
    expect(parsed.ok && formatDestination(parsed.destination)).toBe(normalized);
    expect(parsed.ok && parsed.destination.isPrivate).toBe(isPrivate);
    // What is normal stays as it is.
    const again = parseDestination(normalized);
    expect(again.ok && formatDestination(again.destination)).toBe(normalized);
  });

  it.each([
    ['', /empty/],
    ['a b', /space/],
    ['a\r\nb', /control/],
    ['http://pbx.example.com', /scheme http/],
    ['sip:pbx.example.com;transport=ws', /transport/],
    ['tls://pbx.example.com;transport=udp', /contradict/],
    ['pbx.example.com:0', /port/],
    ['pbx.example.com:65536', /1 to 65535/],
    ['sip:pbx.example.com:99999;transport=tls', /1 to 65535/],
    ['tel:+14155550100', /phone number/],
    ['4155550100', /phone number/],
    ['bücher.example', /punycode/],
    ['0.0.0.0', /unspecified/],
    ['pbx.example.com:sip', /./],
    ['-pbx.example.com', /RFC 1123/],
    ['pbx..example.com', /RFC 1123/],
    [`${'a'.repeat(64)}.example.com`, /RFC 1123/],
    ['300.1.1.1', /address/],
    ['10.1', /address/],
    ['0x7f000001', /address/],
    ['224.0.0.1', /multicast/],
    ['sip:[ff02::1]:5061', /multicast/],
    ['255.255.255.255', /multicast/],
    ['[::1', /./],
    ['[fe80::1%25eth0]', /./],
    ['sip:user:secret@pbx.example.com', /password/i],
    ['sip:pbx.example.com?Subject=x', /headers/],
    ['tls://', /./],
    ['x'.repeat(513), /512/],
  ])('%s is none', (input, reason) => {
    const parsed = parseDestination(input);
    expect(parsed).toEqual({ ok: false, reason: expect.stringMatching(reason) });
    if (!parsed.ok) expect(parsed.reason).not.toContain('secret');
  });
});
