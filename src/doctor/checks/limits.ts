import { totalmem } from 'node:os';
import type { Check } from '../context.js';
import { type Finding, ok, problem, skipped, warning } from '../finding.js';
import { systemFile } from '../system.js';

/** A call over TCP or TLS takes a descriptor at the engine, and a reconnecting carrier twice as many for a moment. */
const goodFiles = 65_536;
const fewFiles = 4_096;
const leastMemory = 2 * 2 ** 30;

/** @param text of /proc/self/limits */
export function judgeOpenFiles(text: string): Finding {
  const soft = /^Max open files\s+(\S+)/m.exec(text)?.[1];
  if (soft === undefined) return skipped('The limit of open files is unknown.');
  const files = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  const line = `Open files: ${soft}`;
  const advice = `Raise it to ${goodFiles} for the service (LimitNOFILE, ulimits of the container).`;
  if (files >= goodFiles) return ok(line);
  return files < fewFiles
    ? problem(`${line}: a few thousand connections use it up.`, advice)
    : warning(line, advice);
}

/**
 * @param ephemeral of /proc/sys/net/ipv4/ip_local_port_range
 * @param rtp `10000-20000`
 */
export function judgePortRange(ephemeral: string, rtp: string): Finding {
  const [low = 0, high = 0] = ephemeral.trim().split(/\s+/).map(Number);
  const [first = 0, last = 0] = rtp.split('-').map(Number);
  if (low > last || high < first)
    return ok(`RTP ports ${rtp} are outside of the ephemeral ports (${low}-${high}).`);
  return warning(
    `RTP ports ${rtp} overlap the ephemeral ports (${low}-${high}): another program may take one.`,
    `Set net.ipv4.ip_local_port_range above ${last}, or net.ipv4.ip_local_reserved_ports=${rtp}.`,
  );
}

export function judgeConnectionTracking(count: number, maximum: number): Finding {
  const line = `Connection tracking: ${count} of ${maximum} entries`;
  return count > maximum * 0.7
    ? problem(
        `${line}; packets of new calls are dropped when it is full.`,
        'Raise net.netfilter.nf_conntrack_max, or exempt RTP (notrack).',
      )
    : ok(line);
}

export const limits: Check = {
  name: 'limits',
  title: 'Limits of the system',
  async run({ control }) {
    const findings = [judgeOpenFiles(systemFile('/proc/self/limits') ?? '')];
    if (totalmem() < leastMemory)
      findings.push(
        warning('Less than 2 GiB of memory.', 'Give the machine 2 GiB, 4 with PostgreSQL on it.'),
      );
    const ephemeral = systemFile('/proc/sys/net/ipv4/ip_local_port_range');
    const reserved = systemFile('/proc/sys/net/ipv4/ip_local_reserved_ports')?.trim() ?? '';
    const rtp = control?.rtpPorts ?? '10000-20000';
    if (ephemeral !== undefined)
      findings.push(
        reserved.includes(rtp) ? ok(`RTP ports ${rtp} are reserved.`) : judgePortRange(ephemeral, rtp),
      );
    const count = Number(systemFile('/proc/sys/net/netfilter/nf_conntrack_count') ?? Number.NaN);
    const maximum = Number(systemFile('/proc/sys/net/netfilter/nf_conntrack_max') ?? Number.NaN);
    if (!Number.isNaN(count) && !Number.isNaN(maximum))
      findings.push(judgeConnectionTracking(count, maximum));
    return findings;
  },
};
