import { afterEach, describe, expect, it, onTestFailed } from 'vitest';
import { cutOff, isolate, keepSeconds } from '../../dev/survival/cuts.js';
import { HeldCalls } from '../../dev/survival/held-calls.js';
import { MachineSystem, ports } from '../../dev/survival/machine-system.js';
import { MachineNetwork } from '../support/machine.js';
import { Stopwatch } from '../support/stopwatch.js';

const refusal = MachineNetwork.refusal();
if (refusal !== undefined) console.log(`Re-homing is not tested: ${refusal}.`);

let system: MachineSystem | undefined;
afterEach(async () => {
  await system?.stop();
  system = undefined;
});

describe.skipIf(refusal !== undefined)('a machine with engine and edge dies', () => {
  it('and its calls continue at another machine, at its address', async () => {
    const running = await MachineSystem.start();
    system = running;
    onTestFailed(() => console.log(running.logs));
    const calls = await HeldCalls.establish(running, { inbound: 2, held: 1, outbound: 1, transferred: 1 });
    await running.startOthers();
    const watch = Stopwatch.start();
    const outcome = await calls.survive(() => running.machines[0]!.die());
    expect(outcome).toMatchObject({ calls: 6, up: 6, records: 6, problems: [] });
    expect(outcome.signaling).toBeLessThan(watch.bound(3_000));
    expect(outcome.gap).toBeLessThan(watch.bound(100));
  });
});

describe.skipIf(refusal !== undefined)('a machine that loses some of its connections', () => {
  const mix = { inbound: 2, held: 1, outbound: 1, transferred: 0 };

  it('keeps its calls while Redis is cut off for 12 s, although another machine has sockets with its address', async () => {
    const running = await MachineSystem.start({ staysUp: true, address: 'floating unwatched' });
    system = running;
    onTestFailed(() => console.log(running.logs));
    const calls = await HeldCalls.establish(running, mix);
    await running.startOthers();
    const first = running.machines.slice(0, 1);
    const outcome = await calls.survive(() => cutOff(running, first, 12, 'tcp', ports.redis));
    expect(outcome).toMatchObject({ calls: 5, up: 5, records: 5, problems: [] });
  });

  it('drops its calls without BYE once another machine has taken them', async () => {
    const running = await MachineSystem.start({ keepSeconds });
    system = running;
    onTestFailed(() => console.log(running.logs));
    const calls = await HeldCalls.establish(running, mix);
    await running.startOthers();
    const outcome = await calls.survive(() => isolate(running));
    expect(outcome).toMatchObject({ calls: 5, up: 5, records: 5, problems: [] });
  });
});

describe.skipIf(refusal !== undefined)('the address of a machine moves to one on standby', () => {
  it.each([
    ['after its machine has died', false],
    ['from a machine that lives', true],
  ])(
    '%s: requests wait for their calls, none gets 481, and new calls are answered',
    async (_when, isFromLiving) => {
      const running = await MachineSystem.start({ address: 'floating' });
      system = running;
      onTestFailed(() => console.log(running.logs));
      const calls = await HeldCalls.establish(running, { inbound: 2, held: 1, outbound: 1, transferred: 0 });
      await running.startOthers();
      const watch = Stopwatch.start();
      const began = performance.now();
      const outcome = await calls.survive(async () => {
        if (!isFromLiving) await running.machines[0]!.die();
        running.moveAddress({ isFromLiving });
      });
      expect(outcome).toMatchObject({ calls: 5, up: 5, records: 5, problems: [] });
      expect(began + outcome.newCall - running.movedAt).toBeLessThan(watch.bound(1_000));
      expect(outcome.gap).toBeLessThan(watch.bound(100));
    },
  );
});
