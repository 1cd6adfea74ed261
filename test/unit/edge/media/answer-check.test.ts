import { describe, expect, it } from 'vitest';
import { checkAnswer } from '../../../../src/edge/media/answer-check.js';
import { type MediaDescription, readSession } from '../../../../src/sdp/sdp.js';

const key = 'inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';
const crypto = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key}`;

interface Description {
  readonly connection?: string;
  readonly media?: string;
  readonly lines?: readonly string[];
}

const description = ({
  connection = 'c=IN IP4 192.0.2.10',
  media = 'm=audio 41000 RTP/SAVP 0 8 101',
  lines = ['a=rtpmap:101 telephone-event/8000', crypto],
}: Description = {}): string =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.10', 's=-', connection, 't=0 0', media, ...lines, ''].join('\r\n');

const plain = { media: 'm=audio 41000 RTP/AVP 0', lines: [] };

/** Audio lines as we offered them: SRTP with one key, or plain. */
const offeredOver = (protocol: 'RTP/AVP' | 'RTP/SAVP'): { index: number; audio: MediaDescription } => {
  const media = `m=audio 40000 ${protocol} 0 8 9 101`;
  const lines = ['a=rtpmap:101 telephone-event/8000', ...(protocol === 'RTP/SAVP' ? [crypto] : [])];
  return { index: 0, audio: readSession(description({ media, lines }))!.media[0]! };
};

const secure = (answer: Description) => checkAnswer(description(answer), offeredOver('RTP/SAVP'), 'RTP/SAVP');
const warningOf = (answer: Description): string => {
  const check = secure(answer);
  return check.ok ? 'accepted' : check.warning;
};

describe('an answer to an SRTP offer', () => {
  it('is accepted with the offered suite, tag and codecs', () => {
    const check = secure({});
    expect(check.ok && check.audio.formats).toEqual(['0', '8', '101']);
  });

  it('is refused when it downgrades to plain RTP', () => {
    expect(warningOf(plain)).toBe('RTP/SAVP was offered and is required');
    expect(warningOf({ ...plain, lines: [crypto] })).toBe('RTP/SAVP was offered and is required');
  });

  it('is refused without a key line', () => {
    expect(warningOf({ lines: [] })).toMatch(/^No common SRTP suite/);
  });

  it.each([
    ['another suite', `a=crypto:1 AES_CM_128_HMAC_SHA1_32 ${key}`],
    ['a short key', 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewky'],
    ['encryption switched off', `${crypto} UNENCRYPTED_SRTP`],
  ])('is refused with %s', (_name, line) => {
    expect(warningOf({ lines: [line] })).toMatch(/^No common SRTP suite/);
  });

  it('is refused with two key lines, of which the wrong one might be used', () => {
    expect(warningOf({ lines: [crypto, crypto.replace(':1 ', ':2 ')] })).toMatch(/^No common SRTP suite/);
  });

  it('is refused with the tag of a line that was not offered', () => {
    expect(warningOf({ lines: [crypto.replace(':1 ', ':2 ')] })).toBe('SRTP suite answered was not offered');
  });
});

describe('any answer', () => {
  it('is refused when it is not a session description', () => {
    const check = checkAnswer('hello', offeredOver('RTP/AVP'), 'RTP/AVP');
    expect(check).toMatchObject({ ok: false, warning: 'SDP answer is not valid' });
  });

  it.each([
    ['Answer has no audio', 'm=video 41000 RTP/SAVP 96'],
    ['Audio was refused', 'm=audio 0 RTP/SAVP 0'],
    ['No common codec', 'm=audio 41000 RTP/SAVP 18'],
    ['No common codec', 'm=audio 41000 RTP/SAVP 101'],
  ])('is refused: %s (%s)', (warning, media) => {
    expect(warningOf({ media })).toBe(warning);
  });

  it('is refused without an address for audio', () => {
    expect(warningOf({ connection: 'c=IN IP4 pbx.example.com' })).toBe('An IP address is required in c=');
  });

  it('is refused with an address that the egress policy forbids', () => {
    const egress = { problemOf: () => 'private' as const };
    const check = checkAnswer(description(), offeredOver('RTP/SAVP'), 'RTP/SAVP', egress);
    expect(check).toMatchObject({ ok: false, warning: 'Media address in c= is not allowed' });
  });

  it('loses codecs that were not offered', () => {
    const check = secure({ media: 'm=audio 41000 RTP/SAVP 18 0 101' });
    expect(check.ok && check.audio.formats).toEqual(['0', '101']);
  });

  it('is found at the position of the audio line in the offer', () => {
    const { audio } = offeredOver('RTP/AVP');
    const sdp = description({ media: 'm=video 0 RTP/AVP 96', lines: ['m=audio 41000 RTP/AVP 0'] });
    expect(checkAnswer(sdp, { index: 1, audio }, 'RTP/AVP').ok).toBe(true);
    expect(checkAnswer(sdp, { index: 0, audio }, 'RTP/AVP').ok).toBe(false);
  });
});

describe('an answer to a plain offer', () => {
  const numbers = { media: 'm=audio 4000 RTP/AVP 0 8 96', lines: ['a=rtpmap:96 telephone-event/8000'] };
  const offered = readSession(description(numbers))!.media[0]!;
  it('with DTMF as its only common format has no common codec', () => {
    const answer = description({ ...numbers, media: 'm=audio 4000 RTP/AVP 96' });
    const check = checkAnswer(answer, { index: 0, audio: offered }, 'RTP/AVP');
    expect(check).toMatchObject({ ok: false, warning: 'No common codec' });
  });
  it('with fewer lines than the audio line’s position has no audio', () => {
    const check = checkAnswer(description(plain), { index: 1, audio: offered }, 'RTP/AVP');
    expect(check).toMatchObject({ ok: false });
  });
});
