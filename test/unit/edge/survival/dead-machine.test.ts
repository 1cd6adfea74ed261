import type { Socket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { heldCallVersion, holderLeaseKey, holdersKey } from '../../../../src/contract/held-call.js';
import { Adoption, type AdoptionDeps } from '../../../../src/edge/survival/adoption.js';
import { OtherHolders } from '../../../../src/edge/survival/other-holders.js';
import { type Network, OtherMachines } from '../../../../src/edge/survival/other-machines.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

/** As the edge's settings have them. */
const [leaseMilliseconds, renewMilliseconds, lookMilliseconds] = [5_000, 1_000, 500];
/** As a connection to an engine whose machine is gone. */
const connectMilliseconds = 750;
/** Until Redis has answered; the timers of both edges drift by it. */
const redisMilliseconds = 3;
const listeners = 'tls/192.0.2.2:5061';
const log = pino({ level: 'silent' });

/** What of the other machine works. */
const peer = { answers: true, accepts: true };
const probes: number[] = [];

const network: Network = {
  createSocket: () => {
    const socket = new EventEmitter();
    return Object.assign(socket, {
      unref: () => {},
      close: () => {},
      connect: (_port: number, _host: string, connected: () => void) => queueMicrotask(connected),
      send: (packet: string) => {
        const [, , token] = packet.split('\n');
        if (peer.answers) setTimeout(() => socket.emit('message', `demarc-pong\n${token}`), 1);
      },
    }) as unknown as Socket;
  },
  engineState: async () => {
    probes.push(performance.now());
    if (peer.accepts) return 'accepts';
    await new Promise((resolve) => setTimeout(resolve, connectMilliseconds));
    return 'silent';
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(peer, { answers: true, accepts: true });
  probes.length = 0;
});
afterEach(() => void vi.useRealTimers());

/** An edge beside one on another machine, which renews its lease. Monotonic milliseconds at which it took the other's calls. */
function system() {
  const redis = new MemoryRedis();
  const holders = new OtherHolders({
    redis: redis.asRedis,
    holder: 'own',
    leaseMilliseconds,
    renewMilliseconds,
    isRehoming: true,
  });
  holders.renewed(true);
  const takenAt: number[] = [];
  const machines = new OtherMachines(
    { holder: 'own', pingListen: undefined, log },
    () => adoption.lookNow(),
    network,
  );
  const adoption = new Adoption({
    engine: { owner: 'own', keepsDialogs: true, isUp: true },
    lease: {
      engine: 'engine-1',
      readOtherHolders: async () => {
        await new Promise((resolve) => setTimeout(resolve, redisMilliseconds));
        return holders.read({ engine: 'engine-1', listeners: 'tls/192.0.2.1:5061' });
      },
      take: async () => void takenAt.push(performance.now()),
    },
    machines,
    isDraining: () => false,
    hasEngine: () => true,
    lookMilliseconds,
    log,
  } as unknown as AdoptionDeps);
  const renew = (): void => {
    const facts = {
      edge_id: 'e2',
      engine: 'engine-2',
      listeners,
      owners: ['other'],
      ping: { host: '192.0.2.2', port: 5099 },
      at: Date.now(),
      document_version: heldCallVersion,
    };
    redis.strings.set(holderLeaseKey('other'), '1');
    redis.hashes.set(holdersKey, new Map([['other', JSON.stringify(facts)]]));
  };
  renew();
  const renewals = setInterval(renew, renewMilliseconds + redisMilliseconds);
  async function stop(): Promise<void> {
    clearInterval(renewals);
    machines.stop();
    const stopped = adoption.stop();
    await vi.advanceTimersByTimeAsync(connectMilliseconds);
    await stopped;
  }
  return { takenAt, adoption, renewals, stop };
}

it('has its calls taken within 2.25 s of its death, whichever moment that is', async () => {
  // In milliseconds.
  const took: number[] = [];
  for (let lookAt = 0; lookAt < 500; lookAt += 210)
    for (let dies = 0; dies < 4_000; dies += 310) {
      Object.assign(peer, { answers: true, accepts: true });
      const { takenAt, adoption, renewals, stop } = system();
      await vi.advanceTimersByTimeAsync(lookAt);
      adoption.start();
      await vi.advanceTimersByTimeAsync(3_000 + dies - lookAt);
      expect(takenAt).toEqual([]);
      Object.assign(peer, { answers: false, accepts: false });
      clearInterval(renewals);
      const diedAt = performance.now();
      await vi.advanceTimersByTimeAsync(4_000);
      took.push(takenAt[0]! - diedAt);
      await stop();
    }
  expect(Math.max(...took)).toBeLessThanOrEqual(2_250);
  // Less would be too little evidence.
  expect(Math.min(...took)).toBeGreaterThanOrEqual(1_000);
});

it('keeps its calls when only its pings are lost, and its engine is asked once its edge falls silent', async () => {
  const { takenAt, adoption, stop } = system();
  adoption.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(probes).toEqual([]);
  peer.answers = false;
  await vi.advanceTimersByTimeAsync(1_500);
  expect(probes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(8_500);
  const asked = probes.length;
  // A firewall may drop pings for good.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probes).toHaveLength(asked);
  expect(takenAt).toEqual([]);
  await stop();
});

it('keeps its calls while its engine accepts connections, although its edge hangs', async () => {
  const { takenAt, adoption, renewals, stop } = system();
  adoption.start();
  await vi.advanceTimersByTimeAsync(10_000);
  peer.answers = false;
  clearInterval(renewals);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(takenAt).toEqual([]);
  await stop();
});
