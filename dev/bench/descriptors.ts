import { readFileSync } from 'node:fs';

/** RTP and RTCP of both sides; rtpengine opens all of them. */
const descriptorsPerCall = 4;
/** For rtpengine's threads, its control socket and its log. */
const reserve = 100;

/**
 * @param limits `/proc/self/limits`
 * @returns how many calls one rtpengine can hold before it "ran out of ports": it inherits this limit of open files
 */
export function mostHeldCalls(limits: string): number {
  const [, open] = /^Max open files\s+(?:\d+|unlimited)\s+(\d+|unlimited)/m.exec(limits) ?? [];
  if (open === undefined || open === 'unlimited') return Number.POSITIVE_INFINITY;
  return Math.floor((Number(open) - reserve) / descriptorsPerCall);
}

/** Throws before minutes are lost on calls that cannot all be held. */
export function requireDescriptors(calls: number): void {
  const most = mostHeldCalls(readFileSync('/proc/self/limits', 'utf8'));
  if (calls <= most) return;
  throw new Error(
    `${calls} held calls need ${descriptorsPerCall * calls + reserve} open files of rtpengine; the limit of this machine allows ${most} calls (ulimit -Hn).`,
  );
}
