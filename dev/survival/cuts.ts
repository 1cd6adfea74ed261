import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../src/testkit/waiting.js';
import type { Machine } from '../../test/support/machine.js';
import { stays } from '../../test/support/stays.js';
import { type MachineSystem, ports } from './machine-system.js';

/** Less than the engine's default, so that it is over sooner. */
export const keepSeconds = 5;
/** Longer than a lease and two renewals: by then each machine knows what the others did. */
const reconciledMilliseconds = 12_000;

/** Machines lose a port for a while. Rejects when another one takes their calls, then or once they are back. */
export async function cutOff(
  system: MachineSystem,
  machines: readonly Machine[],
  seconds: number,
  protocol: 'tcp' | 'udp',
  port: number,
): Promise<void> {
  const isUnchanged = () => {
    if (system.logs.includes('Took over')) throw new Error('A machine that lives has lost its calls.');
  };
  for (const machine of machines) machine.cut(protocol, port);
  await stays(isUnchanged, 1_000 * seconds);
  for (const machine of machines) machine.mend();
  await stays(isUnchanged, reconciledMilliseconds);
}

/**
 * The first machine loses Redis and the second one, which takes its calls over, and comes back. Peers and rtpengine reach it as before, and
 * must hear no more of it.
 */
export async function isolate(system: MachineSystem): Promise<void> {
  const [first, second] = system.machines as [Machine, Machine];
  first.cut('tcp', ports.redis);
  first.cutFrom(second);
  await until(() => system.logs.includes('Took over'), 20_000, 'a takeover');
  first.mend();
  await until(() => system.logs.includes('has taken over the calls of this process'), 20_000, 'the fence');
  // By then an engine would have ended what its edge has left.
  await sleep(1_000 * (keepSeconds + 2));
}
