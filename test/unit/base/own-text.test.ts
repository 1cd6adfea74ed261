import { expect, it } from 'vitest';
import { sharedOwnText } from '../../../src/base/own-text.js';

it('returns equal texts of any length, whichever message they came from', () => {
  const own = sharedOwnText();
  const messages = ['', 'alice', 'Älice <sip:alice@example.net>;tag=1', 'x'.repeat(5_000)].map(
    (text) => `From: ${text}\r\nTo: ${text}`,
  );
  for (const message of messages) {
    const [from = '', to = ''] = message.split('\r\n').map((line) => line.slice(line.indexOf(':') + 2));
    expect(own(from)).toBe(from);
    expect(own(to)).toBe(from);
  }
});
