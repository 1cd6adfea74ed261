import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { codecPolicySchema } from '../../../src/contract/number.js';
import { MediaRefused } from '../../../src/edge/media/media-refused.js';
import { MediaSession, type MediaSessionOptions } from '../../../src/edge/media/media-session.js';
import { RtpenginePool } from '../../../src/edge/media/rtpengine-pool.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { SrtpContext } from '../../../src/rtp/srtp.js';
import { readSession } from '../../../src/sdp/sdp.js';
import { until } from '../../../src/testkit/waiting.js';
import { describeEachBeside } from '../../support/side-by-side.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { agentDescription, keyLine, trunkDescription, trunkKey } from './descriptions.js';
import { RtpengineProcess, releases } from './rtpengine-process.js';

describeEachBeside(releases)('an address in a description, at rtpengine $release', ({ root, missing }) => {
  let rtpengine: RtpengineProcess;
  let pool: RtpenginePool;
  let allowPrivate = true;
  let counter = 0;
  const sockets: Socket[] = [];
  const sessions: MediaSession[] = [];
  const timers: NodeJS.Timeout[] = [];
  afterEach(async () => {
    allowPrivate = true;
    for (const timer of timers.splice(0)) clearInterval(timer);
    await Promise.all(sessions.splice(0).map((session) => session.release()));
    for (const socket of sockets.splice(0)) socket.close();
  });

  /** Over a connection from this host. */
  const signaling = {
    sourceAddress: '127.0.0.1',
    isPeerAddress: (address: string): boolean => address === '127.0.0.1',
  };

  /** With a trunk of plain RTP, whose packets a test can make. */
  function plainSession(options: Partial<MediaSessionOptions> = {}): MediaSession {
    const session = new MediaSession(`reflection-${++counter}`, pool, {
      codecs: codecPolicySchema.parse({}),
      isTrunkSecure: false,
      ...options,
    });
    sessions.push(session);
    return session;
  }

  async function socketOn(host = '127.0.0.1'): Promise<Socket & { heard: number; heardAt: number }> {
    const socket = Object.assign(createSocket('udp4'), { heard: 0, heardAt: 0 });
    socket.bind(0, host);
    await once(socket, 'listening');
    socket.on('message', () => {
      socket.heard++;
      socket.heardAt = performance.now();
    });
    sockets.push(socket);
    return socket;
  }

  /** Resolves when media to the socket has stopped, which a machine that is stalled for a moment does not mean. */
  const isBlocked = (socket: { heard: number; heardAt: number }): Promise<void> =>
    until(() => socket.heard > 0 && performance.now() - socket.heardAt > 1_500, 5_000, 'the block');

  /** Packets of the time until a block: 300 ms, and as long for the command. */
  const mostUntilBlock = (watch: Stopwatch): number => watch.bound(600) / 20;

  const portIn = (sdp: string): number => readSession(sdp)!.media[0]!.port;

  /** Fifty packets a second, as a voice agent sends them. */
  function talk(from: Socket, port: number, write = (packet: Buffer): Buffer => packet): void {
    let sequence = 0;
    timers.push(
      setInterval(() => {
        const packet = Buffer.alloc(172, 0x55);
        packet.writeUInt16BE(0x8000, 0);
        packet.writeUInt16BE(++sequence & 0xffff, 2);
        packet.writeUInt32BE(sequence * 160, 4);
        from.send(write(packet), port, '127.0.0.1');
      }, 20),
    );
  }

  beforeAll(async () => {
    if (missing !== undefined) return;
    rtpengine = await RtpengineProcess.start(400, root);
    pool = new RtpenginePool({
      settings: {
        nodes: [rtpengine],
        timeoutMilliseconds: 3_000,
        pingMilliseconds: 3_600_000,
        unprovenMilliseconds: 300,
      },
      log: pino({ level: 'silent' }),
      egress: {
        problemOf: (target) =>
          new EgressPolicy({ allowPrivate, privateNetworks: ['127.0.0.1'] }).problemOf(target),
      },
    });
    await pool.start();
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    if (missing !== undefined) return;
    await pool?.stop();
    await rtpengine?.stop();
  });

  it('gets media for a moment only until it sends, and all of it from then on', async () => {
    const [agent, victim] = [await socketOn(), await socketOn('127.0.0.9')];
    const media = plainSession();
    const offer = await media.offer(
      'trunk',
      agentDescription({ host: '127.0.0.9', port: victim.address().port }),
    );
    const answer = await media.answer(agentDescription({ port: agent.address().port }));
    const watch = Stopwatch.start();
    talk(agent, portIn(offer));
    await isBlocked(victim);
    const before = victim.heard;
    expect(before).toBeLessThanOrEqual(mostUntilBlock(watch));
    await stays(() => expect(victim.heard).toBe(before), 1_000);
    // It was no victim, but a phone that waits for the other side.
    talk(victim, portIn(answer));
    await until(() => victim.heard > before + 20, 3_000, 'media is heard');
  });

  it('has to send again when a re-INVITE names it', async () => {
    const [agent, phone, victim] = [await socketOn(), await socketOn(), await socketOn('127.0.0.9')];
    const media = plainSession();
    const offer = await media.offer('trunk', agentDescription({ port: phone.address().port }));
    const answer = await media.answer(agentDescription({ port: agent.address().port }));
    talk(phone, portIn(answer));
    talk(agent, portIn(offer));
    await until(() => phone.heard > 40, 3_000, 'media is heard beyond the bound');
    for (const timer of timers.splice(0, 1)) clearInterval(timer);
    const watch = Stopwatch.start();
    const moved = await media.offer(
      'trunk',
      agentDescription({ host: '127.0.0.9', port: victim.address().port, version: 2 }),
    );
    await media.answer(agentDescription({ port: agent.address().port, version: 2 }));
    // 26 has another port for another address.
    if (portIn(moved) !== portIn(offer)) talk(agent, portIn(moved));
    await isBlocked(victim);
    const { heard } = victim;
    expect(heard).toBeLessThanOrEqual(mostUntilBlock(watch));
    await stays(() => expect(victim.heard).toBe(heard), 500);
  });

  it.each(['SRTP', 'plain RTP'])(
    'keeps its media while a stranger floods the port of its %s',
    async (kind) => {
      const [agent, phone, stranger] = [await socketOn(), await socketOn(), await socketOn('127.0.0.9')];
      const isSecure = kind === 'SRTP';
      const media = plainSession({ isTrunkSecure: isSecure });
      const describe = isSecure ? trunkDescription : agentDescription;
      const offer = await media.offer('trunk', describe({ port: phone.address().port }));
      const answer = await media.answer(agentDescription({ port: agent.address().port }));
      const garbage = Buffer.alloc(172, 0x80);
      for (let count = 0; count < 200; count++) stranger.send(garbage, portIn(answer), '127.0.0.1');
      talk(agent, portIn(offer));
      const keys = new SrtpContext(Buffer.from(trunkKey, 'base64'));
      talk(phone, portIn(answer), (packet) => (isSecure ? keys.protect(packet) : packet));
      talk(stranger, portIn(answer), () => garbage);
      await until(() => phone.heard > 60, 3_000, 'the caller hears the agent beyond the bound');
      await until(() => agent.heard > 20, 2_000, 'the agent hears the caller');
      expect(stranger.heard).toBe(0);
      const ended = await media.release();
      // Of the first ones, the kernel drops what does not fit in the socket of a busy rtpengine.
      expect(ended?.trunk?.errors).toBeGreaterThan(40);
      expect(ended?.agent?.packets_sent).toBe(ended?.trunk?.packets_received);
    },
  );

  it('from which the signaling comes over a connection gets media at once', async () => {
    const [agent, phone] = [await socketOn(), await socketOn()];
    const media = plainSession({ signaling });
    const offer = await media.offer('trunk', agentDescription({ port: phone.address().port }));
    await media.answer(agentDescription({ port: agent.address().port }));
    talk(agent, portIn(offer));
    await until(() => phone.heard > 60, 4_000, 'a caller who only listens hears the agent');
  });

  it('of such a party is as good in the session that it is moved to', async () => {
    const [agent, phone] = [await socketOn(), await socketOn()];
    const before = plainSession({ signaling });
    const media = plainSession({ parties: { trunk: before.partyOf('trunk') } });
    const offer = await media.offer('trunk', agentDescription({ port: phone.address().port }));
    await media.answer(agentDescription({ port: agent.address().port }));
    talk(agent, portIn(offer));
    await until(() => phone.heard > 60, 4_000, 'a caller who only listens hears the agent');
  });

  const hosts = ['127.0.0.5', '10.0.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '255.255.255.255'];
  it.each(hosts)('%s is refused from outside in offers and answers, unless it is allowed', async (host) => {
    allowPrivate = false;
    const secure = new MediaSession(`reflection-${++counter}`, pool, { codecs: codecPolicySchema.parse({}) });
    sessions.push(secure);
    const refusal = await secure.offer('trunk', trunkDescription({ host })).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MediaRefused);
    expect((refusal as MediaRefused).warning).toMatch(/^301 .*c= is not allowed/);
    const offer = await secure.offer('agent', agentDescription({ host: '127.0.0.1' }));
    await expect(secure.answer(trunkDescription({ host, crypto: [keyLine(offer)] }))).rejects.toThrow(host);
    allowPrivate = true;
    const allowed = secure.answer(trunkDescription({ host, crypto: [keyLine(offer)] }));
    if (host === '255.255.255.255') await expect(allowed).rejects.toBeInstanceOf(MediaRefused);
    else await allowed;
  });

  it('is judged for an agent when a customer named the agent', async () => {
    allowPrivate = false;
    const answered = async (isForeign: boolean): Promise<string> => {
      const media = new MediaSession(`reflection-${++counter}`, pool, {
        codecs: codecPolicySchema.parse({}),
        parties: { agent: { profile: 'RTP/AVP', isForeign } },
      });
      sessions.push(media);
      await media.offer('trunk', trunkDescription({ host: '127.0.0.1' }));
      return media.answer(agentDescription({ host: '10.0.0.1' }));
    };
    await expect(answered(true)).rejects.toThrow('10.0.0.1');
    await answered(false);
  });

  it('of nowhere is a hold, and allowed', async () => {
    allowPrivate = false;
    await plainSession().offer('trunk', agentDescription({ host: '0.0.0.0' }));
  });
});
