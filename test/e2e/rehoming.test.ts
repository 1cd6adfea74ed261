import { afterEach, describe, expect, it, onTestFailed } from 'vitest';
import { HeldCalls } from '../../dev/survival/held-calls.js';
import { MachineSystem } from '../../dev/survival/machine-system.js';
import { MachineNetwork } from '../support/machine.js';

const refusal = MachineNetwork.refusal();
if (refusal !== undefined) console.log(`Re-homing is not tested: ${refusal}.`);

let system: MachineSystem | undefined;
afterEach(async () => {
  await system?.stop();
  system = undefined;
});

describe.skipIf(refusal !== undefined)('a machine with engine and edge dies', () => {
  it('and its calls continue at another machine, at its address', async () => {
    system = await MachineSystem.start();
    onTestFailed(() => console.log(system?.logs));
    const { machines } = system;
    const calls = await HeldCalls.establish(system, { inbound: 2, held: 1, outbound: 1, transferred: 0 });
    const outcome = await calls.survive(() => machines[0]!.die());
    expect(outcome).toMatchObject({ calls: 5, up: 5, records: 5, problems: [] });
    expect(outcome.gap).toBeLessThanOrEqual(100);
  });
});
