import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { limitFrames, shortened } from '../../../../src/edge/sip/frame-limit.js';

const frame = (text: string): string => `${Buffer.byteLength(text)}#${text}`;
const response = (from: string, body = '') =>
  frame(
    `id|sip|txn|\r\nSIP/2.0 403 Forbidden\r\ncall-id: c\r\ncseq: 1 INVITE\r\nfrom: ${from}\r\nTo: <sip:to@x>\r\nX-From: stays\r\n\r\n${body}`,
  );

function socket() {
  const written: unknown[] = [];
  const write = (chunk: unknown): boolean => written.push(chunk) > 0;
  return { written, socket: { write } as unknown as Socket };
}

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
    const { socket: limited, written } = socket();
    const dropped: number[] = [];
    limitFrames(limited, (octets) => dropped.push(octets));
    const request = frame(`id|sip||\r\nINVITE sip:a@b SIP/2.0\r\nX-Long: ${'x'.repeat(13_000)}\r\n\r\n`);
    limited.write(request);
    limited.write('3#a|b');
    limited.write(response('x'.repeat(20_000)));
    expect(dropped).toEqual([Buffer.byteLength(request)]);
    expect(written).toHaveLength(2);
    expect(written[0]).toBe('3#a|b');
  });
});
