import { afterEach, describe, expect, it, onTestFailed } from 'vitest';
import { cutOff, isolate, keepSeconds } from '../../dev/survival/cuts.js';
import { HeldCalls } from '../../dev/survival/held-calls.js';
import { MachineSystem, machinesRefusal, ports } from '../../dev/survival/machine-system.js';
import { TonePhone } from '../../dev/tone/tone-phone.js';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { MachineNetwork } from '../support/machine.js';
import { Stopwatch } from '../support/stopwatch.js';

const refusal = MachineNetwork.refusal();
if (refusal !== undefined) console.log(`Re-homing is not tested: ${refusal}.`);
const withoutKeepalived = machinesRefusal({ address: 'keepalived' });

let system: MachineSystem | undefined;
afterEach(async () => {
  await system?.stop();
  system = undefined;
});

describe.skipIf(refusal !== undefined)('a machine with engine and edge dies, on IPv6 alone', () => {
  it('and its calls continue with audio at another machine, at its address', async () => {
    const running = await MachineSystem.start({ family: 6 });
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

describe.skipIf(refusal !== undefined)('callers behind NAT', () => {
  it('keep their calls over a restart of the engine and the death of its machine, where its address moves', async () => {
    const running = await MachineSystem.start({ address: 'floating' });
    system = running;
    onTestFailed(() => console.log(running.logs));
    const calls: { phone: TonePhone; peer: SipPeer; number: string }[] = [];
    for (const protocol of ['tls', 'tls', 'tcp', 'tcp'] as const) {
      const { peer, source } = await running.peerBehindNat(protocol);
      const number = await running.number(peer, { allowed_sources: [source] });
      const phone = await TonePhone.dial(peer, number, { hertz: 600 + 50 * calls.length });
      calls.push({ phone, peer, number });
    }
    const phones = calls.map(({ phone }) => phone);
    const heard = async ({ stream }: TonePhone): Promise<void> => {
      const before = stream.heardAt.length;
      await until(() => stream.heardAt.length >= before + 10, 15_000, `${stream.hertz} Hz`);
    };
    const refreshed = () => Promise.all(phones.map((phone) => phone.refresh()));
    await Promise.all(phones.map(heard));
    const began = performance.now();
    const watch = Stopwatch.start();

    await running.restartEngine(running.machines[0]!);
    expect(await refreshed()).toEqual([200, 200, 200, 200]);
    await running.startOthers();
    await running.machines[0]!.die();
    running.moveAddress({ isFromLiving: false });
    expect(await refreshed()).toEqual([200, 200, 200, 200]);
    await Promise.all(phones.map(heard));
    const gap = Math.max(...phones.map(({ stream }) => stream.longestGap(began, performance.now())));
    expect(gap).toBeLessThan(watch.bound(100));

    // Each way: over the connection that the caller has opened.
    for (const { phone, number } of calls.filter((_, index) => index % 2 === 0)) {
      await running.end(await running.callTo(number));
      await until(() => !phone.isUp, 10_000, 'BYE from Demarc');
    }
    for (const phone of phones) if (phone.isUp) expect(await phone.hangUp()).toBe(200);
    for (const phone of phones) phone.close();
    // The engine could not have reached them.
    expect(calls.map(({ peer }) => peer.accepted)).toEqual([0, 0, 0, 0]);
    const { complete, problems } = await running.records(phones.map(({ call }) => call.callId));
    expect({ complete, problems }).toEqual({ complete: 4, problems: [] });
    await running.ended();
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
    ['by keepalived after its machine has died', 'keepalived'],
    ['by hand from a machine that lives', 'floating'],
  ] as const)(
    '%s: requests wait for their calls, none gets 481, and new calls are answered',
    async (_how, address) => {
      const isMovedByHand = address === 'floating' || withoutKeepalived !== undefined;
      if (address === 'keepalived' && isMovedByHand)
        console.log(`The test moves the address: ${withoutKeepalived}.`);
      const running = await MachineSystem.start({ address: isMovedByHand ? 'floating' : address });
      system = running;
      onTestFailed(() => console.log(running.logs));
      const calls = await HeldCalls.establish(running, { inbound: 2, held: 1, outbound: 1, transferred: 0 });
      await running.startOthers();
      const watch = Stopwatch.start();
      const began = performance.now();
      const outcome = await calls.survive(async () => {
        const isFromLiving = address === 'floating';
        if (!isFromLiving) await running.machines[0]!.die();
        if (isMovedByHand) running.moveAddress({ isFromLiving });
        else await running.addressMoved();
      });
      expect(outcome).toMatchObject({ calls: 5, up: 5, records: 5, problems: [] });
      expect(began + outcome.newCall - running.movedAt).toBeLessThan(watch.bound(1_000));
      expect(outcome.gap).toBeLessThan(watch.bound(100));
    },
  );
});
