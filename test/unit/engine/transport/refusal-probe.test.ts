import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RefusalProbe } from '../../../../src/engine/transport/refusal-probe.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { until } from '../../../../src/testkit/waiting.js';

const waitMilliseconds = 300;
/** So long a target that did not refuse is not probed again. */
const trustMilliseconds = 5_000;
const host = '127.0.0.1';

let clock: ManualClock;
let probe: RefusalProbe;
let target: Socket;
let port: number;
/** Datagrams that a target with a listener got. */
let arrived: number;

beforeEach(async () => {
  clock = new ManualClock();
  probe = new RefusalProbe(clock);
  arrived = 0;
  target = createSocket('udp4', () => {
    arrived++;
  });
  target.bind(0, host);
  await once(target, 'listening');
  ({ port } = target.address());
});
afterEach(() => {
  probe.stop();
  target.close();
});

/** Lets the time of a probe pass. */
const finish = () => clock.advance(waitMilliseconds);

/**
 * Repeats a probe until it has ended as wanted: on a busy machine the kernel may report the refusal after a probe's time, which is the
 * test's alone to let pass.
 */
async function ends(begin: () => void, isEnded: () => boolean): Promise<void> {
  begin();
  await until(
    async () => {
      await finish();
      await clock.advance(trustMilliseconds);
      if (isEnded()) return true;
      begin();
      return false;
    },
    10_000,
    'end of the probe',
  );
}

/** A port of this machine without a listener. */
async function closedPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  const closed = socket.address().port;
  socket.close();
  await once(socket, 'close');
  return closed;
}

describe('a probe', () => {
  it('is for private addresses alone', () => {
    probe.watch(host, '198.51.100.1', port, () => {});
    expect(probe.probes).toBe(0);
    probe.watch(host, host, port, () => {});
    expect(probe.probes).toBe(1);
  });

  it('reports a target without listener to all that wait for it', async () => {
    const closed = await closedPort();
    const refused = vi.fn();
    const begin = (): void => {
      probe.watch(host, host, closed, refused);
      probe.watch(host, host, closed, refused);
      expect(probe.probes).toBe(1);
    };
    await ends(begin, () => refused.mock.calls.length > 0);
    expect(refused).toHaveBeenCalledTimes(2);
    expect(probe.probes).toBe(0);
  });

  it('reports nothing of a target with a listener, and does not repeat itself for 5 s', async () => {
    const refused = vi.fn();
    probe.watch(host, host, port, refused);
    await until(() => arrived === 1, 10_000, 'probe');
    await finish();
    expect(refused).not.toHaveBeenCalled();
    await clock.advance(trustMilliseconds - 1);
    probe.watch(host, host, port, refused);
    expect(probe.probes).toBe(0);
    await clock.advance(1);
    probe.watch(host, host, port, refused);
    expect(probe.probes).toBe(1);
  });

  it('reports nothing of a target that refuses it but sends, and trusts that one for 10 min', async () => {
    const closed = await closedPort();
    const refused = vi.fn();
    const begin = (): void => {
      probe.watch(host, host, closed, refused);
      probe.heard(host, closed);
    };
    const isTrusted = (): boolean => {
      probe.watch(host, host, closed, refused);
      return probe.probes === 0;
    };
    await ends(begin, isTrusted);
    expect(refused).not.toHaveBeenCalled();
    await clock.advance(600_000 - trustMilliseconds - 1);
    probe.watch(host, host, closed, refused);
    expect(probe.probes).toBe(0);
    await clock.advance(1);
    probe.watch(host, host, closed, refused);
    expect(probe.probes).toBe(1);
  });

  it('counts only what its own target sends', async () => {
    const closed = await closedPort();
    const refused = vi.fn();
    const begin = (): void => {
      probe.watch(host, host, closed, refused);
      probe.heard(host, closed + 1);
      probe.heard('127.0.0.2', closed);
    };
    await ends(begin, () => refused.mock.calls.length > 0);
    expect(refused).toHaveBeenCalledTimes(1);
  });

  it('is for one target: another of the same address has its own', () => {
    probe.watch(host, host, port, () => {});
    probe.watch(host, host, port + 1, () => {});
    probe.watch(host, '127.0.0.2', port, () => {});
    expect(probe.probes).toBe(3);
  });

  it('ends with the layer, at any moment, and then reports nothing', async () => {
    const closed = await closedPort();
    const refused = vi.fn();
    probe.watch(host, host, closed, refused);
    probe.stop();
    expect(probe.probes).toBe(0);
    expect(clock.pendingTimers).toBe(0);
    // Its socket would be bound by then.
    await closedPort();
    await finish();
    expect(refused).not.toHaveBeenCalled();
  });

  it('is one of at most 256', () => {
    for (let index = 0; index < 300; index++) probe.watch(host, host, 10_000 + index, () => {});
    expect(probe.probes).toBe(256);
  });
});
