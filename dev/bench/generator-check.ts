import { freePorts } from '../../test/support/free-ports.js';
import { Children, portAccepts } from './children.js';
import { type Load, runLoad } from './load.js';
import type { Calls } from './report.js';
import { agentArguments, sippProgram } from './sipp.js';
import { callsOf, GeneratorUnusable, refuseStarved, type Setting } from './step.js';

/**
 * Callers call the agent directly, over TLS: the delay of the generator alone, to be subtracted from every delay.
 * @throws GeneratorUnusable when a call fails, or when it cannot send what is asked
 */
export async function measureGenerator(setting: Setting, load: Load): Promise<Calls> {
  const { directory, keys } = setting;
  const children = new Children(directory);
  const [port, controlPort] = await freePorts(2);
  try {
    const [sipp, ...first] = sippProgram();
    children.start('generator-agent', sipp, [...first, ...agentArguments(port!, controlPort!, keys)]);
    await portAccepts(port!);
    const target = { host: '127.0.0.1', port: port! };
    const calls = callsOf(await runLoad({ directory, target, number: 'generator', keys, load }), load);
    if (calls.failed > 0 || calls.refused > 0) {
      throw new GeneratorUnusable(
        `The generator fails against itself at ${load.callsPerSecond}/s: ${calls.failed} calls failed.`,
      );
    }
    refuseStarved(calls);
    return calls;
  } finally {
    await children.stop();
  }
}
