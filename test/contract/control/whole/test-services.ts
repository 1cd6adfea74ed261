import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { promotionGate } from '../../../../src/control/agent-testing/gates/promotion-gate.js';
import { PromotionSweep } from '../../../../src/control/agent-testing/gates/promotion-sweep.js';
import { driveLoadTest } from '../../../../src/control/agent-testing/load/drive-load-test.js';
import * as loadLeases from '../../../../src/control/agent-testing/load/load-test-lease.js';
import { storeLoadTest } from '../../../../src/control/agent-testing/load/load-test-storage.js';
import { MonitorSweep } from '../../../../src/control/agent-testing/monitors/monitor-sweep.js';
import { ScheduleSweep } from '../../../../src/control/agent-testing/schedules/schedule-sweep.js';
import { loadTestStart } from '../../../../src/control/agent-testing/schemas/load-test.js';
import { tornadoStart } from '../../../../src/control/agent-testing/schemas/tornado.js';
import { driveSession } from '../../../../src/control/agent-testing/tornado/drive-session.js';
import * as sessions from '../../../../src/control/agent-testing/tornado/session-storage.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { LeaseLost } from '../../../../src/control/jobs/drive-service.js';
import { promoteDraft } from '../../../../src/control/personas/promotion.js';
import { DemarcError } from '../../../../src/errors.js';
import { sampleRecord } from '../../../contract/control/history/sample-record.js';
import { documentWith } from '../../../unit/control/pathways/sample-document.js';
import { TestBench } from './test-bench.js';
import { Twin } from './twin.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let bench: TestBench;
let refusal: Error | undefined;
let serial = 0;
const log = pino({ level: 'silent' });
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  user = await api.user();
  bench = new TestBench(api);
  refusal = undefined;
});

const budget = {
  admit: async () => {
    if (refusal !== undefined) throw refusal;
  },
};
const said = (value: string) => ({ type: 'STRING_CHECK', config: { value, target: 'agent' } });
const signal = AbortSignal.timeout(3_600_000);
const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
const set = (table: string, id: string, values: Record<string, unknown>) =>
  api.database
    .updateTable(table as 'agent_test_schedules')
    .set(values)
    .where('organization_id', '=', user.organizationId)
    .where('id', '=', id)
    .execute();
const events = async (): Promise<string[]> => {
  const { rows } = await sql<{ event: string }>`select distinct event from deliveries
    where organization_id = ${user.organizationId} order by event`.execute(api.database);
  return rows.map(({ event }) => event);
};
const total = async (query: string): Promise<number> =>
  (await user.get(`/agent-testing/runs?${query}`)).data.total_count;

