import { describe, expect, it } from 'vitest';
import { LocalDescription, layoutOf, narrowed } from '../../../src/sdp/local-description.js';
import { inverse, renumber, renumbering } from '../../../src/sdp/payload-types.js';
import {
  altered,
  answerDirection,
  codecsOf,
  cryptoLinesOf,
  type Direction,
  directionOf,
  readSession,
} from '../../../src/sdp/sdp.js';

const plain = (...audio: string[]): string =>
  `v=0\r\no=x 1 1 IN IP4 192.0.2.1\r\ns=x\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8 96\r\n${audio.map((line) => `${line}\r\n`).join('')}`;

describe('a media description with other formats', () => {
  it('finds its own codecs, once, and leaves those of the description that it comes from', () => {
    const [media] = readSession(plain('a=rtpmap:96 opus/48000/2'))!.media;
    const reduced = altered(media!, { formats: ['96', '0'] });
    expect(codecsOf(reduced).map(({ name }) => name)).toEqual(['opus', 'PCMU']);
    expect(codecsOf(reduced)).toBe(codecsOf(reduced));
    expect(codecsOf(media!)).toHaveLength(3);
    const secure = altered(reduced, { protocol: 'RTP/SAVP', lines: ['m=audio'] });
    expect({ ...secure }).toEqual({ ...reduced, protocol: 'RTP/SAVP', lines: ['m=audio'] });
    expect(codecsOf(secure).map(({ name }) => name)).toEqual(['PCMU']);
  });
});

describe('direction', () => {
  // RFC 3264 §6.1: rows offered, columns what the answerer wants.
  it.each([
    ['sendrecv', 'sendrecv', 'sendrecv'],
    ['sendrecv', 'sendonly', 'sendonly'],
    ['sendrecv', 'recvonly', 'recvonly'],
    ['sendrecv', 'inactive', 'inactive'],
    ['sendonly', 'sendrecv', 'recvonly'],
    ['sendonly', 'recvonly', 'recvonly'],
    ['sendonly', 'sendonly', 'inactive'],
    ['sendonly', 'inactive', 'inactive'],
    ['recvonly', 'sendrecv', 'sendonly'],
    ['recvonly', 'sendonly', 'sendonly'],
    ['recvonly', 'recvonly', 'inactive'],
    ['inactive', 'sendrecv', 'inactive'],
  ] as [Direction, Direction, Direction][])(
    'offered %s, wanted %s: answered %s',
    (offered, direction, answered) => {
      expect(answerDirection(offered, direction)).toBe(answered);
    },
  );

  it.each([
    [plain(), 'sendrecv'],
    [plain('a=sendonly'), 'sendonly'],
    [plain().replace('t=0 0', 't=0 0\r\na=inactive'), 'inactive'],
    [plain('a=recvonly').replace('t=0 0', 't=0 0\r\na=inactive'), 'recvonly'],
    [plain().replace('c=IN IP4 192.0.2.1', 'c=IN IP4 0.0.0.0'), 'sendonly'],
    [plain('c=IN IP4 0.0.0.0', 'a=recvonly'), 'inactive'],
  ])('is read at both levels, and from a zero address', (sdp, direction) => {
    const session = readSession(sdp)!;
    expect(directionOf(session, session.media[0]!)).toBe(direction);
  });
});

describe('codecs and keys', () => {
  it('are those of the format list in its order; static types need no rtpmap', () => {
    const [media] = readSession(plain('a=rtpmap:96 opus/48000/2', 'a=rtpmap:99 unused/8000'))!.media;
    expect(codecsOf(media!).map(({ name, clockRate }) => `${name}/${clockRate}`)).toEqual([
      'PCMU/8000',
      'PCMA/8000',
      'opus/48000',
    ]);
  });

  const typesOf = (formats: readonly string[], lines: readonly string[]): string[] => {
    const sdp = plain(...lines).replace('RTP/AVP 0 8 96', `RTP/AVP ${formats.join(' ')}`);
    return codecsOf(readSession(sdp)!.media[0]!).map(({ payloadType }) => payloadType);
  };
  it('are two payload types of each, if their parameters differ', () => {
    const types = Array.from({ length: 100 }, (_, index) => String(index + 1));
    const maps = types.map((type) => `a=rtpmap:${type} opus/48000/2`);
    expect(typesOf(['0', ...types], maps)).toEqual(['0', '1']);
    const attributes = ['a=fmtp:1 useinbandfec=1', 'a=fmtp:2 useinbandfec=1;x=2', 'a=fmtp:9 useinbandfec=0'];
    expect(typesOf(['0', ...types], [...maps, ...attributes])).toEqual(['0', '1', '3']);
  });
  it('are 16 payload types in all, with none of the codecs missing', () => {
    const encodings = [
      ...['GSM/8000', 'G723/8000', 'CN/8000', 'speex/8000', 'speex/16000', 'speex/32000', 'G722/8000'],
      ...['telephone-event/8000', 'telephone-event/16000', 'telephone-event/48000', 'PCMA/8000'],
      ...['opus/48000/2', 'G729/8000', 'PCMU/8000'],
    ];
    const all = [...encodings, ...encodings];
    const types = all.map((_, index) => String(index + 96 - 14));
    const maps = all.map((encoding, index) => `a=rtpmap:${types[index]} ${encoding}`);
    // Only these have parameters that count.
    const parameters = types.slice(14).flatMap((type) => [`a=fmtp:${type} 0-15`, `a=fmtp:${type} annexb=no`]);
    const kept = typesOf(types, [...maps, ...parameters]);
    expect(kept).toHaveLength(16);
    expect(kept).toEqual(expect.arrayContaining(types.slice(0, 14)));
  });

  it('a key line without key parameters is no key line', () => {
    const [media] = readSession(
      plain('a=crypto:1 AES_CM_128_HMAC_SHA1_80', 'a=crypto:2 X inline:k KDR=1 WSH=64'),
    )!.media;
    expect(cryptoLinesOf(media!)).toMatchObject([
      { tag: '2', suite: 'X', sessionParameters: 'KDR=1 WSH=64' },
    ]);
  });

  it('a description with too many media lines is not parsed', () => {
    expect(readSession(plain() + 'm=audio 1 RTP/AVP 0\r\n'.repeat(20))).toBeUndefined();
  });
});

