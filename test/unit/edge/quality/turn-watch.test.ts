import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MediaSession } from '../../../../src/edge/media/media-session.js';
import { MediaTap } from '../../../../src/edge/media/media-tap.js';
import { type MeasuredCall, TurnWatch } from '../../../../src/edge/quality/turn-watch.js';
import { type RtpPacket, writePacket } from '../../../../src/rtp/packet.js';
import { readSession } from '../../../../src/sdp/sdp.js';
import { until } from '../../../../src/testkit/waiting.js';

/** rtpengine's side of a copy: two sockets, one for each party. */
class CopyDouble {
  readonly demands: { command: string; parameters: Record<string, unknown> }[] = [];
  ends = 0;
  isRefused = false;
  /** How the copy is described; undefined: as it is. */
  described: string | undefined;
  readonly audio = {
    isOnHold: false,
    hasRecentDigits: false,
    endCopies: async () => {
      this.ends++;
    },
  };
  sideCodecs = { trunk: 'PCMU', agent: 'PCMA' };
  id = 'session-1';
  isFlowing = true;
  localAddress: string | undefined = '127.0.0.1';

  private constructor(readonly sockets: readonly [trunk: Socket, agent: Socket]) {}

  static async open(): Promise<CopyDouble> {
    const sockets = [createSocket('udp4'), createSocket('udp4')] as const;
    for (const socket of sockets) {
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
    }
    return new CopyDouble(sockets);
  }

  get asSession(): MediaSession {
    return this as unknown as MediaSession;
  }

  async demand(command: string, parameters: Record<string, unknown>): Promise<{ sdp?: string }> {
    this.demands.push({ command, parameters });
    if (this.isRefused) throw new Error('refused');
    if (command !== 'subscribe request') return {};
    const [trunk, agent] = this.sockets.map((socket) => socket.address().port);
    const sdp =
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n' +
      `m=audio ${trunk} RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\na=sendonly\r\n` +
      `m=audio ${agent} RTP/AVP 8\r\na=rtpmap:8 PCMA/8000\r\na=sendonly\r\n`;
    return { sdp: this.described ?? sdp };
  }

  /** What the copies are to be sent to. */
  get ports(): number[] {
    const answer = this.demands.findLast(({ command }) => command === 'subscribe answer')!;
    return readSession(String(answer.parameters.sdp))!.media.map(({ port }) => port);
  }

  send(side: 'trunk' | 'agent', payloadType: number, sequence = 1, from = side): void {
    const socket = this.sockets[from === 'trunk' ? 0 : 1];
    const packet = { payloadType, sequence, isMarked: false, timestamp: 160 * sequence, source: 1 };
    const octets = writePacket({ ...packet, payload: Buffer.alloc(160, sequence) });
    socket.send(octets, this.ports[side === 'trunk' ? 0 : 1]!, '127.0.0.1');
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
  }
}

let session: CopyDouble;
beforeEach(async () => {
  session = await CopyDouble.open();
});
afterEach(() => session.close());

