import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codecPolicySchema } from '../../../src/contract/number.js';
import { MediaRefused } from '../../../src/edge/media/media-refused.js';
import { MediaSession } from '../../../src/edge/media/media-session.js';
import { RtpenginePool } from '../../../src/edge/media/rtpengine-pool.js';
import { pause } from '../../../src/testkit/waiting.js';
import { newerPrograms, withoutNewerPrograms } from '../../support/newer-programs.js';
import { agentDescription, keyLine, trunkDescription } from './descriptions.js';
import { RtpengineProcess } from './rtpengine-process.js';

const newerRoot = 'root' in newerPrograms ? newerPrograms.root : undefined;
let rtpengine: RtpengineProcess;
let pool: RtpenginePool;
const start = async (root?: string): Promise<void> => {
  rtpengine = await RtpengineProcess.start(400, root);
  pool = new RtpenginePool({
    settings: { nodes: [rtpengine], timeoutMilliseconds: 3_000, pingMilliseconds: 3_600_000 },
    log: pino({ level: 'silent' }),
  });
  await pool.start();
};

/** Conversion is where rtpengine makes use of the numbers. */
const policy = codecPolicySchema.parse({ order: ['PCMU', 'PCMA', 'opus', 'G722'], transcode: true });

/** Around the widths that a C program may keep a number in, and two that ended or silenced rtpengine 10.5. */
const numbers = [
  '0',
  '-1',
  '1',
  '255',
  '65536',
  '1000000',
  '16777216',
  '1073741824',
  '2147483647',
  '4294967296',
  '18446744073709551616',
  '9'.repeat(40),
  '0x7fffffff',
  '1.5',
];

/** Every number of a description; each changes a harmless one. */
const fields: Readonly<Record<string, (sdp: string, number: string) => string>> = {
  port: (sdp, number) => sdp.replace(/m=audio \d+/, `m=audio ${number}`),
  'number of ports': (sdp, number) => sdp.replace(/m=audio \d+/, `$&/${number}`),
  'payload type': (sdp, number) =>
    `${sdp.replace(/m=.*/, `$& ${number}`)}a=rtpmap:${number} PCMU/8000\r\na=fmtp:${number} x=1\r\n`,
  'time to live': (sdp, number) => sdp.replace(/c=.*/, `$&/${number}`),
  origin: (sdp, number) => sdp.replace(/o=.*/, `o=- ${number} ${number} IN IP4 127.0.0.1`),
  time: (sdp, number) => sdp.replace('t=0 0', `t=${number} ${number}\r\nr=${number} ${number}`),
  'bandwidth of the session': (sdp, number) => sdp.replace('t=', `b=AS:${number}\r\nb=CT:${number}\r\nt=`),
  bandwidth: (sdp, number) =>
    sdp.replace(
      /m=.*/,
      ['AS', 'RR', 'RS', 'TIAS'].reduce((m, type) => `${m}\r\nb=${type}:${number}`, '$&'),
    ),
  'clock rate of PCMU': (sdp, number) => sdp.replace('PCMU/8000', `PCMU/${number}`),
  'channels of PCMU': (sdp, number) => sdp.replace('PCMU/8000', `PCMU/8000/${number}`),
  'clock rate of opus': (sdp, number) => sdp.replace('opus/48000', `opus/${number}`),
  'channels of opus': (sdp, number) => sdp.replace('opus/48000/2', `opus/48000/${number}`),
  'clock rate of DTMF events': (sdp, number) =>
    sdp.replace('telephone-event/8000', `telephone-event/${number}`),
  'clock rate of a convertible codec': (sdp, number) =>
    `${sdp.replace(/m=.*/, '$& 97 98')}a=rtpmap:97 L16/${number}\r\na=rtpmap:98 speex/${number}\r\n`,
  'parameters of opus': (sdp, number) =>
    `${sdp}a=fmtp:96 ${['maxplaybackrate', 'sprop-maxcapturerate', 'maxptime', 'ptime', 'minptime', 'maxaveragebitrate', 'stereo', 'useinbandfec'].map((name) => `${name}=${number}`).join(';')}\r\n`,
  'DTMF events': (sdp, number) => sdp.replace('0-16', `0-${number},${number}`),
  ptime: (sdp, number) => `${sdp}a=ptime:${number}\r\n`,
  maxptime: (sdp, number) => `${sdp}a=maxptime:${number}\r\n`,
  'RTCP port': (sdp, number) => `${sdp}a=rtcp:${number}\r\n`,
  'tag of the key': (sdp, number) => sdp.replace('a=crypto:1', `a=crypto:${number}`),
  'lifetime of the key': (sdp, number) => sdp.replace(/inline:\S+/, `$&|2^${number}`),
  'lifetime of the key in packets': (sdp, number) => sdp.replace(/inline:\S+/, `$&|${number}`),
  'MKI of the key': (sdp, number) => sdp.replace(/inline:\S+/, `$&|${number}:4`),
  'length of the MKI': (sdp, number) => sdp.replace(/inline:\S+/, `$&|1:${number}`),
  'parameters of the key': (sdp, number) => sdp.replace(/inline:\S+/, `$& KDR=${number} WSH=${number}`),
  'everything else': (sdp, number) =>
    `${sdp}a=ssrc:${number} cname:x\r\na=framerate:${number}\r\na=extmap:${number} urn:x\r\na=T38FaxVersion:${number}\r\na=candidate:${number} 1 UDP ${number} 127.0.0.1 ${number} typ host\r\na=rtcp-fb:${number} nack\r\n`,
};

