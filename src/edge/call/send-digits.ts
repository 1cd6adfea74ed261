import { setTimeout as sleep } from 'node:timers/promises';
import { MediaUnavailable } from '../media/rtpengine-pool.js';
import { failureText } from '../sip/messages.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import type { Call } from './call.js';

/** ITU-T Q.24 requires 40 ms of each; this is what phones send and slow receivers detect. */
const digitMilliseconds = 120;
const pauseMilliseconds = 80;
const waitMilliseconds = 500;
/** Digits travel in the agent's audio (RFC 4733 §2.1), which begins with its first packet. */
const audioMilliseconds = 3_000;
const retryMilliseconds = 50;
const infoBoundMilliseconds = 5_000;

/** False: this method does not work. */
type Way = (call: Call, digit: string) => Promise<boolean>;

/**
 * Sends digits to the trunk in sequence: as telephone events if the trunk accepts them, else by INFO, else as tones.
 * `w` waits half a second. Resolves with false when no method is left, with true when all are sent or the call has ended.
 * @param sent called after each digit
 */
export async function sendDigits(call: Call, digits: string, sent: () => void = () => {}): Promise<boolean> {
  const ways: Way[] = call.media?.takesEvents('trunk') ? [playDigit, sendInfo] : [sendInfo, playDigit];
  for (const digit of digits) {
    if (digit === 'w') {
      await sleep(waitMilliseconds);
      continue;
    }
    while (!call.hasEnded && ways[0] !== undefined && !(await ways[0](call, digit))) ways.shift();
    if (call.hasEnded) return true;
    if (ways.length === 0) return false;
    sent();
    await sleep(digitMilliseconds + pauseMilliseconds);
  }
  return true;
}

/**
 * Waits for the agent's audio. False: there is none to carry a digit. While the call moves to another media node the digit waits,
 * for as long as the call itself does.
 */
const playDigit: Way = async (call, digit) => {
  let until = performance.now() + audioMilliseconds;
  const lostAt = performance.now() + call.deps.settings.rtpengine.lostMilliseconds;
  while (!call.hasEnded) {
    try {
      if (await call.media!.audio.playDigit('trunk', digit, digitMilliseconds, pauseMilliseconds))
        return true;
    } catch (error) {
      if (!(error instanceof MediaUnavailable) || performance.now() > lostAt) throw error;
      until = performance.now() + audioMilliseconds;
    }
    if (performance.now() > until) return false;
    await sleep(retryMilliseconds);
  }
  return true;
};

/** False: the trunk does not accept it. */
const sendInfo: Way = async (call, digit) => {
  const { trunk } = call.dialogs;
  if (trunk === undefined || !allowsInfo(call.trunkAllow)) return false;
  try {
    const { response } = await requestInDialog(
      trunk,
      {
        method: 'INFO',
        headers: { 'Content-Type': 'application/dtmf-relay' },
        body: `Signal=${digit}\r\nDuration=${digitMilliseconds}\r\n`,
      },
      infoBoundMilliseconds,
    );
    return response.status < 300;
  } catch (error) {
    call.log.warn({ error: failureText(error) }, 'Sending a DTMF digit by INFO failed.');
    return false;
  }
};

/** RFC 3261 §20.5: a missing Allow says nothing about support. */
const allowsInfo = (allow: string | undefined): boolean =>
  allow === undefined || /(^|,)\s*INFO\s*(,|$)/i.test(allow);