describe('payload types of an answer', () => {
  const media = (formats: string, ...lines: string[]) =>
    readSession(plain(...lines).replace('AVP 0 8 96', `AVP ${formats}`))!.media[0]!;
  const offered = media('0 96 101', 'a=rtpmap:96 opus/48000/2', 'a=rtpmap:101 telephone-event/8000');
  it('are matched by codec, crossed ones too', () => {
    const same = media('0 101', 'a=rtpmap:101 telephone-event/8000');
    expect(renumbering(same, offered).size).toBe(0);
    const crossed = media('101 96', 'a=rtpmap:101 opus/48000/2', 'a=rtpmap:96 telephone-event/8000');
    const numbers = renumbering(crossed, offered);
    expect([...numbers]).toEqual([
      ['101', '96'],
      ['96', '101'],
    ]);
    const sdp = 'm=audio 9 RTP/AVP 101 96\r\na=rtpmap:101 opus/48000/2\r\na=fmtp:96 0-15\r\na=rtcp:96\r\n';
    const renumbered = renumber(sdp, numbers);
    expect(renumbered).toBe(
      'm=audio 9 RTP/AVP 96 101\r\na=rtpmap:96 opus/48000/2\r\na=fmtp:101 0-15\r\na=rtcp:96\r\n',
    );
    expect(renumber(renumbered, inverse(numbers))).toBe(sdp);
  });
  it('of another clock are another codec', () => {
    expect(renumbering(media('97', 'a=rtpmap:97 telephone-event/48000'), offered).size).toBe(0);
  });
});

describe('a description for rtpengine', () => {
  it('has one audio line and nothing of the sender but what media needs', () => {
    const sdp = plain(
      'a=rtpmap:96 opus/48000/2',
      'a=fmtp:96 x=1;useinbandfec=1',
      'a=rtcp-mux',
      'a=candidate:1 1 UDP 1 10.0.0.1 9 typ host',
      'a=label:7',
      'a=ptime:20',
    )
      .replace('s=x', 's=Private PBX\r\ni=secret\r\nu=http://inside.example')
      .replace('t=0 0', 't=0 0\r\na=tool:x\r\na=group:BUNDLE 1');
    const session = readSession(sdp)!;
    const text = narrowed({ session, audio: session.media[0]! });
    expect(text).toBe(
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8 96\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:96 opus/48000/2\r\na=fmtp:96 useinbandfec=1\r\na=ptime:20\r\n',
    );
  });
});

describe('a local description', () => {
  const ours = plain('a=sendrecv');
  it('has a version that grows only with a change', () => {
    const local = new LocalDescription(77);
    const origin = (sdp: string): string => sdp.split('\r\n')[1]!;
    expect(origin(local.writeOffer(ours))).toBe('o=- 77 1 IN IP4 192.0.2.1');
    expect(origin(local.writeOffer(ours))).toBe('o=- 77 1 IN IP4 192.0.2.1');
    expect(origin(local.writeOffer(plain('a=sendonly')))).toBe('o=- 77 2 IN IP4 192.0.2.1');
  });
  it('answers with no direction that the offer forbids', () => {
    expect(new LocalDescription(1).writeAnswer(ours, layoutOf(readSession(ours)!, 0), 'sendonly')).toContain(
      'a=recvonly\r\n',
    );
  });
  it('answers every offered line at its position', () => {
    const offer = readSession(`${plain()}m=image 5000 udptl t38\r\n`)!;
    const answer = readSession(new LocalDescription(1).writeAnswer(ours, layoutOf(offer, 0), 'sendrecv'))!;
    expect(answer.media.map(({ lines }) => lines[0])).toEqual([
      'm=audio 4000 RTP/AVP 0 8 96',
      'm=image 0 udptl t38',
    ]);
  });
});
