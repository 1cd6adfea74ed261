import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import type { EngineLink } from '../../../../src/edge/sip/engine-link.js';
import type { HolderLease } from '../../../../src/edge/survival/holder-lease.js';
import { Recovery, type RecoveryDeps } from '../../../../src/edge/survival/recovery.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

const graceMilliseconds = 30_000;
const engineLost = { reason: 'engine_lost', by: 'edge' } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A confirmed call whose connection to the engine is lost. @param had names of the dialogs that the engine has */
function lostCall(had: readonly string[], { instance = 'engine', isRedisUp = true } = {}) {
  const { request, response } = invitation();
  const call = new InboundCall(new CallDoubles().deps, request, response);
  const dialogs = { trunk: new DialogDouble('trunk'), agent: new DialogDouble('agent') };
  const table = new CallTable();
  table.add(call);
  call.admit({ number: '1', organization: 'acme', release: () => {} });
  call.identifyAgent({ agentUri: 'sip:agent@192.0.2.9', agentSipCallId: 'sip-2' });
  for (const side of ['trunk', 'agent'] as const) call.setDialog(side, dialogs[side].asDialog);
  call.answer();
  call.acknowledge();
  call.confirm();
  const released: string[] = [];
  const engine = {
    keepsDialogs: true,
    releasesLegs: true,
    owner: 'own',
    isUp: true,
    advertised: [],
    rebind: () => {},
    unansweredInvites: () => [],
    command: async (leader: string, body = '') => {
      if (leader === 'release') released.push(...(JSON.parse(body).dialogs as object[]).map(() => 'leg'));
      if (leader === 'restore') return { fields: [], body: JSON.stringify(had.map((id) => ({ id }))) };
      const isAdopt = leader.startsWith('adopt');
      const adopted = instance === 'engine' ? had.map((id) => ({ id })) : [];
      return isAdopt ? { fields: [], body: JSON.stringify(adopted) } : { fields: [instance], body: '' };
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
  const recovery = new Recovery({
    engine: engine as unknown as EngineLink,
    lease: lease as unknown as HolderLease,
    table,
    endLost: (calls) => {
      for (const each of calls) each.end(engineLost, { engineIsGone: true });
    },
    graceMilliseconds,
    adoptLost: async () => {},
    adoption: { isUnfinished: false },
    log: { warn: () => {}, info: () => {} } as unknown as RecoveryDeps['log'],
  });
  recovery.down();
  return { call, dialogs, recovery, released };
}

const bye = (text: string) => [{ headers: { Reason: `SIP;cause=503;text="${text}"` } }];

describe('a call of which the engine has one dialog, once it is connected again', () => {
  for (const instance of ['engine', 'restarted'])
    it(`ends with BYE to the peer of the other one (${instance})`, async () => {
      const { call, dialogs, recovery } = lostCall(['agent'], { instance });
      await recovery.up();
      expect(call.state.ending).toMatchObject(engineLost);
      expect(call.state.ending?.detail).toContain('dialog of the trunk');
      await vi.advanceTimersByTimeAsync(0);
      expect(dialogs.agent.byes).toEqual(bye('Other leg lost'));
      expect(dialogs.trunk.byes).toEqual([]);
      recovery.stop();
    });

  it('ends without BYE where the engine has neither', async () => {
    const { call, dialogs, recovery } = lostCall([]);
    await recovery.up();
    await vi.advanceTimersByTimeAsync(0);
    expect(call.hasEnded).toBe(true);
    expect([...dialogs.trunk.byes, ...dialogs.agent.byes]).toEqual([]);
    recovery.stop();
  });
});

describe('a call that is not continued in time, although the engine is connected', () => {
  it('ends with BYE to both peers', async () => {
    const { call, dialogs, recovery } = lostCall(['trunk', 'agent'], { isRedisUp: false });
    await recovery.up();
    await vi.advanceTimersByTimeAsync(graceMilliseconds - 1);
    expect(call.hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(call.state.ending).toMatchObject(engineLost);
    for (const dialog of Object.values(dialogs)) expect(dialog.byes).toEqual(bye('Engine lost'));
    recovery.stop();
  });

  it('has its legs ended by an engine that was restarted and knows none of them', async () => {
    const { call, dialogs, recovery, released } = lostCall([], { instance: 'restarted', isRedisUp: false });
    await recovery.up();
    await vi.advanceTimersByTimeAsync(graceMilliseconds);
    expect(call.hasEnded).toBe(true);
    expect(released).toEqual(['leg', 'leg']);
    expect([...dialogs.trunk.byes, ...dialogs.agent.byes]).toEqual([]);
    recovery.stop();
  });
});