describe('a recurring test', () => {
  const sweep = (): Promise<void> =>
    new ScheduleSweep({
      database: api.database,
      runs: bench.runs,
      budget,
      settings: api.settings,
      wakeDeliveries: () => {
        bench.deliveries += 1;
      },
      log,
    }).sweep();
  const create = async (scenario: string, more: object = {}) => {
    const { data, body } = await user.post('/agent-testing/schedules', {
      name: 'Nightly',
      scenario_ids: [scenario],
      simulations_per_scenario: 1,
      recurrence: { type: 'interval', minutes: 60 },
      ...more,
    });
    expect(data, JSON.stringify(body)).toBeTruthy();
    return data.id as string;
  };
  const stored = (id: string) =>
    api.database
      .selectFrom('agent_test_schedules')
      .selectAll()
      .where('organization_id', '=', user.organizationId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  it('starts its set when it is due, once, and says whether it passes', async () => {
    await user.patch('/sip/alerts/contacts', { emails: ['a@acme.example'] });
    await user.post('/webhooks', {
      url: 'https://example.com/hooks',
      events: ['agent_test.schedule_failed', 'agent_test.schedule_recovered'],
    });
    const scenario = await bench.scenario(user, { assertions: [said('said')] });
    const id = await create(scenario);
    const later = await create(scenario, { name: 'Later' });
    const paused = await create(scenario, { name: 'Paused', enabled: false });
    const twin = await Twin.of(api, user.organizationId);
    const before = [await stored(later), await stored(paused)];
    const due = minutes(-90);
    await set('agent_test_schedules', id, { next_run_at: due });
    await sweep();
    const started = await stored(id);
    expect(started.next_run_at).toEqual(new Date(due.getTime() + 120 * 60_000));
    expect([bench.wakes, bench.deliveries]).toEqual([1, 1]);
    expect(await total(`simulation_set_id=${started.last_set_id}`)).toBe(1);
    expect([await stored(later), await stored(paused)]).toEqual(before);
    await sweep();
    // Due again while its set has not ended.
    await set('agent_test_schedules', id, { next_run_at: minutes(-1) });
    await sweep();
    expect(await stored(id)).toMatchObject({
      last_set_id: started.last_set_id,
      last_run_at: started.last_run_at,
    });
    expect((await stored(id)).next_run_at!.getTime()).toBeGreaterThan(Date.now());
    expect((await stored(id)).state).toBeNull();
    await bench.workAll(user);
    expect(await stored(id)).toMatchObject({ state: 'passing', problem: null, lowest_pass_rate: 1 });
    expect(await events()).toEqual([]);
    bench.script = () => ({ text: 'nothing' });
    for (const [state, expected] of [
      ['failing', ['agent_test.schedule_failed']],
      ['failing', ['agent_test.schedule_failed']],
    ] as const) {
      await set('agent_test_schedules', id, { next_run_at: minutes(-1) });
      await sweep();
      const since = (await stored(id)).state_since;
      await bench.workAll(user);
      expect(await stored(id)).toMatchObject({ state, lowest_pass_rate: 0 });
      if (bench.ended.length > 2) expect((await stored(id)).state_since).toEqual(since);
      expect(await events()).toEqual(expected);
    }
    bench.script = () => ({ text: 'You said it.' });
    await set('agent_test_schedules', id, { next_run_at: minutes(-1) });
    await sweep();
    await bench.workAll(user);
    expect(await stored(id)).toMatchObject({ state: 'passing', problem: null });
    expect(await events()).toEqual(['agent_test.schedule_failed', 'agent_test.schedule_recovered']);
    expect((await stored(later)).state).toBeNull();
    expect(await twin.changed()).toEqual([]);
  });

  it('says why its tests cannot be started, and is postponed after a failure of the service', async () => {
    const id = await create(await bench.scenario(user));
    await set('agent_test_schedules', id, { next_run_at: minutes(-1) });
    refusal = new DemarcError('TOKEN_BUDGET_USED', 'used up');
    await sweep();
    expect(await stored(id)).toMatchObject({ state: 'failing', last_set_id: null });
    expect((await stored(id)).problem).toMatch(/^The tests could not be started: .*used up\.$/);
    expect((await stored(id)).next_run_at!.getTime()).toBeGreaterThan(minutes(50).getTime());
    await set('agent_test_schedules', id, { next_run_at: minutes(-1), problem: null });
    refusal = new Error('PostgreSQL is down');
    await expect(sweep()).rejects.toThrow('PostgreSQL is down');
    const { problem, next_run_at: next } = await stored(id);
    expect(problem).toBeNull();
    expect(next!.getTime()).toBeGreaterThan(Date.now());
    expect(next!.getTime()).toBeLessThan(minutes(2).getTime());
  });

  it('is changed, listed in pages and deleted by its own organization', async () => {
    const scenario = await bench.scenario(user);
    const ids = [
      await create(scenario, { name: 'A' }),
      await create(scenario, { name: 'B' }),
      await create(scenario, { name: 'C' }),
    ];
    const twin = await Twin.of(api, user.organizationId);
    const list = async (query = '') => {
      const { data, body } = await user.get(`/agent-testing/schedules${query}`);
      return [data.schedules.map(({ id }: { id: string }) => id), body.next];
    };
    expect(await list()).toEqual([ids.toReversed(), null]);
    expect(await list('?limit=2')).toEqual([[ids[2], ids[1]], ids[1]]);
    expect(await list(`?limit=2&after=${ids[1]}`)).toEqual([[ids[0]], null]);
    const path = `/agent-testing/schedules/${ids[0]}`;
    const { next_run_at: next } = (await user.get(path)).data;
    expect((await user.patch(path, { name: 'D' })).data).toMatchObject({ name: 'D', next_run_at: next });
    expect((await user.patch(path, { enabled: false })).data).toMatchObject({ name: 'D', next_run_at: null });
    expect((await user.patch(path, { enabled: true })).data.next_run_at).not.toBeNull();
    expect((await user.get(`/agent-testing/schedules/${ids[1]}`)).data.name).toBe('B');
    expect((await user.delete(path)).status).toBe(200);
    expect(await list()).toEqual([[ids[2], ids[1]], null]);
    expect(await twin.changed()).toEqual([]);
  });
});

describe('a monitor of real calls', () => {
  const sweep = (): Promise<void> =>
    new MonitorSweep({ database: api.database, runs: bench.runs, budget, log }).sweep();
  const attach = async (): Promise<string> => {
    const phone_number = `+141555${60_000 + ++serial}`.slice(0, 12);
    const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }];
    expect((await user.post('/sip/attach', { phone_number, directions, service: 'sip' })).status).toBe(200);
    return phone_number;
  };
  const call = async (number: string, endedMinutesAgo: number, fields: object = {}): Promise<string> => {
    const id = `monitored-${++serial}`;
    const record = sampleRecord(id, {
      organization: user.organizationId,
      number: number.slice(1),
      started_at: minutes(-endedMinutesAgo - 2).toISOString(),
      answered_at: minutes(-endedMinutesAgo - 1).toISOString(),
      ended_at: minutes(-endedMinutesAgo).toISOString(),
      ...fields,
    });
    await storeEntries(api.database, [readEntry({ id: `${serial}-7`, json: JSON.stringify(record) })]);
    return id;
  };
  /** The agent noted what was said. */
  const heard = async (callId: string, text: string): Promise<void> => {
    const { data } = await user.post('/contacts/resolve', { external_id: callId });
    const { data: memory } = await user.patch(`/contacts/${data.contact.id}/memory`, {
      messages: [{ role: 'assistant', content: text }],
    });
    await sql`update contact_messages set call_id = ${callId}
      where organization_id = ${user.organizationId} and memory_id = ${memory.id}`.execute(api.database);
  };
  const create = async (number: string, scenario: string, more: object = {}) => {
    const { data, body } = await user.post('/agent-testing/monitors', {
      name: 'Desk',
      scenario_id: scenario,
      number,
      share: 1,
      ...more,
    });
    expect(data, JSON.stringify(body)).toBeTruthy();
    await set('agent_test_monitors', data.id, { created_at: minutes(-60), examined_until: minutes(-60) });
    return data.id as string;
  };
  const stored = (id: string) =>
    api.database
      .selectFrom('agent_test_monitors')
      .selectAll()
      .where('organization_id', '=', user.organizationId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  it('judges each answered call of its number once, a minute after its end', async () => {
    const [number, foreign] = [await attach(), await attach()];
    const persona = (await user.post('/personas', { name: 'Desk', orchestration_prompt: 'Answer.' })).data.id;
    await user.post(`/personas/${persona}/versions/promote`);
    const scenario = await bench.scenario(user, {
      agent: undefined,
      persona_id: persona,
      assertions: [said('nine')],
    });
    const id = await create(number, scenario);
    const paused = await create(number, scenario, { name: 'Paused', enabled: false });
    const [good, unheard] = [await call(number, 10), await call(number, 9)];
    const fresh = await call(number, 0);
    const skipped = [
      await call(foreign, 10),
      await call(number, 70),
      await call(number, 10, { answered_at: null }),
    ];
    for (const callId of [good, fresh, ...skipped]) await heard(callId, 'We open at nine.');
    const twin = await Twin.of(api, user.organizationId, (organizationId) =>
      sql`update agent_test_monitors set enabled = false
        where organization_id = ${organizationId}`.execute(api.database),
    );
    await sweep();
    expect(await total(`monitor_id=${id}`)).toBe(1);
    expect(await total(`call_id=${good}`)).toBe(1);
    expect(await stored(id)).toMatchObject({ unheard_calls: 1, problem: null, state: null });
    expect((await stored(id)).examined_until.getTime()).toBeGreaterThan(minutes(-3).getTime());
    expect(await stored(paused)).toMatchObject({ unheard_calls: 0 });
    expect(bench.wakes).toBe(1);
    await sweep();
    expect(await total(`monitor_id=${id}`)).toBe(1);
    expect(await stored(id)).toMatchObject({ unheard_calls: 1 });
    expect(bench.wakes).toBe(1);
    await bench.workAll(user);
    const [run] = (await user.get(`/agent-testing/runs?monitor_id=${id}`)).data.runs;
    expect(run).toMatchObject({ status: 'PASSED', call_id: good, channel: 'voice' });
    const { data } = await user.get(`/agent-testing/runs/${run.id}`);
    expect(data).toMatchObject({ end_reason: 'recorded', chat_history: [{ content: 'We open at nine.' }] });
    expect((await user.get(`/agent-testing/monitors/${id}`)).data.recent).toMatchObject({
      passed: 1,
      failed: 0,
    });
    expect([await total(`call_id=${unheard}`), await total(`call_id=${fresh}`)]).toEqual([0, 0]);
    expect(await twin.changed()).toEqual([]);
    expect((await user.patch(`/agent-testing/monitors/${paused}`, { enabled: true })).status).toBe(200);
    expect((await stored(paused)).examined_until.getTime()).toBeGreaterThan(minutes(-1).getTime());
    expect((await user.delete(`/agent-testing/monitors/${paused}`)).status).toBe(200);
    expect((await user.get('/agent-testing/monitors')).data.monitors).toHaveLength(1);
    expect(await twin.changed()).toEqual([]);
  });

  it('says why calls are not judged', async () => {
    const number = await attach();
    const id = await create(number, await bench.scenario(user));
    await heard(await call(number, 10), 'Nine.');
    refusal = new DemarcError('TOKEN_BUDGET_USED', 'used up');
    await sweep();
    expect((await stored(id)).problem).toMatch(/^Calls are not judged: .*used up\.$/);
    expect([await total(`monitor_id=${id}`), bench.wakes]).toEqual([0, 0]);
    refusal = new Error('down');
    await expect(sweep()).rejects.toThrow('down');
    refusal = undefined;
    await sweep();
    expect(await total(`monitor_id=${id}`)).toBe(1);
  });
});

