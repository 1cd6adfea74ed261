import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { CodecPolicy } from '../../src/contract/number.js';
import { MediaSession } from '../../src/edge/media/media-session.js';
import { RtpenginePool } from '../../src/edge/media/rtpengine-pool.js';
import { encode, samplesPerPacket } from '../../src/rtp/g711.js';
import { readPacket } from '../../src/rtp/packet.js';
import { masterLength } from '../../src/rtp/srtp.js';
import { cryptoLinesOf, readSession } from '../../src/sdp/sdp.js';
import { RtpengineProcess, releases } from '../../test/contract/media/rtpengine-process.js';
import { CpuMeter, memoryOf } from './cpu.js';
import { type FlowCodec, MediaSide } from './media-flows.js';
import type { Options } from './options.js';
import { spoken } from './spoken.js';

type Voice = 'PCMU' | 'opus' | 'G722';

const voices: Readonly<Record<Voice, { payloadType: number; clockStep: number; lines: readonly string[] }>> =
  {
    PCMU: { payloadType: 0, clockStep: 160, lines: [] },
    opus: { payloadType: 96, clockStep: 960, lines: ['a=rtpmap:96 opus/48000/2'] },
    G722: { payloadType: 9, clockStep: 160, lines: [] },
  };

/** Codecs of the trunk, over SRTP, and of the agent, over RTP. */
const paths: readonly (readonly [trunk: Voice, agent: Voice])[] = [
  ['PCMU', 'PCMU'],
  ['G722', 'PCMU'],
  ['opus', 'PCMU'],
];
const settleSeconds = 1;
/** Above those of tests, for 2,000 calls. */
const mediaPorts = [57_000, 65_000] as const;
const text =
  'The quick brown fox jumps over the lazy dog. A voice agent answers this call, asks for a name, and repeats an order number, digit by digit, until both agree.';

interface Figures {
  readonly coreShare: number;
  readonly sent: number;
  readonly lost: number;
  readonly bad: number;
  readonly delays: readonly number[];
  readonly megabytes: number;
}

/**
 * `--media`: processor time, loss, delay and memory of rtpengine for concurrent calls, each release in turn, with the commands of the
 * edge. Both sides talk all the time: 100 packets a second in and 100 out for each call. The generator's work is not counted.
 */
export async function measureMedia(options: Options, print: (line: string) => void): Promise<void> {
  const speech = speechFrames();
  for (const { release, root, missing } of releases) {
    if (missing !== undefined) {
      print(`rtpengine ${release}: ${missing}`);
      continue;
    }
    for (const calls of options.media ?? [])
      for (const [trunk, agent] of paths) {
        const measured = await measurePath({ root, calls, trunk, agent, speech, seconds: options.seconds });
        print(lineOf(`rtpengine ${release}`, calls, trunk, agent, measured));
      }
  }
}

const percentile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);

function lineOf(name: string, calls: number, trunk: Voice, agent: Voice, figures: Figures): string {
  const { coreShare, sent, lost, bad, delays, megabytes } = figures;
  const sorted = delays.toSorted((first, second) => first - second);
  return (
    `${name.padEnd(14)} ${calls} calls, SRTP ${trunk} ↔ RTP ${agent}`.padEnd(48) +
    `  ${((100 * coreShare) / calls).toFixed(3)} % of a core a call (${Math.floor(calls / coreShare)} calls a core)` +
    `  lost ${lost} of ${sent}${bad === 0 ? '' : `, ${bad} not decrypted`}` +
    `  delay ${percentile(sorted, 0.5)}/${percentile(sorted, 0.99)} ms  ${megabytes.toFixed(0)} MB`
  );
}

interface Path {
  readonly root: string | undefined;
  readonly calls: number;
  readonly trunk: Voice;
  readonly agent: Voice;
  readonly speech: readonly Buffer[];
  readonly seconds: number;
}

