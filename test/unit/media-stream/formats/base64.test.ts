import { expect, it } from 'vitest';
import { readBase64, writeBase64 } from '../../../../src/media-stream/formats/base64.js';

const octets = Buffer.from(Array.from({ length: 259 }, (_, index) => (index * 7) & 0xff));

function read(text: string): string | undefined {
  const into = Buffer.alloc(400);
  const letters = Buffer.from(`"${text}"`);
  const length = readBase64(letters, 1, letters.length - 1, into);
  return length < 0 ? undefined : into.toString('hex', 0, length);
}

it.each([0, 1, 2, 3, 4, 160, 256, 257, 258])('writes and reads %i octets as Node.js does', (length) => {
  const some = octets.subarray(0, length);
  const into = Buffer.alloc(400);
  const end = writeBase64(some, into, 5);
  expect(into.toString('latin1', 5, end)).toBe(some.toString('base64'));
  for (const encoding of ['base64', 'base64url'] as const)
    expect(read(some.toString(encoding))).toBe(some.toString('hex'));
});

it('drops a letter too many, as Node.js does', () => {
  expect(read('AQIDB')).toBe('010203');
});

it.each(['AQI D', 'AQ=D', 'AQID===', '=AQI', 'AQI"', 'AQIü', '!', 'A!', 'AQ!'])('rejects %s', (text) => {
  expect(read(text)).toBeUndefined();
});
