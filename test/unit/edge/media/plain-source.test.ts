import { describe, expect, it } from 'vitest';
import type { NgReply } from '../../../../src/edge/media/ng-client.js';
import { type LearnedSource, PlainSource, withDirection } from '../../../../src/edge/media/plain-source.js';

const sdp = (address = '10.0.0.5', port = 4_000) =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0`,
    `a=rtcp:${port + 1}`,
    'a=sendrecv',
    '',
  ].join('\r\n');

/** What rtpengine reports of the trunk's stream. */
const reply = (address: string | undefined, packets: number | undefined, side = 'trunk'): NgReply =>
  ({
    tags: {
      [side]: {
        medias: [
          {
            streams: [
              { flags: ['RTCP'], endpoint: { address: '203.0.113.66', port: 1 }, stats: { packets: 99 } },
              {
                flags: ['RTP'],
                ...(address === undefined ? {} : { endpoint: { address, port: 7_000 } }),
                ...(packets === undefined ? {} : { stats: { packets } }),
              },
            ],
          },
        ],
      },
    },
  }) as unknown as NgReply;

const source = (learned?: LearnedSource) =>
  new PlainSource('trunk', (address) => address.startsWith('192.0.2.'), learned);

describe('the source of a side of plain RTP', () => {
  it('is learned with both directions off', () => {
    const trunk = source();
    expect([trunk.isOpen, trunk.known]).toEqual([false, undefined]);
    const command = trunk.command(sdp());
    expect(command.flags).toEqual(['strict-source', 'endpoint-learning-heuristic']);
    expect(command.sdp).toContain('a=inactive');
    expect(command.sdp).not.toContain('a=sendrecv');
    expect(trunk.isOpen).toBe(true);
    expect(trunk.ofOtherSide(sdp())).toContain('a=inactive');
  });

  it('is taken from the packets of its RTP stream, once there are some', () => {
    const trunk = source();
    trunk.command(sdp());
    expect(trunk.take(reply('192.0.2.7', 0))).toBe('silent');
    expect(trunk.take(reply('192.0.2.7', undefined))).toBe('silent');
    expect(trunk.take(reply(undefined, 5))).toBe('silent');
    expect(trunk.take(reply('192.0.2.7', 5, 'agent'))).toBe('silent');
    expect(trunk.take({} as NgReply)).toBe('silent');
    expect(trunk.known).toBeUndefined();
    expect(trunk.take(reply('192.0.2.7', 1))).toBe('learned');
    expect(trunk.known).toEqual({ described: '10.0.0.5 4000', address: '192.0.2.7', port: 7_000 });
  });

  it('is refused where the address is not allowed', () => {
    const trunk = source();
    trunk.command(sdp());
    expect(trunk.take(reply('203.0.113.1', 5))).toEqual({ refused: '203.0.113.1 port 7000' });
    expect(trunk.known).toBeUndefined();
  });

  it('replaces the described address as long as the description is the same', () => {
    const trunk = source({ described: '10.0.0.5 4000', address: '192.0.2.7', port: 7_000 });
    const same = trunk.command(sdp()).sdp;
    expect(same).toContain('c=IN IP4 192.0.2.7\r\n');
    expect(same).toContain('m=audio 7000 ');
    expect(same).not.toContain('a=rtcp:');
    expect(trunk.isOpen).toBe(false);
    expect(trunk.ofOtherSide(sdp())).toBe(sdp());
    expect(trunk.command(sdp('10.0.0.6')).sdp).toContain('a=inactive');
    expect(trunk.isOpen).toBe(true);
  });

  it('is described by its family', () => {
    const trunk = source({ described: '10.0.0.5 4000', address: '2001:db8::7', port: 7_000 });
    expect(trunk.command(sdp()).sdp).toContain('c=IN IP6 2001:db8::7\r\n');
  });

  it('is the described one after the learning was given up, until it is described otherwise', () => {
    const trunk = source();
    trunk.command(sdp());
    trunk.giveUp();
    expect(trunk.command(sdp()).sdp).toBe(sdp());
    expect(trunk.isOpen).toBe(false);
    expect(trunk.command(sdp('10.0.0.6')).sdp).toContain('a=inactive');
  });

  it('is not learned where the description has no audio', () => {
    const trunk = source();
    const text = 'v=0\r\no=- 1 1 IN IP4 10.0.0.5\r\ns=-\r\nc=IN IP4 10.0.0.5\r\nt=0 0\r\n';
    expect(trunk.command(text).sdp).toBe(text);
    expect(trunk.isOpen).toBe(false);
  });

  it('is at the discard port while it is parked, also if that fails', async () => {
    const trunk = source({ described: '10.0.0.5 4000', address: '192.0.2.7', port: 7_000 });
    await trunk.parked(async () => {
      const { sdp: parked } = trunk.command(sdp());
      expect(parked).toContain('m=audio 9 ');
      expect(parked).toContain('a=inactive');
      expect(trunk.ofOtherSide(sdp())).toContain('a=inactive');
    });
    await trunk.parked(() => Promise.reject(new Error('rtpengine is down'))).catch(() => {});
    expect(trunk.command(sdp()).sdp).toContain('m=audio 7000 ');
  });
});

it('a description gets one direction, with or without a line break at its end', () => {
  for (const text of ['m=audio 1 RTP/AVP 0\r\na=sendonly\r\n', 'm=audio 1 RTP/AVP 0'])
    expect(withDirection(text, 'recvonly')).toBe('m=audio 1 RTP/AVP 0\r\na=recvonly\r\n');
});
