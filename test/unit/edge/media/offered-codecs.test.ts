import { describe, expect, it } from 'vitest';
import { offeredCodecs } from '../../../../src/edge/media/offered-codecs.js';
import { readSession } from '../../../../src/sdp/sdp.js';

const plain = (...audio: string[]): string =>
  `v=0\r\no=x 1 1 IN IP4 192.0.2.1\r\ns=x\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8 96\r\n${audio.map((line) => `${line}\r\n`).join('')}`;

describe('the offer made from a policy', () => {
  const event = 'a=rtpmap:101 telephone-event/8000';
  const description = (formats: string): string =>
    plain('a=rtpmap:96 opus/48000/2', event).replace('AVP 0 8 96', `AVP ${formats}`);
  const offered = readSession(description('0 8 96 101'))!.media[0]!;
  it('has the enabled codecs, in order, with DTMF events at any clock rate', () => {
    const { audio, codec } = offeredCodecs(offered, { order: ['opus', 'PCMA'], transcode: false });
    expect(audio.formats).toEqual(['96', '8', '101']);
    expect(codec).toBeUndefined();
  });
  it('has comfort noise beside a codec of its clock rate, where it was offered', () => {
    const noisy = readSession(description('13 0 96 101'))!.media[0]!;
    const formats = (order: ('opus' | 'PCMU')[]) =>
      offeredCodecs(noisy, { order, transcode: false }).audio.formats;
    expect(formats(['PCMU'])).toEqual(['0', '13', '101']);
    expect(formats(['opus'])).toEqual(['96', '101']);
  });
  it('has what was not offered where conversion is allowed', () => {
    const { audio, codec } = offeredCodecs(offered, { order: ['PCMA', 'G722'], transcode: true });
    expect(audio.formats).toEqual(['8', '101']);
    expect(codec).toEqual({ transcode: ['G722'] });
  });
  it('masks everything where nothing enabled was offered', () => {
    const { audio, codec } = offeredCodecs(offered, { order: ['G729'], transcode: true });
    expect(audio).toBe(offered);
    expect(codec).toEqual({ mask: ['all'], except: ['telephone-event'], transcode: ['G729'] });
  });
  it('has DTMF events though the offerer has none', () => {
    const without = readSession(description('0 8'))!.media[0]!;
    expect(offeredCodecs(without, { order: ['PCMU'], transcode: false })).toMatchObject({
      codec: { transcode: ['telephone-event'] },
      convertsEvents: true,
    });
  });
});
