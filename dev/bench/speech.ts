import { execFileSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CodecPolicy } from '../../src/contract/number.js';
import { levelOf, likeness, median } from '../../test/contract/media/heard-speech.js';
import { releases } from '../../test/contract/media/rtpengine-process.js';
import { Asterisk } from '../../test/e2e/asterisk.js';
import {
  type AsteriskFolders,
  agentSideAddress,
  asteriskConfiguration,
} from '../../test/e2e/asterisk-configuration.js';
import { edgeAddress, Stack } from '../../test/e2e/stack.js';
import { TestAuthority } from '../../test/support/certificates.js';
import { withoutNewerPrograms } from '../../test/support/newer-programs.js';
import { realTime } from '../../test/support/real-time.js';
import type { Sound } from '../softphone/wav.js';
import { spoken } from './spoken.js';

type CodecName = CodecPolicy['order'][number];

/** By the names that Asterisk has for them. */
const codecs = { ulaw: 'PCMU', alaw: 'PCMA', g722: 'G722', opus: 'opus' } as const satisfies Readonly<
  Record<string, CodecName>
>;
type AsteriskCodec = keyof typeof codecs;
const names = Object.keys(codecs) as AsteriskCodec[];

const lossPercent = 5;
const rate = 8_000;
/** What is on its way when the last word has been said. */
const onItsWayMilliseconds = 700;
const likeEnough = 0.9;
const texts = {
  agent:
    'The quick brown fox jumps over the lazy dog. A voice agent answers this call, asks for a name, and repeats an order number, digit by digit, until both agree.',
  trunk:
    'Good morning, I would like to move my appointment from Tuesday to the end of next week. Either in the early afternoon or on Friday, whatever you have left.',
} as const;

interface Figures {
  /** Of the spoken fifths of a second: the median correlation with what was said, and the share of those above 0.9. */
  readonly likeness: number;
  readonly whole: number;
  /** Milliseconds, from mouth to ear, both in Asterisk. */
  readonly delay: number;
  readonly drift: number;
  readonly decibels: number;
}

/**
 * `--speech`: Asterisk is the carrier and the agent of a call through Demarc, and says speech of espeak-ng at both ends, while a twentieth of the
 * packets that rtpengine should receive are lost; for each pair of codecs and each release, how like the original it was heard.
 * Requires a network namespace (`unshare --net`), whose loopback interface loses packets.
 */
export async function measureSpeech(isRealTime: boolean, print: (line: string) => void): Promise<void> {
  if (withoutNewerPrograms !== undefined) throw new Error(`--speech: ${withoutNewerPrograms}`);
  if (Object.keys(networkInterfaces()).length > 0)
    throw new Error('--speech drops packets and requires a network namespace: start it by npm run bench.');
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  const said = { agent: spoken(texts.agent, '--speech'), trunk: spoken(texts.trunk, '--speech') };
  for (const { release, root } of releases) {
    const stack = await Stack.start({ rtpengineRoot: root });
    const authority = await TestAuthority.create();
    try {
      await measureRelease({ stack, authority, said, release, isRealTime, print });
    } finally {
      authority.remove();
      await stack.stop();
    }
  }
}

interface Setting {
  readonly stack: Stack;
  readonly authority: TestAuthority;
  readonly said: Readonly<Record<'agent' | 'trunk', Int16Array>>;
  readonly release: string;
  readonly isRealTime: boolean;
  readonly print: (line: string) => void;
}

async function measureRelease(setting: Setting): Promise<void> {
  const { stack, authority, said, release, isRealTime, print } = setting;
  const asterisk = await Asterisk.start(
    {
      certificate: await authority.issue('pbx'),
      trusted: stack.authority.ca,
      demarcPort: stack.tlsPort,
      demarcAgentSide: { host: edgeAddress, port: stack.agentSidePort },
      user: 'demarc-trunk',
      password: 'correct-horse-battery',
    },
    endpointOfEachPair,
  );
  const [rtpengine] = stack.rtpengines;
  loseOn(rtpengine!.rtpPorts);
  const end = isRealTime ? realTime([process.pid, rtpengine!.pid!, asterisk.pid!]) : () => {};
  if (typeof end === 'string') throw new Error(`--real-time: ${end}`);
  try {
    for (const trunk of names) {
      const calls = names.map((agent, at) => callOf(setting, asterisk, { trunk, agent, at }));
      // Working out the figures would delay the speech of calls that still talk.
      for (const { pair, heard } of await Promise.all(calls))
        print(
          `rtpengine ${release.padEnd(4)}  trunk ${codecs[pair.trunk].padEnd(4)}  agent ${codecs[pair.agent].padEnd(4)}` +
            `  the trunk hears ${textOf(figuresOf(heard.trunk, said.agent))}` +
            `  the agent hears ${textOf(figuresOf(heard.agent, said.trunk))}`,
        );
    }
  } finally {
    end();
    await asterisk.stop();
  }
}

