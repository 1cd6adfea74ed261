import { describe, expect, it } from 'vitest';
import { quotedWords } from '../../../src/control/deliveries/quoted-words.js';

describe('words of a customer in a mail', () => {
  it.each([
    ['Ada Lovelace', '“Ada Lovelace”'],
    ['Dr. Ada B. Lovelace', '“Dr. Ada B. Lovelace”'],
    [
      'Account locked: sign in at https://evil.example/login.',
      '“Account locked: sign in at https[:]//evil[.]example/login.”',
    ],
    ['mail help@evil.example” or', "“mail help[at]evil[.]example' or”"],
    ['two\r\nlines\u202e', '“two lines”'],
  ])('are quoted without links: %s', (text, quoted) => {
    expect(quotedWords(text)).toBe(quoted);
  });
});
