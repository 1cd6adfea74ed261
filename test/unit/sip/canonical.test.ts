import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { tagOf } from '../../../src/sip/address.js';
import { canonical } from '../../../src/sip/canonical.js';
import type { SipResponse } from '../../../src/sip/message.js';
import { fromText } from '../../../src/sip/message.js';
import { serialize } from '../../../src/sip/serialize.js';
import { parsedFrom, requestFrom, sample } from './sample.js';

interface LibraryMessage {
  body: string;
  headers: Record<string, string>;
  get(name: string): string | undefined;
  getParsedHeader(name: string): { params: Record<string, string> };
}

/** The parser that our applications use: what it refuses never reaches them. */
const LibrarySipMessage = createRequire(import.meta.url)('drachtio-srf/lib/sip-parser/message') as new (
  text: string,
) => LibraryMessage;

const deliver = (bytes: string): LibraryMessage =>
  new LibrarySipMessage(Buffer.from(serialize(canonical(parsedFrom(bytes))), 'latin1').toString('utf8'));

describe('canonical', () => {
  it('is the very same message when nothing needs change', () => {
    const request = requestFrom(sample());
    expect(canonical(request)).toBe(request);
  });

  it('leaves the original unchanged', () => {
    const request = requestFrom(sample({ lines: { From: fromText('Jürgen <sip:j@example.net>;tag=1') } }));
    expect(canonical(request).headers.get('From')).toBe(fromText('"Jürgen" <sip:j@example.net>;tag=1'));
    expect(request.headers.get('From')).toBe(fromText('Jürgen <sip:j@example.net>;tag=1'));
  });

  it('makes the library see the tag behind an unquoted name', () => {
    const message = deliver(
      sample({ lines: { From: fromText('Jürgen Müller <sip:j@example.net>;tag=j1') } }),
    );
    expect(message.getParsedHeader('from').params.tag).toBe('j1');
  });

  it.each(['<sip:a@b>;x=[::1];tag=j1', 'sip:a@b;q=0/1 ; tag=j1;y', '"N \\" " <sip:a@b>;x="q";z=a@b;tag=j1'])(
    'makes the library see the tag of %s',
    (from) => {
      expect(deliver(sample({ lines: { From: from } })).getParsedHeader('from').params.tag).toBe('j1');
    },
  );

  it('hides no header behind an escape', () => {
    const message = deliver(
      sample({ extra: ['Content%2DLength: 0', '%46rom: <sip:evil@example.net>;tag=x'], body: '' }),
    );
    expect(message.getParsedHeader('from').params.tag).toBe('1928301774');
    expect(message.get('Content-Length')).toBe('0');
  });

  it('makes the library read a phrase with Unicode line ends', () => {
    const startLine = fromText('SIP/2.0 486 Busy\u2028here\u2029now');
    const response = parsedFrom(sample({ startLine })) as SipResponse;
    expect(canonical(response).reason).toBe('Busy here now');
    expect(deliver(sample({ startLine })).get('CSeq')).toBe('314159 INVITE');
  });

  it.each([
    ['lower-case version', sample({ startLine: 'INVITE sip:a@b sip/2.0' })],
    ['line ends before the start line', `\r\n\r\n${sample()}`],
    [
      'folded and compact headers',
      sample({ lines: { From: undefined }, extra: ['f :\r\n <sip:a@b>\r\n ;tag=1928301774'] }),
    ],
    [
      'no Content-Length, a body with empty lines',
      sample({ lines: { 'Content-Length': undefined }, body: 'a\r\n\r\nb' }),
    ],
    ['surplus after the body', sample({ lines: { 'Content-Length': '6' }, body: 'a\r\n\r\nbSURPLUS' })],
    ['an unknown header with odd characters', sample({ extra: ["X-!*_+`'~.: ;;,,"] })],
    ['names of object members', sample({ extra: ['__proto__: x', 'constructor: y', 'toString: z'] })],
  ])('the library reads %s', (_, bytes) => {
    const original = parsedFrom(bytes);
    const message = deliver(bytes);
    expect(message.getParsedHeader('from').params.tag).toBe(tagOf(original.headers.get('From') as string));
    expect(message.body).toBe(original.body);
  });
});
