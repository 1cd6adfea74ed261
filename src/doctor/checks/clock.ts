import { existsSync } from 'node:fs';
import type { Check } from '../context.js';
import { type Finding, ok, problem, skipped, warning } from '../finding.js';
import { outputOf } from '../system.js';

/** Records and traces of two machines are ordered by time; certificates and tokens bear a minute, TLS little more. */
const tolerated = 500;
const harmful = 5_000;

/**
 * @param difference of the other clock, in milliseconds
 * @param uncertainty milliseconds that the question took
 */
export function judgeClockOf(name: string, difference: number, uncertainty: number): Finding | undefined {
  const least = Math.max(0, Math.abs(difference) - uncertainty);
  if (least < tolerated) return undefined;
  const text = `The clock of ${name} is ${(Math.abs(difference) / 1_000).toFixed(1)} s ${difference > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const advice = 'Synchronize both machines by NTP: records and traces would be out of order.';
  return least < harmful ? warning(text, advice) : problem(text, advice);
}

export const clock: Check = {
  name: 'clock',
  title: 'Clock',
  async run() {
    if (existsSync('/run/systemd/timesync/synchronized'))
      return [ok('The clock is synchronized (systemd-timesyncd).')];
    const chrony = await outputOf('chronyc', ['-c', 'tracking']);
    const offset = chrony === undefined ? Number.NaN : Number(chrony.split(',')[4]);
    if (chrony !== undefined && !Number.isNaN(offset)) {
      return Math.abs(offset) < 0.1
        ? [ok(`The clock is synchronized (chrony, ${(offset * 1_000).toFixed(1)} ms off).`)]
        : [
            warning(
              `The clock is ${offset.toFixed(2)} s off (chrony).`,
              'Let chrony correct it: chronyc makestep.',
            ),
          ];
    }
    const state = (await outputOf('timedatectl', ['show', '--property=NTPSynchronized', '--value']))?.trim();
    if (state === 'yes') return [ok('The clock is synchronized (timedatectl).')];
    if (state === 'no')
      return [warning('The clock is not synchronized.', 'Install chrony or enable systemd-timesyncd.')];
    return [
      skipped('Neither systemd-timesyncd nor chrony nor timedatectl says whether the clock is synchronized.'),
    ];
  },
};