describe('the gate of a promotion', () => {
  const sweep = (): Promise<void> =>
    new PromotionSweep({ database: api.database, runs: bench.runs, wakeDeliveries: () => {}, log }).sweep();
  const promote = (id: string) =>
    promoteDraft(
      {
        database: api.database,
        gates: [promotionGate({ database: api.database, runs: bench.runs, budget })],
      },
      { organizationId: user.organizationId, keyId: 'key_test' },
      id,
    );
  const persona = async () =>
    (await user.post('/personas', { name: 'Desk', orchestration_prompt: 'Answer.' })).data.id as string;
  const required = (id: string, more: object = {}) =>
    bench.scenario(user, {
      agent: undefined,
      persona_id: id,
      is_required_for_promotion: true,
      promotion_runs: 2,
      required_pass_rate: 0.1,
      assertions: [said('said')],
      ...more,
    });
  const status = async () => {
    const { rows } = await sql<{ status: string; reasons: string[] }>`select status, reasons from promotions
      where organization_id = ${user.organizationId} order by created_at`.execute(api.database);
    return rows.map((row) => row.status);
  };
  const live = async (id: string) => (await user.get(`/personas/${id}`)).data.current_production_version;

  it('makes a version live once its required scenarios passed, and them alone', async () => {
    const [id, neighbour] = [await persona(), await persona()];
    const scenario = await required(id);
    await required(id, { is_required_for_promotion: false, assertions: [said('never')] });
    await required(id, { enabled: false, assertions: [said('never')] });
    await required(neighbour);
    const twin = await Twin.of(api, user.organizationId);
    expect(await promote(id)).toBe('testing');
    await expect(promote(id)).rejects.toMatchObject({ code: 'PROMOTION_RUNNING' });
    expect([await total(`scenario_id=${scenario}`), await total('')]).toEqual([2, 2]);
    await sweep();
    expect([await status(), await live(id)]).toEqual([['RUNNING'], null]);
    await bench.workAll(user);
    await sweep();
    expect(await status()).toEqual(['PROMOTED']);
    expect(await live(id)).toMatchObject({ version_number: 1 });
    expect(await live(neighbour)).toBeNull();
    expect(await twin.changed()).toEqual([]);
  });

  it('refuses a version whose scenarios fail, at once where they did before', async () => {
    const id = await persona();
    await required(id, { assertions: [said('never')], required_pass_rate: 0.9 });
    expect(await promote(id)).toBe('testing');
    await bench.workAll(user);
    await sweep();
    await bench.workAll(user);
    await sweep();
    expect([await status(), await live(id)]).toEqual([['REFUSED'], null]);
  });

  it('refuses what cannot be tested', async () => {
    const id = await persona();
    await required(id);
    refusal = new DemarcError('TOKEN_BUDGET_USED', 'used up');
    await expect(promote(id)).rejects.toMatchObject({ code: 'PROMOTION_REFUSED' });
    expect([await status(), await total('')]).toEqual([[], 0]);
  });

  it('gives up after hours, and cancels what has not ended', async () => {
    const id = await persona();
    await required(id);
    await promote(id);
    await sql`update promotions set created_at = now() - interval '1 day'
      where organization_id = ${user.organizationId}`.execute(api.database);
    await sweep();
    expect([await status(), await live(id)]).toEqual([['REFUSED'], null]);
    expect(await total('status=CANCELLED')).toBe(2);
  });
});

