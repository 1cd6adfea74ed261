import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { codecPolicySchema } from '../../../src/contract/number.js';
import { MediaSession } from '../../../src/edge/media/media-session.js';
import { callMovedParties } from '../../../src/edge/media/moved-parties.js';
import { RtpenginePool } from '../../../src/edge/media/rtpengine-pool.js';
import { readSession } from '../../../src/sdp/sdp.js';
import { until } from '../../../src/testkit/waiting.js';
import { describeEachBeside } from '../../support/side-by-side.js';
import { agentDescription } from './descriptions.js';
import { RtpengineProcess, releases } from './rtpengine-process.js';

describeEachBeside(releases)('rtpengine $release', ({ root, missing }) => {
  let rtpengine: RtpengineProcess;
  let pool: RtpenginePool;
  beforeAll(async () => {
    if (missing !== undefined) return;
    rtpengine = await RtpengineProcess.start(400, root);
    pool = new RtpenginePool({
      settings: { nodes: [rtpengine], timeoutMilliseconds: 3_000, pingMilliseconds: 3_600_000 },
      log: pino({ level: 'silent' }),
    });
    await pool.start();
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    await pool?.stop();
    await rtpengine?.stop();
  });

  const phones: LatchingPhone[] = [];
  afterEach(() => {
    for (const phone of phones.splice(0)) phone.stop();
  });

  /** Talks all the time, to where the last packet came from (RFC 4961), as Asterisk does with `rtp_symmetric`. */
  class LatchingPhone {
    heard = 0;
    /** Where it sends; port 9 takes nothing. */
    target = 9;
    isSilent = false;
    private sequence = 0;
    private readonly timer: NodeJS.Timeout;

    private constructor(private readonly socket: Socket) {
      phones.push(this);
      socket.on('message', (_, { port }) => {
        this.heard++;
        this.target = port;
      });
      this.timer = setInterval(() => this.send(), 20);
    }

    static async start(): Promise<LatchingPhone> {
      const socket = createSocket('udp4');
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      return new LatchingPhone(socket);
    }

    get port(): number {
      return this.socket.address().port;
    }

    private send(): void {
      if (this.isSilent) return;
      const packet = Buffer.alloc(172, 0x55);
      packet.writeUInt16BE(0x8000, 0);
      packet.writeUInt16BE(++this.sequence & 0xffff, 2);
      packet.writeUInt32BE(this.sequence * 160, 4);
      this.socket.send(packet, this.target, '127.0.0.1');
    }

    stop(): void {
      clearInterval(this.timer);
      this.socket.close();
    }
  }

  const portIn = (sdp: string): number => readSession(sdp)!.media[0]!.port;

  it('two parties that a late packet of the session before has drawn back hear each other in the new one', async () => {
    const [caller, callee] = [await LatchingPhone.start(), await LatchingPhone.start()];
    const media = new MediaSession('moved', pool, {
      codecs: codecPolicySchema.parse({}),
      isTrunkSecure: false,
    });
    const offer = await media.offer('trunk', agentDescription({ port: caller.port }));
    const answer = await media.answer(agentDescription({ port: callee.port }));
    expect([caller.target, callee.target]).toEqual([9, 9]);
    await callMovedParties(media);
    await until(() => caller.heard > 20 && callee.heard > 20, 3_000, 'both are heard');
    expect([caller.target, callee.target]).toEqual([portIn(answer), portIn(offer)]);
    await media.release();
  });

  it('a party whose media comes is not called, and one that says nothing a few times only', async () => {
    const [caller, listener] = [await LatchingPhone.start(), await LatchingPhone.start()];
    const media = new MediaSession('moved-silent', pool, {
      codecs: codecPolicySchema.parse({}),
      isTrunkSecure: false,
    });
    caller.target = portIn(await media.offer('trunk', agentDescription({ port: listener.port })));
    await media.answer(agentDescription({ port: caller.port }));
    listener.isSilent = true;
    // So that the listener hears only what rtpengine plays.
    await rtpengine.command('block media', { 'call-id': 'moved-silent', 'from-tag': 'agent' });
    await callMovedParties(media);
    await media.release();
    expect(caller.heard).toBe(0);
    // Seven rounds of five packets, and what came before the block.
    expect(listener.heard).toBeGreaterThan(0);
    expect(listener.heard).toBeLessThan(50);
  });
});