const formats = '0 8 96 101';

/** Each way by which an untrusted description reaches rtpengine. */
const ways: Readonly<
  Record<string, (media: MediaSession, hostile: (sdp: string) => string) => Promise<void>>
> = {
  'the offer of a trunk': async (media, hostile) => {
    await media.offer('trunk', hostile(trunkDescription({ formats })));
    await media.answer(agentDescription({ formats: '9 0 101' }));
  },
  'the answer of an agent': async (media, hostile) => {
    await media.offer('trunk', trunkDescription({ formats }));
    await media.answer(hostile(agentDescription({ formats })));
  },
  'the offer of an agent': async (media, hostile) => {
    const offer = await media.offer('agent', hostile(agentDescription({ formats })));
    await media.answer(trunkDescription({ formats: '9 0 101', crypto: [keyLine(offer)] }));
  },
  'the answer of a called PBX': async (media, hostile) => {
    const offer = await media.offer('agent', agentDescription({ formats }));
    await media.answer(hostile(trunkDescription({ formats, crypto: [keyLine(offer)] })));
  },
};

/** Descriptions with many payload types of one codec, each with other parameters; a usual one comes last. */
const repetitions: readonly ((sdp: string) => string)[] = [
  'opus/48000/2',
  'G722/8000',
  'G729/8000',
  'speex/32000',
  'telephone-event/8000',
].flatMap((codec) => [2, 16, 100, 100].map((count) => (sdp: string) => repeated(sdp, codec, count)));

function repeated(sdp: string, codec: string, count: number): string {
  const types = Array.from({ length: count }, (_, index) => 127 - index);
  const lines = types.map((type, index) => {
    const parameters = codec.startsWith('opus') ? `maxptime=${20 + index}` : `0-${index}`;
    return `a=rtpmap:${type} ${codec}\r\na=fmtp:${type} ${parameters}\r\n`;
  });
  const bare = sdp.replace(/a=rtpmap.*\r\n|a=fmtp.*\r\n/g, '');
  return bare.replace(/(m=audio \d+ \S+) .*/, `$1 ${types.join(' ')} 0`) + lines.join('');
}

/** Processor time of the threads of a process so far, in milliseconds. Read synchronously, which takes a tenth of the time. */
const processorOf = (pid: number | undefined): number => {
  const nanosecondsOf = (task: string): number => {
    try {
      return Number.parseInt(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8'), 10);
    } catch {
      // It has ended.
      return 0;
    }
  };
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + nanosecondsOf(task), 0) / 1e6;
};

const memoryOf = async (pid: number | undefined): Promise<number> =>
  Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;

/**
 * Asks rtpengine all the time while a task runs; the longest that it was silent because it was busy, in milliseconds. What other
 * programs on this machine take from it does not count.
 */
