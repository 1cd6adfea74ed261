import { cpus, release, totalmem } from 'node:os';
import { version } from '../../config/version.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, warning } from '../finding.js';

const leastNode = 20;
/** Only even versions of Node.js get long-term support. */
const isOdd = (major: number): boolean => major % 2 === 1;

export function judgeNode(text: string): Finding {
  const major = Number(/^v(\d+)/.exec(text)?.[1] ?? 0);
  if (major < leastNode)
    return problem(`Node.js ${text} is too old.`, `Install Node.js ${leastNode} or later.`);
  if (isOdd(major))
    return warning(`Node.js ${text} gets no long-term support.`, 'Install a version with an even number.');
  return ok(`Node.js ${text}, Demarc ${version}`);
}

export const versions: Check = {
  name: 'versions',
  title: 'Versions',
  async run() {
    const gibibytes = (totalmem() / 2 ** 30).toFixed(1);
    return [
      judgeNode(process.version),
      ok(`Linux ${release()}, ${cpus().length} processors, ${gibibytes} GiB of memory`),
    ];
  },
};
