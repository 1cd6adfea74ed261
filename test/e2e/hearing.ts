import type { Baresip } from '../../dev/softphone/baresip.js';
import { hearTone, ToneSearch } from '../../dev/softphone/tone.js';
import { readWav } from '../../dev/softphone/wav.js';
import { packetsFrom } from '../../src/edge/media/rtp-statistics.js';
import { until } from '../../src/testkit/waiting.js';
import { agentToneHertz, phoneToneHertz, type Stack } from './stack.js';

/** By recording and tone. */
const searches = new WeakMap<Baresip, Map<string, ToneSearch>>();

/** Seconds for which a phone heard a tone, in all its recordings. */
export function secondsHeard(phone: Baresip, hertz: number): number {
  const ofPhone = searches.get(phone) ?? new Map<string, ToneSearch>();
  searches.set(phone, ofPhone);
  return phone.heardFiles.reduce((sum, file) => {
    const key = `${hertz} ${file}`;
    const search = ofPhone.get(key) ?? new ToneSearch(hertz);
    ofPhone.set(key, search);
    return sum + search.hear(readWav(file)).seconds;
  }, 0);
}

/** Seconds of the longest interruption of a tone that a phone heard. */
export function longestGap(phone: Baresip, hertz: number): number {
  return Math.max(0, ...phone.heard.map((recording) => hearTone(recording, hertz).gap));
}

/** Waits until the agent's tone and then the phone's own, echoed, were heard for that long each. */
export async function waitForAudioBothWays(phone: Baresip, seconds = 0.4): Promise<void> {
  await waitForTone(phone, agentToneHertz, seconds);
  await waitForTone(phone, phoneToneHertz, seconds);
}

export async function waitForTone(phone: Baresip, hertz: number, seconds: number): Promise<void> {
  await until(
    // Asynchronous, so that it is asked less often the longer it takes.
    async () => secondsHeard(phone, hertz) >= seconds,
    30_000,
    () => {
      const lengths = phone.heard.map(({ samples, rate }) => (samples.length / rate).toFixed(1));
      return `${hertz} Hz for ${seconds} s; heard ${secondsHeard(phone, hertz)} s in recordings of ${lengths.join(', ')} s`;
    },
  );
}

/** Waits until nothing of a tone was added to what a phone has heard for a second: everything that was sent is in its recordings. */
export async function waitForSilence(phone: Baresip, hertz: number): Promise<void> {
  let before = secondsHeard(phone, hertz);
  let changedAt = performance.now();
  await until(
    () => {
      const heard = secondsHeard(phone, hertz);
      if (heard !== before) changedAt = performance.now();
      before = heard;
      return performance.now() - changedAt > 1_000;
    },
    20_000,
    `${hertz} Hz is silent`,
  );
}

/**
 * Waits until rtpengine has received audio of that many more seconds from both sides of a call together: what linphone heard can be read
 * only after its call.
 */
export async function waitForPackets(stack: Stack, seconds: number): Promise<void> {
  const rtpengine = stack.rtpengines[0]!;
  const last = new Map<string, number>();
  let packets = 0;
  const count = async (): Promise<number> => {
    for (const session of await rtpengine.sessions()) {
      const reply = await rtpengine.command('query', { 'call-id': session });
      const total = (packetsFrom(reply, 'trunk') ?? 0) + (packetsFrom(reply, 'agent') ?? 0);
      packets += Math.max(0, total - (last.get(session) ?? total));
      last.set(session, total);
    }
    return packets;
  };
  await until(async () => (await count()) >= 2 * 50 * seconds, 30_000, `${seconds} s of audio`);
}