interface Pair {
  readonly trunk: AsteriskCodec;
  readonly agent: AsteriskCodec;
  /** Of the calls at the same time. */
  readonly at: number;
}

async function callOf({ stack, said }: Setting, asterisk: Asterisk, pair: Pair) {
  const { trunk, agent, at } = pair;
  const extensions = { agent: `1${at}01`, trunk: `1${at}02` };
  const number = await stack.number({
    inbound: {
      agent_uri: `sip:${extensions.agent}@${agentSideAddress}:${asterisk.ports.agent};transport=tcp`,
    },
    codecs: { order: [...new Set([codecs[trunk], codecs[agent]])], transcode: true },
  });
  await asterisk.call(`${number}@${nameOf(trunk, agent)}`, extensions.trunk);
  const lines = {
    agent: await asterisk.line(extensions.agent),
    trunk: await asterisk.line(extensions.trunk),
  };
  // The first packets of a call wake buffers and encoders.
  await sleep(1_000);
  for (const side of ['agent', 'trunk'] as const) {
    lines[side].forget();
    lines[side].speak(said[side]);
  }
  await sleep((1_000 * Math.max(said.agent.length, said.trunk.length)) / rate + onItsWayMilliseconds);
  const heard = { trunk: lines.trunk.played, agent: lines.agent.played };
  lines.trunk.hangUp();
  await lines.agent.waitForEnd();
  const { media } = await stack.recordOf(number);
  if (media?.trunk_codec !== codecs[trunk] || media.agent_codec !== codecs[agent])
    throw new Error(`The call had ${media?.trunk_codec} and ${media?.agent_codec}.`);
  return { pair, heard };
}

function figuresOf(heard: Sound, said: Int16Array): Figures {
  const samples = Int16Array.from(heard.samples, (sample) => Math.round(32_768 * sample));
  const { values, lag, drift } = likeness(said, samples);
  return {
    likeness: median(values),
    whole: values.filter((value) => value >= likeEnough).length / values.length,
    delay: lag,
    drift,
    decibels: 20 * Math.log10(levelOf(samples.subarray(0, said.length)) / levelOf(said)),
  };
}

const textOf = ({ likeness: like, whole, delay, drift, decibels }: Figures): string =>
  `${like.toFixed(2)} (${(100 * whole).toFixed(0).padStart(3)} % ≥ ${likeEnough}), ` +
  `delay ${delay.toFixed(0).padStart(3)} ms, drift ${drift.toFixed(0).padStart(4)} ms, ${decibels.toFixed(1).padStart(4)} dB`;

const nameOf = (trunk: AsteriskCodec, agent: AsteriskCodec): string => `${trunk}-at-${agent}`;

/** The user of the From header, which the edge passes on, chooses the agent's endpoint, and so its codec. */
function endpointOfEachPair(folders: AsteriskFolders): Record<string, string | Buffer> {
  const files = asteriskConfiguration(folders);
  const common =
    'type=endpoint\ncontext=calls\ndisallow=all\nbind_rtp_to_media_address=yes\ndirect_media=no\n';
  const trunks = names.flatMap((trunk) =>
    names.map(
      (agent) =>
        `[${nameOf(trunk, agent)}]\n${common}transport=tls\naors=demarc\nfrom_user=agent-${agent}\n` +
        `allow=${trunk}\nmedia_encryption=sdes\nmedia_address=127.0.0.1\n`,
    ),
  );
  const agents = names.map(
    (agent) =>
      `[agent-${agent}]\n${common}transport=agents\naors=agents\nallow=${agent}\nmedia_address=${agentSideAddress}\n`,
  );
  files['pjsip.conf'] = [files['pjsip.conf'], ...trunks, ...agents].join('\n');
  return files;
}

/** Before rtpengine gets them: a receiver's concealment is not what is measured. */
function loseOn([low, high]: readonly [number, number]): void {
  const rule = ['-p', 'udp', '--dport', `${low}:${high}`, '-j', 'DROP'];
  const chance = ['-m', 'statistic', '--mode', 'random', '--probability', String(lossPercent / 100)];
  execFileSync('iptables', ['-F', 'INPUT']);
  execFileSync('iptables', ['-A', 'INPUT', ...rule, ...chance]);
}
