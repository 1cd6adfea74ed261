import { describe, expect, it } from 'vitest';
import { limitedFrame, shortened } from '../../../../src/edge/sip/frame-limit.js';

const frame = (text: string): string => `${Buffer.byteLength(text)}#${text}`;
const response = (from: string, body = '') =>
  frame(
    `id|sip|txn|\r\nSIP/2.0 403 Forbidden\r\ncall-id: c\r\ncseq: 1 INVITE\r\nfrom: ${from}\r\nTo: <sip:to@x>\r\nX-From: stays\r\n\r\n${body}`,
  );

describe('frames for a drachtio-server', () => {
  it('are left alone as long as they are short', () => {
    const text = response('"é" <sip:a@b>', 'from: body\r\n');
    expect(shortened(text)).toBe(text);
  });

  it('do not repeat a long From and To in a response', () => {
    const short = shortened(response(`"${'é'.repeat(5_000)}" <sip:a@b>`, 'v=0\r\nfrom: body\r\n'));
    const [length, payload] = [short.slice(0, short.indexOf('#')), short.slice(short.indexOf('#') + 1)];
    expect(Number(length)).toBe(Buffer.byteLength(payload));
    expect(payload).toBe(
      'id|sip|txn|\r\nSIP/2.0 403 Forbidden\r\ncall-id: c\r\ncseq: 1 INVITE\r\nX-From: stays\r\n\r\nv=0\r\nfrom: body\r\n',
    );
  });

  it('are not sent when they would block the connection permanently', () => {
    const dropped: number[] = [];
    const limited = (text: string) => limitedFrame(text, (octets) => dropped.push(octets));
    const request = frame(`id|sip||\r\nINVITE sip:a@b SIP/2.0\r\nX-Long: ${'x'.repeat(13_000)}\r\n\r\n`);
    expect(limited(request)).toBeUndefined();
    expect(limited('3#a|b')).toBe('3#a|b');
    expect(limited('x'.repeat(12_000))).toHaveLength(12_000);
    expect(limited(response('x'.repeat(20_000)))).toBeDefined();
    expect(limited('x'.repeat(12_001))).toBeUndefined();
    expect(dropped).toEqual([Buffer.byteLength(request), 12_001]);
  });
});
