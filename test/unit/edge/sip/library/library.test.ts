import { describe, expect, it } from 'vitest';
import { comparedWithLibrary } from '../../../../../src/edge/sip/library/comparison.js';
import { installFastLibrary, knownHashes, libraryHash } from '../../../../../src/edge/sip/library/install.js';
import { loadInternals } from '../../../../../src/edge/sip/library/internals.js';
import { readMessage, rememberNames } from '../../../../../src/edge/sip/library/message-text.js';
import { messageReading } from '../../../../../src/edge/sip/library/messages.js';
import { invalidMessages } from '../../../sip/torture/rfc4475-invalid.js';
import { semanticMessages } from '../../../sip/torture/rfc4475-semantics.js';
import { validMessages } from '../../../sip/torture/rfc4475-valid.js';
import { ipv6Messages } from '../../../sip/torture/rfc5118.js';

const internals = loadInternals();
const spell = rememberNames(internals.parser.getHeaderName);
const compared = comparedWithLibrary(messageReading(internals, spell), internals);

const invite = [
  'INVITE sip:bob@192.0.2.10 SIP/2.0',
  'Via: SIP/2.0/TLS 198.51.100.20:5061;branch=z9hG4bKa1;rport=5061',
  'Max-Forwards: 70',
  'From: "Alice" <sip:alice@example.net>;tag=at1',
  'To: <sip:bob@192.0.2.10>',
  'Call-ID: call-1@198.51.100.20',
  'CSeq: 1 INVITE',
  'X-Customer-ID: 7',
  'P-Asserted-Identity: <sip:alice@example.net>',
  'Content-Type: application/sdp',
  'Content-Length: 5',
  '',
  'v=0\r\n',
].join('\r\n');

const corpus = [
  invite,
  ...[...validMessages, ...invalidMessages, ...semanticMessages, ...ipv6Messages].map(
    ({ message }) => message,
  ),
];

describe('the parser in place of the one of drachtio-srf', () => {
  it('was compared with the installed version of drachtio-srf', () => {
    // Fails after an upgrade: until its hash is listed in `install.ts`, the edge runs with the library's slower parser.
    expect(knownHashes).toContain(libraryHash());
  });

  it('reads the messages of RFC 4475 and RFC 5118 as the library does', () => {
    for (const message of corpus) compared.received(message);
  });

  it('reads damaged messages as the library does', () => {
    let seed = 4475;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const pieces = [
      '\r\n',
      '\r\n ',
      ':',
      ' ',
      '\t',
      ',',
      '\0',
      '\r',
      '\n',
      'é',
      '__proto__',
      'Via: a\r\n',
      '0',
    ];
    pieces.push(
      'constructor: 1\r\n',
      'Content-Length: 3\r\n',
      'x-a: 1\r\nX-A: 2\r\n',
      '\r\n\r\n',
      '%41',
      'l: 2\r\n',
    );
    for (let round = 0; round < 6_000; round++) {
      const text = corpus[random(corpus.length)]!;
      const at = random(text.length);
      const piece = pieces[random(pieces.length)]!;
      compared.received(text.slice(0, at) + piece + text.slice(at + random(3)));
    }
  });

  it('reads messages that an engine sends without the library', () => {
    expect(readMessage(invite, spell)).toMatchObject({ method: 'INVITE', body: 'v=0\r\n' });
    expect(readMessage(invite.replace(/^INVITE.*/, 'SIP/2.0 200 OK'), spell)).toMatchObject({ status: 200 });
  });

  it('writes requests and responses as the library does', () => {
    const headers = { From: '<sip:a@localhost>', 'call-id': 'x', 'content-length': '7', Contact: 'sip:é@x' };
    compared.write({ method: 'INVITE', uri: 'sip:b@x', headers: { ...headers }, body: 'v=0\r\n' });
    compared.write({ status: 180, reason: 'Ringing', headers: { ...headers } });
    compared.write({ method: 'BYE', uri: 'sip:placeholder', headers: {} });
  });

  it('looks names up as the library does', () => {
    const names = ['via', 'Via', 'v', 'x-customer-id', 'X-Customer-ID', 'call-id', 'i', 'Missing', 'from'];
    const answers = (): unknown[] => {
      const message = new internals.Message(invite);
      message.set('X-Customer-ID', '8').set({ Via: 'x', 'x-customer-id': '9' });
      return [message.toString(), ...names.map((name) => [message.get(name), message.has(name)])];
    };
    const libraryAnswers = answers();
    expect(installFastLibrary()).toEqual({ ok: true });
    expect(answers()).toEqual(libraryAnswers);
  });
});
