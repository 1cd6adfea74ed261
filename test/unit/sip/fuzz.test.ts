import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  formatAddress,
  parseAddress,
  tagOf,
  withEarlyTag,
  withQuotedNames,
  withTag,
} from '../../../src/sip/address.js';
import { canonical } from '../../../src/sip/canonical.js';
import { parseCSeq } from '../../../src/sip/cseq.js';
import {
  formatChallenge,
  formatCredentials,
  parseChallenges,
  parseCredentials,
} from '../../../src/sip/digest.js';
import { FramingError, StreamFramer } from '../../../src/sip/framing.js';
import type { SipMessage } from '../../../src/sip/message.js';
import { parseMessage } from '../../../src/sip/parse.js';
import { respondTo } from '../../../src/sip/response.js';
import { serialize } from '../../../src/sip/serialize.js';
import { isToken, splitList } from '../../../src/sip/text.js';
import { equalUris, parseUri } from '../../../src/sip/uri.js';
import { validateRequest, validateResponse } from '../../../src/sip/validate.js';
import { parseVia, topVia } from '../../../src/sip/via.js';
import { processorMilliseconds } from '../../support/processor-use.js';
import { sample, seededRandom } from './sample.js';
import { invalidMessages } from './torture/rfc4475-invalid.js';
import { semanticMessages } from './torture/rfc4475-semantics.js';
import { validMessages } from './torture/rfc4475-valid.js';
import { ipv6Messages } from './torture/rfc5118.js';
import { formatUri, formatVia } from './written.js';

const LibrarySipMessage = createRequire(import.meta.url)('drachtio-srf/lib/sip-parser/message') as new (
  text: string,
) => { getParsedHeader(name: string): { params: Record<string, string | undefined> } };

const limits = { maximumHeaderBytes: 16384, maximumMessageBytes: 65536 };
const random = seededRandom(20261120);
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

const corpus = [...validMessages, ...invalidMessages, ...semanticMessages, ...ipv6Messages]
  .map(({ message }) => message)
  .concat(
    sample(),
    sample({ startLine: 'SIP/2.0 200 OK' }),
    sample({ lines: { From: '"A" <sip:a@b>;x=[::1];y="z, ;";tag=f1', To: 'sip:b@c;p=q;tag=t1' } }),
  );
const spice = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '"',
  '\\',
  '<',
  '>',
  '@',
  '%',
  '=',
  '?',
  '[',
  ']',
  '/',
  '\xff',
  '\xa0',
  '|',
  'l: 1\r\n',
  '\r\n\r\n',
  '\r\n ',
  '0',
  '-1',
  'tag=',
  'sip:',
  '*',
];

function mutate(text: string): string {
  let result = text;
  for (let rounds = 1 + below(4); rounds > 0; rounds--) {
    const at = below(result.length + 1);
    const size = below(8);
    const kind = below(5);
    if (kind === 0) result = result.slice(0, at) + result.slice(at + size);
    else if (kind === 1) result = result.slice(0, at) + pick(spice) + result.slice(at);
    else if (kind === 2)
      result = result.slice(0, at) + String.fromCharCode(below(256)) + result.slice(at + 1);
    else if (kind === 3) {
      const from = below(result.length + 1);
      result = result.slice(0, at) + result.slice(from, from + size * 10) + result.slice(at);
    } else result = result.slice(0, at) + pick(spice) + result.slice(at + size);
  }
  return result;
}

