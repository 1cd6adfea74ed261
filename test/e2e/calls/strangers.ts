import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Baresip } from '../../../dev/softphone/baresip.js';
import type { NgReply } from '../../../src/edge/media/ng-client.js';
import { until } from '../../../src/testkit/waiting.js';
import { stays } from '../../support/stays.js';
import { waitForAudioBothWays } from '../hearing.js';
import type { Stack } from '../stack.js';

let stack: Stack;

interface Sessions extends NgReply {
  readonly tags?: Record<string, { medias?: { streams?: { 'local port'?: number }[] }[] }>;
}

/** An attacker that found a media port of the edge and sends RTP to it, 50 packets per second. */
class Stranger {
  received = 0;
  sent = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly socket: Socket,
    port: number,
  ) {
    socket.on('message', () => {
      this.received += 1;
    });
    this.timer = setInterval(() => {
      const packet = Buffer.alloc(172, 0x55);
      packet.writeUInt16BE(0x8000, 0);
      packet.writeUInt16BE(this.sent & 0xffff, 2);
      packet.writeUInt32BE(this.sent * 160, 4);
      packet.writeUInt32BE(0xbad5eed, 8);
      this.sent += 1;
      socket.send(packet, port, '127.0.0.1');
    }, 20);
  }

  static async begin(port: number): Promise<Stranger> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new Stranger(socket, port);
  }

  end(): void {
    clearInterval(this.timer);
    this.socket.close();
  }
}

/** The edge's media port towards one side of the only call. */
async function mediaPort(side: 'trunk' | 'agent'): Promise<number> {
  const [rtpengine] = stack.rtpengines;
  const [session] = await rtpengine!.sessions();
  const { tags } = (await rtpengine!.command('query', { 'call-id': session })) as Sessions;
  const port = tags?.[side]?.medias?.[0]?.streams?.[0]?.['local port'];
  if (port === undefined) throw new Error(`No media port towards the ${side}: ${JSON.stringify(tags)}`);
  return port;
}

/** Each change of the stream's source that the phone noticed. */
const sourceChanges = (phone: Baresip): number => phone.output.split('SSRC changed').length - 1;

export function mediaOfStrangers(stage: () => Stack): void {
  describe('a call with media of strangers', () => {
    beforeAll(() => {
      stack = stage();
    });

    afterEach(() => stack.endTest());

    describe('RTP from another source to a call’s media port', () => {
      it.each(['agent', 'trunk'] as const)('towards the %s is neither heard nor answered', async (side) => {
        const number = await stack.number();
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        const stranger = await Stranger.begin(await mediaPort(side));
        try {
          await waitForAudioBothWays(phone, 0.5);
          await until(() => stranger.sent > 100, 20_000, 'packets of the stranger');
          await stays(() => expect(stranger.received).toBe(0), 100);
        } finally {
          stranger.end();
        }
        expect(sourceChanges(phone)).toBe(0);
        await phone.hangup();
        expect((await stack.recordOf(number)).outcome).toBe('completed');
      });
    });
  });
}
