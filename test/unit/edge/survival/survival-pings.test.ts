import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { Adoption } from '../../../../src/edge/survival/adoption.js';
import { HeldCalls } from '../../../../src/edge/survival/held-calls.js';
import { Survival, type SurvivalDeps } from '../../../../src/edge/survival/survival.js';

it('answers pings before it waits for other edges, so that it does not count as gone meanwhile', async () => {
  const awaiting = vi.spyOn(Adoption.prototype, 'adoptLost').mockReturnValue(new Promise(() => {}));
  vi.spyOn(Adoption.prototype, 'start').mockReturnValue();
  vi.spyOn(HeldCalls.prototype, 'start').mockReturnValue();
  const engine = Object.assign(new EventEmitter(), {
    owner: 'own',
    isUp: true,
    keepsDialogs: true,
    boundListeners: ['tcp/127.0.0.1:5060'],
    advertisedListeners: [],
    command: async () => ({ fields: ['engine-1', '0', ''], body: '' }),
  });
  const lease = { engine: undefined, begin: vi.fn(), pingAt: vi.fn() };
  const connection = Object.assign(new EventEmitter(), { disconnect: () => {} });
  const pingListen = { host: '127.0.0.1', port: 0 };
  const survival = { lookMilliseconds: 500, graceMilliseconds: 30_000, isRehoming: true, pingListen };
  new Survival(
    {
      engine,
      lease,
      redis: { duplicate: () => connection },
      table: { size: 0, forEach: () => {} },
      holder: 'own 1',
      transfers: {},
      settings: { survival },
      log: pino({ level: 'silent' }),
    } as unknown as SurvivalDeps,
    () => {},
  ).start();
  engine.emit('up');
  await vi.waitFor(() => expect(awaiting).toHaveBeenCalled());
  expect(lease.begin).toHaveBeenCalledTimes(1);
  expect(lease.pingAt).toHaveBeenCalledExactlyOnceWith({ host: '127.0.0.1', port: expect.any(Number) });
});