describe('a copy of a session’s audio', () => {
  const listener = () => {
    const heard: [side: string, sequence: number][] = [];
    return {
      heard,
      packet: (side: string, packet: RtpPacket) => void heard.push([side, packet.sequence]),
    };
  };
  const open = (taker = listener()) => MediaTap.open(session.asSession, '127.0.0.1', taker);

  it('brings what each side sends in its codec, and nothing of other senders', async () => {
    const taker = listener();
    const tap = await open(taker);
    expect(tap.codecs).toEqual({ trunk: 'PCMU', agent: 'PCMA' });
    expect(session.demands.map(({ command }) => command)).toEqual(['subscribe request', 'subscribe answer']);
    expect(session.demands[0]!.parameters).not.toHaveProperty('codec');
    expect(session.demands[1]!.parameters).not.toHaveProperty('flags');
    const sdp = String(session.demands[1]!.parameters.sdp);
    expect(sdp).toContain('c=IN IP4 127.0.0.1\r\n');
    expect(sdp).toContain('RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101');
    expect(sdp).toContain('a=fmtp:101 0-15\r\na=recvonly\r\n');
    expect(sdp).not.toContain('sendonly');
    // Events, another codec, and the other side's port.
    session.send('trunk', 101, 1);
    session.send('agent', 0, 2);
    session.send('trunk', 0, 3, 'agent');
    session.send('trunk', 0, 4);
    session.send('agent', 8, 5);
    await until(() => taker.heard.length === 2, 10_000, 'both packets');
    expect(taker.heard.sort()).toEqual([
      ['agent', 5],
      ['trunk', 4],
    ]);
    await tap.close();
    expect(session.ends).toBe(1);
  });

  it('is shared by all who take it, and ends with the last of them', async () => {
    const [first, second] = [listener(), listener()];
    const taps = await Promise.all([open(first), open(second)]);
    expect(session.demands).toHaveLength(2);
    session.send('trunk', 0);
    await until(() => first.heard.length === 1 && second.heard.length === 1, 10_000, 'both copies');
    await taps[0]!.close();
    expect(session.ends).toBe(0);
    session.send('trunk', 0, 2);
    await until(() => second.heard.length === 2, 10_000, 'the copy that is left');
    expect(first.heard).toHaveLength(1);
    await taps[1]!.close();
    expect(session.ends).toBe(1);
    await (await open()).close();
    expect([session.demands.length, session.ends]).toEqual([4, 2]);
  });

  it('is refused with other codecs while the one before has not ended', async () => {
    const tap = await open();
    session.sideCodecs = { trunk: 'PCMA', agent: 'PCMA' };
    await expect(open()).rejects.toThrow('has not ended yet');
    await tap.close();
    await (await open()).close();
  });

  it.each([
    ['trunk', { trunk: 'opus', agent: 'PCMU' }],
    ['agent', { trunk: 'PCMU', agent: 'G722' }],
  ])('is converted by rtpengine where the %s has another codec', async (_side, codecs) => {
    session.sideCodecs = codecs;
    await (await open()).close();
    const [asked, answered] = session.demands;
    expect(asked!.parameters.codec).toEqual({ strip: ['all'], transcode: ['PCMU'] });
    expect(answered!.parameters.flags).toEqual(['allow-transcoding']);
  });

  const audio = 'm=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n';
  const head = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n';
  it.each([
    ['nothing', '', 'described no copy'],
    ['one side', head + audio, 'described no copy'],
    ['no G.711', `${head}${audio}m=audio 4002 RTP/AVP 9\r\na=rtpmap:9 G722/8000\r\n`, 'offered no G.711'],
  ])('fails where rtpengine describes %s, and is ended there', async (_what, sdp, text) => {
    session.described = sdp;
    await expect(open()).rejects.toThrow(text);
    expect(session.ends).toBe(1);
  });
});

