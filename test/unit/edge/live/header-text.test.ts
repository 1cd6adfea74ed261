import { describe, expect, it } from 'vitest';
import { headerText, maximumText } from '../../../../src/edge/live/header-text.js';

const uri = '<sip:+14155550123@pbx.example>;tag=a1';

describe('a header of a live call', () => {
  it('is shown whole when it is short', () => {
    expect(headerText(`"Ada" ${uri}`)).toBe(`"Ada" ${uri}`);
  });

  it.each([`"${'a'.repeat(3_000)}" ${uri}`, `${'b '.repeat(400)}${uri}`, `"${'\\"'.repeat(400)}" ${uri}`])(
    'keeps its URI when the display name is long',
    (header) => {
      const shown = headerText(header);
      expect(shown.length).toBeLessThanOrEqual(maximumText);
      expect(shown).toMatch(/^"(?:[^"\\]|\\.)*…" <sip:\+14155550123@pbx\.example>;tag=a1$/);
    },
  );

  it('cuts no character in two', () => {
    for (const lead of ['', 'x']) {
      const shown = headerText(`"${lead}${'😀'.repeat(300)}" ${uri}`);
      expect(() => encodeURIComponent(shown)).not.toThrow();
    }
  });

  it('is cut when the URI itself is too long', () => {
    expect(headerText(`"Ada" <sip:${'9'.repeat(400)}@pbx>`)).toHaveLength(maximumText);
    expect(headerText('sip:'.padEnd(400, '1'))).toHaveLength(maximumText);
  });
});