async function longestSilenceDuring(task: Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const [asked, before] = [performance.now(), processorOf(rtpengine.pid)];
      await rtpengine.command('ping', {}, 1_000).catch(() => undefined);
      const silence = performance.now() - asked;
      longest = Math.max(longest, Math.min(silence, processorOf(rtpengine.pid) - before));
      await pause(20);
    }
  })();
  await task;
  isOver = true;
  await asking;
  return longest;
}

describe.each([
  { release: 'of the stable release', root: undefined, missing: undefined },
  { release: '26', root: newerRoot, missing: withoutNewerPrograms },
])('rtpengine $release', ({ root, missing }) => {
  beforeAll(async () => {
    if (missing === undefined) await start(root);
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    if (missing !== undefined) return;
    await pool.stop();
    await rtpengine.stop();
  });

  it('is not kept busy by any number of payload types, in an INVITE, a re-INVITE, an UPDATE or an answer', async () => {
    const failures: string[] = [];
    const offerOnce = async (name: string, way: string, change: (sdp: string) => string): Promise<void> => {
      const media = new MediaSession(`${name} ${way}`.replaceAll(' ', '-'), pool, { codecs: policy });
      try {
        // A re-INVITE or UPDATE is a further offer in the session.
        for (const each of [change, (sdp: string) => sdp, change]) await ways[way]!(media, each);
      } catch (error) {
        if (!(error instanceof MediaRefused)) failures.push(`${name} ${way}: ${error}`);
      } finally {
        await media.release();
      }
    };
    const load = async (name: string, changes: readonly ((sdp: string) => string)[]) => {
      const before = processorOf(rtpengine.pid);
      const silence = await longestSilenceDuring(
        (async () => {
          for (const [index, change] of changes.entries())
            await Promise.all(Object.keys(ways).map((way) => offerOnce(`${name} ${index}`, way, change)));
        })(),
      );
      return { silence, processor: processorOf(rtpengine.pid) - before };
    };
    const usual = await load(
      'usual',
      repetitions.map(() => (sdp) => sdp),
    );
    // Descriptions that keep rtpengine busy do so each time, other programs on this machine do not.
    let excess = { silence: Number.POSITIVE_INFINITY, processor: Number.POSITIVE_INFINITY };
    for (let attempt = 0; attempt < 3 && (excess.silence > 100 || excess.processor > 30); attempt++) {
      const hostile = await load(`repeated ${attempt}`, repetitions);
      excess = {
        silence: Math.min(excess.silence, hostile.silence - 2 * usual.silence),
        processor: Math.min(excess.processor, hostile.processor - 2.5 * usual.processor),
      };
    }
    expect(failures).toEqual([]);
    expect(excess.silence).toBeLessThan(100);
    expect(excess.processor).toBeLessThan(30);
  }, 180_000);

  it.each(Object.entries(ways).map(([way, run], index) => ({ way, run, half: index < 2 ? 0 : 1 })))(
    'is not ended, silenced or bloated by any number in $way',
    async ({ way, run, half }) => {
      const { pid } = rtpengine;
      const before = await memoryOf(pid);
      // Each number of each field comes in two ways: in an offer and in an answer, from a trunk and from an agent.
      const cases = Object.entries(fields).flatMap(([field, change], place) =>
        numbers
          .filter((_number, index) => (place + index) % 2 === half)
          .map((number) => ({ field, number, hostile: (sdp: string) => change(sdp, number) })),
      );
      const unread: string[] = [];
      const offerOnce = async ({ field, number, hostile }: (typeof cases)[number]): Promise<void> => {
        const media = new MediaSession(`${way} ${field} ${number}`.replaceAll(' ', '-'), pool, {
          codecs: policy,
        });
        try {
          await run(media, hostile);
        } catch (error) {
          // What rtpengine itself refuses should not have come so far.
          if (!(error instanceof MediaRefused)) unread.push(`${field} ${number}: ${error}`);
        } finally {
          await media.release();
        }
      };
      const all = (async () => {
        for (let at = 0; at < cases.length; at += 8)
          await Promise.all(cases.slice(at, at + 8).map(offerOnce));
      })();
      expect(await longestSilenceDuring(all)).toBeLessThan(1_000);
      expect(unread).toEqual([]);
      expect(rtpengine.isRunning && rtpengine.pid).toBe(pid);
      expect((await memoryOf(pid)) - before).toBeLessThan(30);
    },
    180_000,
  );
});