describe('the turns of a call', () => {
  let watch: TurnWatch;
  let call: MeasuredCall & {
    hasEnded: boolean;
    state: { answeredAt: number | null; newParties: { agent: boolean } };
  };
  beforeEach(() => {
    // Rounds come from the tests alone, also where one takes longer than a tenth of a second.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    watch = new TurnWatch(pino({ level: 'silent' }));
    call = {
      state: { startedAt: Date.now() - 5_000, answeredAt: Date.now(), newParties: { agent: false } },
      hasEnded: false,
      media: session.asSession,
      turns: undefined,
    };
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await watch.stop();
    vi.useRealTimers();
  });
  const measured = (): Promise<void> => until(() => call.turns !== undefined, 10_000, 'the measurement');

  it('are measured while it is watched, and again later', async () => {
    watch.looked(call);
    expect(watch.size).toBe(1);
    watch.looked(call);
    await measured();
    expect(session.demands).toHaveLength(2);
    watch.tick();
    expect(watch.size).toBe(1);
    const at = performance.now();
    const now = vi.spyOn(performance, 'now');
    now.mockReturnValue(at + 10_000);
    watch.tick();
    watch.looked(call);
    now.mockReturnValue(at + 20_000);
    watch.tick();
    expect(watch.size).toBe(1);
    now.mockReturnValue(at + 26_000);
    watch.tick();
    expect(watch.size).toBe(0);
    now.mockRestore();
    await until(() => session.ends === 1, 10_000, 'the end of the copy');
    const { turns } = call;
    watch.looked(call);
    await until(() => session.demands.length === 4, 10_000, 'the next copy');
    expect(call.turns).toBe(turns);
  });

  it.each([
    ['has ended', () => (call.hasEnded = true)],
    ['is not answered', () => (call.state.answeredAt = null)],
    ['has another party in place of the agent', () => (call.state.newParties.agent = true)],
    ['has no audio yet', () => (session.isFlowing = false)],
    ['just had digits', () => (session.audio.hasRecentDigits = true)],
  ])('are not measured where it %s', async (_why, change) => {
    watch.looked(call);
    await measured();
    change();
    watch.tick();
    expect(watch.size).toBe(0);
    watch.looked(call);
    expect(watch.size).toBe(0);
  });

  it('are not measured where rtpengine is not reached from here', () => {
    session.localAddress = undefined;
    watch.looked(call);
    expect(watch.size).toBe(0);
  });

  it('are measured by another copy with other codecs', async () => {
    watch.looked(call);
    await measured();
    session.sideCodecs = { trunk: 'PCMA', agent: 'PCMA' };
    watch.tick();
    expect(watch.size).toBe(0);
    await until(() => session.ends === 1, 10_000, 'the end of the copy');
    watch.looked(call);
    expect(watch.size).toBe(1);
  });

  it('are heard, but not on hold', async () => {
    watch.looked(call);
    await measured();
    const packet = vi.spyOn(call.turns!.meter, 'packet');
    const interrupt = vi.spyOn(call.turns!.meter, 'interrupt');
    const advance = vi.spyOn(call.turns!.meter, 'advance');
    session.send('trunk', 0);
    await until(() => packet.mock.calls.length === 1, 10_000, 'the packet');
    watch.tick();
    expect([interrupt.mock.calls.length, advance.mock.calls.length]).toEqual([0, 1]);
    session.audio.isOnHold = true;
    const heard: number[] = [];
    const tap = await MediaTap.open(session.asSession, '127.0.0.1', {
      packet: (_side, { sequence }) => void heard.push(sequence),
    });
    session.send('trunk', 0, 2);
    await until(() => heard.includes(2), 10_000, 'the packet on hold');
    await tap.close();
    watch.tick();
    expect([interrupt.mock.calls.length, advance.mock.calls.length]).toEqual([1, 1]);
    session.audio.isOnHold = false;
    session.send('agent', 8, 3);
    await until(() => packet.mock.calls.some(([side]) => side === 'agent'), 10_000, 'the agent');
    expect(packet).toHaveBeenCalledTimes(2);
  });

  it('are not measured where the copy fails, nor once it stops; both leave nothing open', async () => {
    session.isRefused = true;
    watch.looked(call);
    await until(() => session.ends === 1, 10_000, 'the end of the attempt');
    expect([watch.size, call.turns]).toEqual([1, undefined]);
    session.isRefused = false;
    watch.looked(call);
    await watch.stop();
    expect(watch.size).toBe(0);
    watch.looked(call);
    expect([watch.size, session.demands.length]).toEqual([0, 1]);
  });

  it('close a copy that opens when they are not measured any more', async () => {
    watch.looked(call);
    call.hasEnded = true;
    watch.tick();
    expect(watch.size).toBe(0);
    await until(() => session.ends === 1, 10_000, 'the end of the copy');
    expect(call.turns).toBeUndefined();
  });

  it('are measured in twenty calls at once', () => {
    session.demand = () => new Promise(() => {});
    for (let count = 0; count < 25; count++) watch.looked({ ...call });
    expect(watch.size).toBe(20);
    watch = new TurnWatch(pino({ level: 'silent' }));
  });
});
