import { expect, it } from 'vitest';
import { storable, storableJson } from '../../../src/control/database/storable.js';

const emoji = '\u{1f600}';

it('replaces what PostgreSQL does not store, and nothing else', () => {
  expect(storable(`a\0b${emoji}${emoji[0]}`)).toBe(`a\ufffdb${emoji}\ufffd`);
  const value = {
    cut: `x${emoji}`.slice(0, 2),
    half: [emoji[1], `\\${emoji[1]}`],
    'k\0': '\0\0',
    kept: `${emoji} \\u0000 \\\\ud83d \u0001`,
  };
  expect(JSON.parse(storableJson(value))).toEqual({
    cut: 'x\ufffd',
    half: ['\ufffd', '\\\ufffd'],
    'k\ufffd': '\ufffd\ufffd',
    kept: value.kept,
  });
});