/** An assertion of the framework takes longer than what it asserts here, so only what differs gets there. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

function mustBeDeliverable(message: SipMessage): void {
  const text = serialize(canonical(message));
  const delivered = new LibrarySipMessage(Buffer.from(text, 'latin1').toString('utf8'));
  for (const name of ['From', 'To']) {
    const tag = tagOf(message.headers.get(name) as string);
    // Tags that are no tokens get cut by the library; no sane peer sends them.
    if (tag === undefined || isToken(tag))
      expectSame([text, delivered.getParsedHeader(name).params.tag], [text, tag]);
  }
  delivered.getParsedHeader('cseq');
}

describe('mutated messages', () => {
  it('never make anything throw; what is valid survives serialising and can be delivered', () => {
    let valid = 0;
    for (let i = 0; i < 10_000; i++) {
      const text = mutate(pick(corpus));
      const result = parseMessage(Buffer.from(text, 'latin1'));
      if (!result.ok) {
        if (result.salvage !== undefined) serialize(respondTo(result.salvage, 400, { reason: result.error }));
        continue;
      }
      const { message } = result;
      const isValid =
        message.kind === 'request' ? validateRequest(message) === undefined : validateResponse(message);
      topVia(message);
      if (message.kind === 'request') serialize(respondTo(message, 400, { toTag: 't' }));
      if (!isValid) continue;
      valid++;
      const again = parseMessage(Buffer.from(serialize(message), 'latin1'));
      if (!again.ok) throw new Error(`${again.error}: ${JSON.stringify(text)}`);
      message.headers.set('Content-Length', String(message.body.length));
      expectSame(again.message, message);
      mustBeDeliverable(message);
    }
    expect(valid).toBeGreaterThan(500);
  });

  it('mean the same to framer and parser', () => {
    let framed = 0;
    for (let i = 0; i < 5_000; i++) {
      const stream = Buffer.from(mutate(pick(corpus)) + pick(corpus), 'latin1');
      const framer = new StreamFramer(limits);
      try {
        for (const item of framer.push(stream)) {
          if (item.kind !== 'message') continue;
          framed++;
          expectSame(parseMessage(item.bytes), { ok: true, message: item.message });
        }
      } catch (error) {
        if (!(error instanceof FramingError)) throw error;
      }
    }
    expect(framed).toBeGreaterThan(500);
  });
});

describe('mutated values', () => {
  const values = [
    '"A \\"B\\"" <sip:a:b@[2001:db8::1]:5060;transport=tls;lr?x=y>;tag=1;q=0.5',
    'sip:%61lice@example.com;user=phone',
    'tel:+1-201-555-0123;ext=1;phone-context=x.y',
    'SIP / 2.0 / UDP h : 5060 ; branch=z9hG4bK1 ; received=[::1]',
    '314159 INVITE',
    'Digest realm="r", nonce="n", qop="auth,auth-int", algorithm=SHA-256, Basic realm="x"',
    'Digest username="u", realm="r", nonce="n", uri="sip:a", response="0", qop=auth, nc=00000001, cnonce="c"',
    '<sip:a>, "b, c" <sip:d>;e="f, g"',
  ];

  it('never throw, and what is read can be written and read again', () => {
    for (let i = 0; i < 20_000; i++) {
      const text = mutate(pick(values));
      const uri = parseUri(text);
      if (uri !== undefined) expectSame(equalUris(parseUri(formatUri(uri))!, uri), true);
      const address = parseAddress(text);
      if (address !== undefined) expectSame(parseAddress(formatAddress(address)), address);
      const via = parseVia(text);
      if (via !== undefined) expectSame(parseVia(formatVia(via)), via);
      const credentials = parseCredentials(text);
      if (credentials !== undefined) formatCredentials(credentials);
      for (const challenge of parseChallenges([text])) formatChallenge(challenge);
      parseCSeq(text);
      splitList(text);
      tagOf(text);
      withTag(text, 'x');
      withQuotedNames(text);
      withEarlyTag(text);
    }
  });
});

describe('hostile lengths', () => {
  it('cost time in proportion', () => {
    const runs = [
      ' ',
      '\t',
      '\r\n ',
      ',',
      ';',
      '"',
      '\\',
      '<',
      '>',
      ':',
      '/',
      '=',
      'a',
      '%',
      '(',
      '1',
      '"",',
      '<>,',
      ';a=b',
    ];
    const milliseconds = processorMilliseconds(() => {
      for (const run of runs) {
        const long = run.repeat(Math.floor(60_000 / run.length));
        for (const name of [
          'Via',
          'From',
          'Contact',
          'CSeq',
          'Call-ID',
          'Route',
          'Max-Forwards',
          'Content-Length',
          'X-Y',
        ]) {
          for (const value of [long, `<sip:a@b>${long}x`, `SIP/2.0/UDP h${long}x`, `1${long}x`]) {
            const result = parseMessage(Buffer.from(sample({ lines: { [name]: value } }), 'latin1'));
            if (result.ok && result.message.kind === 'request') validateRequest(result.message);
          }
        }
        parseChallenges([`Digest ${long}x`, long]);
        parseCredentials(`Digest realm="${long}`);
      }
    });
    expect(milliseconds).toBeLessThan(10_000);
  });
});