describe('a load test', () => {
  const create = async (more: object = {}) => {
    const order = loadTestStart.parse({
      scenario_ids: [await bench.scenario(user, { assertions: [said('said')] })],
      concurrency: [1, 2],
      callers_per_step: 6,
      required_success_rate: 0.5,
      webhook_url: 'https://hooks.example.com/load',
      ...more,
    });
    // By no request: the service of the API would begin to drive it.
    const { database, settings } = api;
    const { organizationId } = user;
    return (
      await storeLoadTest({ database, settings, runs: bench.runs }, organizationId, randomUUID(), order)
    ).id;
  };
  const terms = { limit: 5, leaseMilliseconds: 60_000, driven: [] };
  const claim = async (owner: string, id: string, driven: readonly string[] = []) =>
    (await loadLeases.claimLoadTests(api.database, owner, { ...terms, driven })).find((row) => row.id === id);
  const drive = async (id: string) => {
    const owner = randomUUID();
    const test = (await claim(owner, id))!;
    return driveLoadTest(
      {
        database: api.database,
        runs: bench.runs,
        work: bench.worker(),
        budget,
        wakeDeliveries: () => {
          bench.deliveries += 100;
        },
      },
      { test, owner },
      signal,
    );
  };
  const show = async (id: string) => (await user.get(`/agent-testing/load-tests/${id}`)).data;

  it('runs its steps with so many callers, one after the other, and sends its webhook', async () => {
    const id = await create();
    await expect(create()).rejects.toMatchObject({ code: 'LOAD_TEST_RUNNING' });
    await drive(id);
    const found = await show(id);
    expect(found).toMatchObject({ status: 'COMPLETED', error_message: null });
    expect(found.steps).toMatchObject([
      { concurrency: 1, success_rate: 1, attempts: 1 },
      { concurrency: 2, success_rate: 1, attempts: 1 },
    ]);
    expect(await total(`load_test_id=${id}`)).toBe(12);
    expect(await events()).toEqual(['agent_test.load_test_completed']);
    expect(bench.deliveries).toBe(112);
    const twin = await Twin.of(api, user.organizationId);
    expect((await user.get('/agent-testing/load-tests')).data.load_tests).toHaveLength(1);
    expect((await user.get('/agent-testing/load-tests?status=RUNNING')).data.load_tests).toEqual([]);
    expect((await user.post(`/agent-testing/load-tests/${id}/cancel`)).error).toBe('RUN_ENDED');
    expect(await twin.changed()).toEqual([]);
  });

  it('stops after the step at which the agent breaks', async () => {
    const id = await create();
    bench.script = () => ({ text: 'nothing' });
    await drive(id);
    expect((await show(id)).steps[0]).toMatchObject({
      concurrency: 1,
      success_rate: 0,
      breaks: 'success_rate',
    });
    expect(await total(`load_test_id=${id}`)).toBe(6);
  });

  it('is driven by the process that has its lease, until it is cancelled', async () => {
    const id = await create();
    const [owner, thief] = [randomUUID(), randomUUID()];
    expect(await claim(owner, id, [id])).toBeUndefined();
    const test = (await claim(owner, id))!;
    expect(await claim(thief, id)).toBeUndefined();
    const [own, stolen] = [
      { test, owner },
      { test, owner: thief },
    ];
    const renewed = (lease: typeof own) => loadLeases.renewLease(api.database, lease, 60_000);
    const locked = (lease: typeof own) =>
      api.database.transaction().execute((transaction) => loadLeases.lockLoadTest(transaction, lease));
    expect([await renewed(own), await renewed(stolen)]).toEqual([true, false]);
    expect((await locked(own)).id).toBe(id);
    await expect(locked(stolen)).rejects.toBeInstanceOf(LeaseLost);
    await loadLeases.releaseLease(api.database, stolen);
    expect(await claim(thief, id)).toBeUndefined();
    await loadLeases.releaseLease(api.database, own);
    expect((await claim(thief, id))?.id).toBe(id);
    await loadLeases.releaseLease(api.database, stolen);
    // The step of a process that died begins again once, and then not a third time.
    await set('agent_test_load_tests', id, { step_attempts: 2 });
    await expect(drive(id)).rejects.toThrow('was interrupted 2 times');
    await set('agent_test_load_tests', id, { step_attempts: 0, lease_until: minutes(-1) });
    refusal = new DemarcError('TOKEN_BUDGET_USED');
    await expect(drive(id)).rejects.toMatchObject({ code: 'TOKEN_BUDGET_USED' });
    expect(await total(`load_test_id=${id}`)).toBe(0);
    refusal = undefined;
    await set('agent_test_load_tests', id, { lease_until: minutes(-1), step_attempts: 1 });
    bench.script = async () => {
      await user.post(`/agent-testing/load-tests/${id}/cancel`);
      return { text: 'said' };
    };
    await expect(drive(id)).rejects.toBeInstanceOf(LeaseLost);
    expect(await show(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await total('status=CANCELLED')).toBe(1);
    expect(await events()).toEqual(['agent_test.load_test_completed']);
  });

  it('cannot continue where no caller shows anything of the agent', async () => {
    const id = await create({ concurrency: [1], callers_per_step: 6 });
    bench.script = () => {
      throw new DemarcError('NOT_FOUND', 'no such number');
    };
    await expect(drive(id)).rejects.toThrow(
      /^No caller of the step of 1 showed anything of the agent: .*no such number/,
    );
    expect((await show(id)).status).toBe('RUNNING');
  });
});

describe('a tornado session', () => {
  const pathway = async () =>
    (await user.post('/pathways', { name: 'Appointments', document: documentWith() })).data.id as string;
  const scenarioOf = (id: string, value = 'said', more: object = {}) =>
    bench.scenario(user, { agent: undefined, pathway_id: id, assertions: [said(value)], ...more });
  const start = async (id: string, more: object = {}) => {
    const order = tornadoStart.parse({ pathway_id: id, runs_per_scenario: 5, ...more });
    // By no request: the service of the API would begin to drive it.
    return (await sessions.startSession(api.database, user.organizationId, randomUUID(), order)).id;
  };
  const terms = { limit: 5, leaseMilliseconds: 60_000, driven: [] };
  const claim = async (owner: string, id: string, driven: readonly string[] = []) =>
    (await sessions.claimSessions(api.database, owner, { ...terms, driven })).find((row) => row.id === id);
  const show = async (id: string) => (await user.get(`/agent-testing/tornado/${id}/status`)).data;
  /** Runs what was started before it waits for the ends. */
  const drive = async (id: string) => {
    const owner = randomUUID();
    const session = (await claim(owner, id))!;
    const models = { chat: undefined, judge: undefined, isStandIn: false, embeddings: undefined };
    const runs = {
      startBatch: bench.runs.startBatch.bind(bench.runs),
      wake: () => {},
      ended: async (...given: Parameters<typeof bench.runs.ended>) => {
        await bench.workAll(user);
        return bench.runs.ended(...given);
      },
    };
    return driveSession({ database: api.database, models, runs }, { session, owner }, signal);
  };

  it('ends when all its scenarios pass, of its pathway alone', async () => {
    const [id, neighbour] = [await pathway(), await pathway()];
    const scenarios = [await scenarioOf(id), await scenarioOf(id)];
    await scenarioOf(id, 'never', { enabled: false });
    const foreign = await scenarioOf(neighbour, 'never');
    const at = (path: string) => ({ faults: [{ path }] });
    await expect(start(id, { scenario_ids: [foreign] })).rejects.toMatchObject(at('scenario_ids.0'));
    await expect(start(await pathway())).rejects.toMatchObject(at('pathway_id'));
    const session = await start(id);
    await expect(start(id)).rejects.toMatchObject({ code: 'TORNADO_ACTIVE' });
    expect((await user.get(`/agent-testing/tornado/active?pathway_id=${id}`)).data.session_id).toBe(session);
    expect((await user.get(`/agent-testing/tornado/active?pathway_id=${neighbour}`)).status).toBe(404);
    const twin = await Twin.of(api, user.organizationId, (organizationId) =>
      sql`update agent_test_tornado_sessions set status = 'CANCELLED', completed_at = now()
        where organization_id = ${organizationId}`.execute(api.database),
    );
    await drive(session);
    expect(await show(session)).toMatchObject({
      status: 'COMPLETED_ALL_PASSED',
      current_iteration: 1,
      passed_scenarios: 2,
      failed_scenarios: 0,
    });
    expect((await show(session)).iterations[0].passed_ids.toSorted()).toEqual(scenarios.toSorted());
    expect(await total(`tornado_session_id=${session}`)).toBe(10);
    expect((await user.get(`/agent-testing/tornado/active?pathway_id=${id}`)).status).toBe(404);
    expect(await twin.changed()).toEqual([]);
    const list = async (query: string) =>
      (await user.get(`/agent-testing/tornado${query}`)).data.sessions.map(
        (each: { session_id: string }) => each.session_id,
      );
    const latest = await start(neighbour, { scenario_ids: [foreign.toUpperCase()] });
    expect(await list('')).toEqual([latest, session]);
    expect(await list(`?pathway_id=${id}`)).toEqual([session]);
    expect(await list('?status=RUNNING')).toEqual([latest]);
    expect(await list(`?after=${latest}`)).toEqual([session]);
    const cancelled = await user.post(`/agent-testing/tornado/${latest}/cancel`);
    expect([cancelled.status, (await show(latest)).status]).toEqual([200, 'CANCELLED']);
    expect((await show(session)).status).toBe('COMPLETED_ALL_PASSED');
  });

  it('ends partly done after its last iteration, and in ERROR where runs could not be completed', async () => {
    const id = await pathway();
    const [good, bad] = [await scenarioOf(id), await scenarioOf(id, 'never')];
    const session = await start(id, { max_iterations: 1 });
    await drive(session);
    expect(await show(session)).toMatchObject({ status: 'COMPLETED_PARTIAL', passed_scenarios: 1 });
    expect((await show(session)).iterations).toMatchObject([{ passed_ids: [good], failed_ids: [bad] }]);
    bench.script = () => {
      throw new DemarcError('NOT_FOUND', 'no such agent');
    };
    const broken = await start(id, { max_iterations: 1 });
    await drive(broken);
    expect(await show(broken)).toMatchObject({ status: 'ERROR' });
    expect((await show(broken)).error_message ?? (await show(broken)).error).toContain('no such agent');
  });

  it('is driven by the process that has its lease', async () => {
    const id = await pathway();
    await scenarioOf(id);
    const session = await start(id);
    const [owner, thief] = [randomUUID(), randomUUID()];
    expect(await claim(owner, session, [session])).toBeUndefined();
    const row = (await claim(owner, session))!;
    expect(await claim(thief, session)).toBeUndefined();
    const [own, stolen] = [
      { session: row, owner },
      { session: row, owner: thief },
    ];
    const renewed = (lease: typeof own) => sessions.renewLease(api.database, lease, 60_000);
    const locked = (lease: typeof own) =>
      api.database.transaction().execute((transaction) => sessions.lockSession(transaction, lease));
    expect([await renewed(own), await renewed(stolen)]).toEqual([true, false]);
    await expect(locked(stolen)).rejects.toBeInstanceOf(LeaseLost);
    expect((await locked(own)).id).toBe(session);
    await sessions.releaseLease(api.database, stolen);
    expect(await claim(thief, session)).toBeUndefined();
    await sessions.releaseLease(api.database, own);
    expect(await claim(thief, session)).toBeDefined();
    await expect(locked(own)).rejects.toBeInstanceOf(LeaseLost);
    expect(await sessions.endSession(api.database, row, 'TIMEOUT')).toBe(true);
    expect(await sessions.endSession(api.database, row, 'ERROR')).toBe(false);
    expect(await show(session)).toMatchObject({ status: 'TIMEOUT' });
    await expect(locked(stolen)).rejects.toBeInstanceOf(LeaseLost);
    expect(await renewed(stolen)).toBe(false);
  });
});