async function measurePath({ root, calls, trunk, agent, speech, seconds }: Path): Promise<Figures> {
  const rtpengine = await RtpengineProcess.start(mediaPorts, root);
  const pool = new RtpenginePool({
    // The generator has no SIP connection that would prove its address, and one of its sides only listens.
    settings: { nodes: [rtpengine], timeoutMilliseconds: 5_000, unprovenMilliseconds: 3_600_000 },
    log: pino({ level: 'silent' }),
  });
  await pool.start();
  const sessions: MediaSession[] = [];
  const open = (secure: boolean): MediaSession => {
    const codecs: CodecPolicy = { order: [...new Set([agent, trunk])], transcode: trunk !== agent };
    const id = `bench-${randomBytes(6).toString('hex')}`;
    const session = new MediaSession(id, pool, { codecs, isTrunkSecure: secure });
    sessions.push(session);
    return session;
  };
  try {
    const frames = await framesOf(trunk, speech, () => open(false));
    const sides = {
      trunk: await MediaSide.open(codecOf(trunk, frames)),
      agent: await MediaSide.open(codecOf(agent, agent === 'PCMU' ? speech : frames)),
    };
    const flows: { port: number; keys: { sent: Buffer; received: Buffer } }[] = [];
    const agentPorts: number[] = [];
    for (let count = 0; count < calls; count++) {
      const session = open(true);
      const sent = randomBytes(masterLength);
      const offer = await session.offer('trunk', descriptionOf(sides.trunk.port, trunk, sent));
      const answer = await session.answer(descriptionOf(sides.agent.port, agent));
      agentPorts.push(audioIn(offer).port);
      const [crypto] = cryptoLinesOf(audioIn(answer));
      const received = Buffer.from(crypto!.keyParameters.replace(/^inline:/, ''), 'base64').subarray(
        0,
        masterLength,
      );
      flows.push({ port: audioIn(answer).port, keys: { sent, received } });
    }
    const length = seconds + settleSeconds;
    sides.trunk.join(flows, sides.agent, length);
    const plain = agentPorts.map((port) => ({ port }));
    sides.agent.join(plain, sides.trunk, length);
    const metered = [{ name: 'rtpengine', pid: rtpengine.pid! }];
    const talking = Promise.all([sides.trunk.talk(), sides.agent.talk()]);
    await sleep(settleSeconds * 1_000);
    const began = performance.now();
    const cpu = new CpuMeter(metered);
    for (const side of Object.values(sides)) side.measure();
    await talking;
    const spent = cpu.read().get('rtpengine') ?? 0;
    const lasted = performance.now() - began;
    const megabytes = memoryOf(metered).get('rtpengine')!;
    // What is on its way; release 26 fills the silence that follows.
    await sleep(60);
    const both = Object.values(sides).map(({ figures }) => figures);
    const total = (of: 'sent' | 'received' | 'bad'): number => both.reduce((sum, each) => sum + each[of], 0);
    const delays = [...sides.trunk.delays, ...sides.agent.delays];
    for (const side of Object.values(sides)) side.close();
    const sent = total('sent');
    return {
      coreShare: spent / lasted,
      sent,
      lost: Math.max(0, sent - total('received')),
      bad: total('bad'),
      delays,
      megabytes: megabytes.rss,
    };
  } finally {
    await Promise.all(sessions.map((session) => session.release()));
    await pool.stop();
    await rtpengine.stop();
  }
}

const codecOf = (voice: Voice, frames: readonly Buffer[]): FlowCodec => {
  const { payloadType, clockStep } = voices[voice];
  return { payloadType, clockStep, frames };
};

const audioIn = (sdp: string) => readSession(sdp)!.media[0]!;

/** @param key of SRTP; absent: plain RTP */
function descriptionOf(port: number, voice: Voice, key?: Buffer): string {
  const { payloadType, lines } = voices[voice];
  const crypto =
    key === undefined ? [] : [`a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key.toString('base64')}`];
  const profile = key === undefined ? 'RTP/AVP' : 'RTP/SAVP';
  const head = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
  // Without events rtpengine would decode the audio of all calls, so as to play digits as tones.
  const events = ['a=rtpmap:101 telephone-event/8000'];
  const audio = [`m=audio ${port} ${profile} ${payloadType} 101`, ...lines, ...events, ...crypto];
  return `${[...head, ...audio].join('\r\n')}\r\n`;
}

/** @throws Error with a text for the terminal */
function speechFrames(): Buffer[] {
  const samples = spoken(text, '--media');
  const frames: Buffer[] = [];
  for (let at = 0; at + samplesPerPacket <= samples.length; at += samplesPerPacket)
    frames.push(encode('PCMU', samples.subarray(at, at + samplesPerPacket)));
  return frames;
}

/** The speech in another codec, as rtpengine itself encodes it. */
async function framesOf(
  voice: Voice,
  speech: readonly Buffer[],
  open: () => MediaSession,
): Promise<readonly Buffer[]> {
  if (voice === 'PCMU') return speech;
  const listener = createSocket('udp4');
  listener.bind(0, '127.0.0.1');
  await once(listener, 'listening');
  const encoded: Buffer[] = [];
  const { payloadType } = voices[voice];
  listener.on('message', (packet) => {
    const read = readPacket(packet);
    if (read?.payloadType === payloadType) encoded.push(Buffer.from(read.payload));
  });
  const session = open();
  const speaker = await MediaSide.open(codecOf('PCMU', speech));
  const offer = await session.offer('trunk', descriptionOf(listener.address().port, voice));
  await session.answer(descriptionOf(speaker.port, 'PCMU'));
  speaker.join([{ port: audioIn(offer).port }], speaker, speech.length / 50);
  await speaker.talk();
  await sleep(200);
  speaker.close();
  listener.close();
  await session.release();
  if (encoded.length < speech.length / 2)
    throw new Error(`rtpengine encoded only ${encoded.length} frames of ${voice}.`);
  return encoded;
}
