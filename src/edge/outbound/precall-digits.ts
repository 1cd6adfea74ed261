import { setTimeout as sleep } from 'node:timers/promises';
import { failureText, requestInDialog } from '../call/engine-link.js';
import { sipReason } from '../call/reason.js';
import type { OutboundCall } from './outbound-call.js';

/** ITU-T Q.24 asks for 40 ms of each; what phones send, and slow receivers still take. */
const digitMilliseconds = 120;
const pauseMilliseconds = 80;
const waitMilliseconds = 500;
/** Digits travel in the agent's audio (RFC 4733 §2.1), which begins with its first packet. */
const audioMilliseconds = 3_000;
const retryMilliseconds = 50;
const infoBoundMilliseconds = 5_000;

/** False: this way is closed. */
type Way = (call: OutboundCall, digit: string) => Promise<boolean>;

/**
 * Sends the digits of the order to the trunk, then lets the agent be heard: as telephone events where the trunk takes them,
 * else by INFO, else as tones. A call whose digits cannot be sent ends, because nobody knows who would hear the agent.
 */
export async function sendPrecallDigits(call: OutboundCall): Promise<void> {
  const { precallDigits: digits, media } = call;
  if (digits === '' || call.hasEnded || media === undefined) return;
  const ways: Way[] = media.takesEvents('trunk') ? [playDigit, sendInfo] : [sendInfo, playDigit];
  for (const digit of digits) {
    if (digit === 'w') {
      await sleep(waitMilliseconds);
      continue;
    }
    while (!call.hasEnded && ways[0] !== undefined && !(await ways[0](call, digit))) ways.shift();
    if (call.hasEnded) return;
    if (ways.length === 0) {
      notSent(call);
      return;
    }
    await sleep(digitMilliseconds + pauseMilliseconds);
  }
  if (call.hasEnded) return;
  await media.silenceAgent(false);
  call.report('answered');
}

/** Waits for the agent's audio. False: there is none that a digit could be put in. */
const playDigit: Way = async (call, digit) => {
  const until = performance.now() + audioMilliseconds;
  while (!call.hasEnded) {
    if (await call.media!.playDigit('trunk', digit, digitMilliseconds, pauseMilliseconds)) return true;
    if (performance.now() > until) return false;
    await sleep(retryMilliseconds);
  }
  return true;
};

/** False: the trunk does not take it. */
const sendInfo: Way = async (call, digit) => {
  const { trunk } = call.dialogs;
  if (trunk === undefined || !allowsInfo(trunk.res.get('Allow'))) return false;
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
    call.log.warn({ error: failureText(error) }, 'A digit could not be sent by INFO.');
    return false;
  }
};

/** RFC 3261 §20.5: where there is no Allow, nothing is said. */
const allowsInfo = (allow: string | undefined): boolean =>
  allow === undefined || /(^|,)\s*INFO\s*(,|$)/i.test(allow);

function notSent(call: OutboundCall): void {
  call.end(
    {
      reason: 'media_failed',
      by: 'edge',
      detail:
        'precall_dtmf_sequence could not be sent: the agent sends no audio that could carry digits, and the trunk takes no INFO.',
    },
    { reason: sipReason(200, 'Digits could not be sent') },
  );
}
