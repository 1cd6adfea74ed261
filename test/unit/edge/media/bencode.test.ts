import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { bencoded } from '../../../../src/edge/media/bencode.js';

const { decode } = createRequire(createRequire(import.meta.url).resolve('rtpengine-client'))('bencode') as {
  decode(data: Buffer, encoding: string): unknown;
};

describe('an NG command', () => {
  it('is read by the library as it was, in octets and not characters, without what is undefined', () => {
    const command = {
      sdp: 'v=0\r\ns=Grüße 🔑\r\n',
      flags: ['a', 'ü'],
      codec: { mask: ['all'] },
      delay: 0,
      port: 65_535,
    };
    expect(decode(Buffer.from(bencoded({ ...command, blob: undefined })), 'utf8')).toEqual(command);
    expect(bencoded({ ü: true, n: -1.5 })).toBe('d2:üi1e1:ni-1ee');
  });

  it('takes no value that it cannot express', () => {
    expect(() => bencoded({ at: () => 0 })).toThrow(TypeError);
    expect(() => bencoded([null])).toThrow(TypeError);
  });
});
