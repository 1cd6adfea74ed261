import type { Baresip } from '../../src/launcher/softphone/baresip.js';
import { hearTone } from '../../src/launcher/softphone/tone.js';
import { until } from '../support/waiting.js';
import { agentToneHertz, phoneToneHertz } from './stack.js';

/** Seconds for which a phone heard a tone, in all its recordings from the given one on. */
export function secondsHeard(phone: Baresip, hertz: number, fromRecording = 0): number {
  return phone.heard
    .slice(fromRecording)
    .reduce((sum, recording) => sum + hearTone(recording, hertz).seconds, 0);
}

/** Waits until the agent's tone and then the phone's own, echoed, were heard for that long each. */
export async function waitForAudioBothWays(phone: Baresip, seconds = 0.4): Promise<void> {
  await waitForTone(phone, agentToneHertz, seconds);
  await waitForTone(phone, phoneToneHertz, seconds);
}

export async function waitForTone(
  phone: Baresip,
  hertz: number,
  seconds: number,
  fromRecording = 0,
): Promise<void> {
  await until(
    () => secondsHeard(phone, hertz, fromRecording) >= seconds,
    12_000,
    () => `${hertz} Hz for ${seconds} s; heard ${secondsHeard(phone, hertz, fromRecording)} s`,
  );
}
