import { describe, expect, it } from 'vitest';
import { inverse, renumber, renumbering } from '../../../src/sdp/payload-types.js';
import { type MediaDescription, readSession } from '../../../src/sdp/sdp.js';

const description = (formats: string, ...lines: string[]): string =>
  `v=0\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP ${formats}\r\n${lines.map((line) => `${line}\r\n`).join('')}`;
const audio = (sdp: string): MediaDescription => readSession(sdp)!.media[0]!;

const offer = description(
  '96 101 0',
  'a=rtpmap:96 opus/48000/2',
  'a=fmtp:96 useinbandfec=1',
  'a=rtpmap:101 telephone-event/8000',
);
const answer = description('107 97', 'a=rtpmap:107 opus/48000/2', 'a=rtpmap:97 telephone-event/8000');

describe('payload type numbers of an answer', () => {
  it('maps each codec with another number to the offer, the first one too', () => {
    expect([...renumbering(audio(answer), audio(offer))]).toEqual([
      ['107', '96'],
      ['97', '101'],
    ]);
  });

  it('maps nothing when the answer has the numbers of the offer, or a codec that was not offered', () => {
    expect([...renumbering(audio(offer), audio(offer))]).toEqual([]);
    expect([...renumbering(audio(description('8')), audio(offer))]).toEqual([]);
  });

  it('writes the other numbers into a description, and back', () => {
    const numbers = renumbering(audio(answer), audio(offer));
    const renumbered = renumber(answer, numbers);
    expect(renumbered).toContain('m=audio 4000 RTP/AVP 96 101\r\n');
    expect(renumbered).toContain('a=rtpmap:96 opus/48000/2\r\na=rtpmap:101 telephone-event/8000\r\n');
    expect(renumber(renumbered, inverse(numbers))).toBe(answer);
  });
});
