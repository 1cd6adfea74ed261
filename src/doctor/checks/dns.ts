import { getServers, Resolver } from 'node:dns/promises';
import type { Check } from '../context.js';
import { type Finding, ok, problem, warning } from '../finding.js';
import { messageOf } from '../system.js';

const boundMilliseconds = 2_000;
const slowMilliseconds = 300;
/** The server has answered, if only that there is no such name. */
const answers = /ENOTFOUND|ENODATA|NOTFOUND|NODATA/;

interface Answered {
  readonly server: string;
  /** Undefined: no answer. */
  readonly milliseconds: number | undefined;
  readonly error?: string;
}

export function judgeServers(servers: readonly Answered[]): Finding[] {
  if (servers.length === 0)
    return [
      problem(
        'No DNS server is configured.',
        'Name one in /etc/resolv.conf: trunks with names cannot be called.',
      ),
    ];
  const isAnyAlive = servers.some(({ milliseconds }) => milliseconds !== undefined);
  return servers.map(({ server, milliseconds, error }): Finding => {
    if (milliseconds === undefined) {
      const text = `DNS server ${server} does not answer${error === undefined ? '' : ` (${error})`}.`;
      return isAnyAlive
        ? warning(text, 'Remove or repair it: each name that it is asked for costs seconds.')
        : problem(text, 'Repair it: trunks with names cannot be called.');
    }
    return milliseconds > slowMilliseconds
      ? warning(
          `DNS server ${server} took ${Math.round(milliseconds)} ms.`,
          'Use one that is nearer: callers wait for it.',
        )
      : ok(`DNS server ${server} answered in ${Math.round(milliseconds)} ms.`);
  });
}

async function ask(server: string): Promise<Answered> {
  const resolver = new Resolver({ timeout: boundMilliseconds, tries: 1 });
  resolver.setServers([server]);
  const began = performance.now();
  try {
    await resolver.resolve('.', 'NS');
  } catch (error) {
    if (!answers.test((error as NodeJS.ErrnoException).code ?? ''))
      return { server, milliseconds: undefined, error: messageOf(error) };
  }
  return { server, milliseconds: performance.now() - began };
}

export const dns: Check = {
  name: 'dns',
  title: 'DNS',
  async run() {
    return judgeServers(await Promise.all(getServers().map(ask)));
  },
};
