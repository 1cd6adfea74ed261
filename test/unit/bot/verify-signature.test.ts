import { describe, expect, it } from 'vitest';
import { type HandshakeFields, isSigned } from '../../../src/bot/verify-signature.js';
import { handshakeHeaders } from '../../../src/contract/stream-signatures.js';

const url = 'wss://bot.example.com/stream';
const facts = { url, accountSid: 'AC1', callSid: 'CA1' };
const now = 1_795_000_000;

/** As Node.js reads them. */
const received = (secrets: readonly string[], at = now): HandshakeFields =>
  Object.fromEntries(
    Object.entries(handshakeHeaders(secrets, facts, at)).map(([name, value]) => [name.toLowerCase(), value]),
  );

describe('the signature of a handshake', () => {
  it('is accepted with one of the valid secrets', () => {
    expect(isSigned(received(['new', 'old']), { url, secrets: ['old'] }, now)).toBe(true);
    expect(isSigned(received(['new']), { url, secrets: ['old', 'new'] }, now)).toBe(true);
  });

  it.each([
    ['another secret', received(['stolen']), now],
    ['no signature', {}, now],
    [
      'none of the fields that are signed',
      { 'x-demarc-signature': received(['new'])['x-demarc-signature'] },
      now,
    ],
    ['a time five minutes ago', received(['new']), now + 301],
    ['a time five minutes ahead', received(['new']), now - 301],
    [
      'a time that was changed',
      {
        ...received(['new']),
        'x-demarc-signature': `t=${now + 1},${String(received(['new'])['x-demarc-signature']).split(',')[1]}`,
      },
      now,
    ],
    ['a repeated field', { ...received(['new']), 'x-demarc-signature': ['t=1', 'v1=2'] }, now],
  ] as const)('is refused with %s', (_what, fields, at) => {
    expect(isSigned(fields, { url, secrets: ['new'] }, at)).toBe(false);
  });

  it('is refused for another URL', () => {
    expect(isSigned(received(['new']), { url: `${url}/`, secrets: ['new'] }, now)).toBe(false);
  });
});
