import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Call } from '../../../../src/edge/call/call.js';
import type { CallTable } from '../../../../src/edge/call/call-table.js';
import type { EngineLink } from '../../../../src/edge/sip/engine-link.js';
import type { HolderLease } from '../../../../src/edge/survival/holder-lease.js';
import { Recovery, type RecoveryDeps } from '../../../../src/edge/survival/recovery.js';

const graceMilliseconds = 30_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

let failedTransfers = 0;
const call = {
  state: { phase: 'confirmed' },
  exchange: { isOpen: false },
  transfer: { connectionLost: () => failedTransfers++ },
  dialogs: { trunk: { id: 'trunk' }, agent: { id: 'agent' } },
} as unknown as Call;

it('the engine comes back while Redis is down: the calls continue when Redis is back', async () => {
  let isRedisUp = false;
  const commands: string[] = [];
  const lost: Call[] = [];
  const engine = {
    keepsDialogs: true,
    owner: 'own',
    isUp: true,
    rebind: () => {},
    command: async (leader: string) => {
      commands.push(leader);
      return leader.startsWith('adopt')
        ? { fields: ['2'], body: '[{"id":"trunk"},{"id":"agent"}]' }
        : { fields: ['engine', '1'], body: '' };
    },
  };
  const lease = {
    engine: 'engine',
    begin: () => {},
    renewed: async () => {
      if (!isRedisUp) throw new Error('Connection is closed.');
      return true;
    },
  };
  const table = { size: 1, forEach: (visit: (each: Call) => void) => visit(call) };
  const recovery = new Recovery({
    engine: engine as unknown as EngineLink,
    lease: lease as unknown as HolderLease,
    table: table as unknown as CallTable,
    endLost: (calls) => lost.push(...calls),
    graceMilliseconds,
    adoptLost: async () => {},
    adoption: { isUnfinished: false },
    log: { warn: () => {}, info: () => {} } as unknown as RecoveryDeps['log'],
  });
  recovery.down();
  await recovery.up();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(commands).not.toContain('adopt|own');
  isRedisUp = true;
  await vi.advanceTimersByTimeAsync(graceMilliseconds);
  expect(commands.filter((leader) => leader.startsWith('adopt'))).toEqual(['adopt|own']);
  expect(lost).toEqual([]);
  expect(failedTransfers).toBe(1);
});
