import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promotionGate } from '../../../../src/control/agent-testing/gates/promotion-gate.js';
import { PromotionSweep } from '../../../../src/control/agent-testing/gates/promotion-sweep.js';
import { promotePathwayVersion } from '../../../../src/control/pathways/index.js';
import { changePathway, createPathway, pathways } from '../../../../src/control/pathways/pathway-storage.js';
import { changePersona, createPersona, personas } from '../../../../src/control/personas/persona-storage.js';
import { promoteDraft } from '../../../../src/control/personas/promotion.js';
import { DemarcError } from '../../../../src/errors.js';
import { documentWith } from '../../../unit/control/pathways/sample-document.js';
import { ControlBench, log } from '../control-bench.js';
import { StoredRuns, storeScenario } from './stored-runs.js';

let bench: ControlBench;
let runs: StoredRuns;
let by: { organizationId: string; keyId: string };

beforeAll(async () => {
  bench = await ControlBench.start();
  runs = new StoredRuns(bench.database);
  by = { organizationId: bench.organization, keyId: 'key_test' };
});
afterAll(() => bench?.stop());

const gates = () => [promotionGate({ database: bench.database, runs, budget: { admit: async () => {} } })];
const sweep = (own = runs): Promise<void> =>
  new PromotionSweep({ database: bench.database, runs: own, wakeDeliveries: () => {}, log }).sweep();

/** Waits within the transaction that starts further runs of the first promotion. */
class SlowRuns extends StoredRuns {
  private reached!: () => void;
  proceed!: () => void;
  readonly isExtending = new Promise<void>((resolve) => {
    this.reached = resolve;
  });
  private readonly mayProceed = new Promise<void>((resolve) => {
    this.proceed = resolve;
  });

  override async extendBatch(...args: Parameters<StoredRuns['extendBatch']>): Promise<void> {
    this.reached();
    await this.mayProceed;
    await super.extendBatch(...args);
  }
}

/** A pathway with two required scenarios, one that is not required, and one that is disabled. */
async function pathwayWithGate() {
  const id = randomUUID();
  await createPathway(bench.database, bench.organization, id, { name: 'x', document: documentWith() });
  const store = (name: string, more: object = {}) =>
    storeScenario(bench.database, bench.organization, { name, pathway: id, ...more });
  const refund = await store('Refund', { isRequired: true });
  const booking = await store('Booking', { isRequired: true });
  await store('Rambling');
  await store('Old', { isRequired: true, isEnabled: false });
  return { id, refund, booking };
}
const promote = (id: string) =>
  promotePathwayVersion({ database: bench.database, gates: gates() }, by, id, undefined);
const show = (id: string) => pathways.read(bench.database, bench.organization, id);
/** As many runs pass as the gate asks for. */
async function passAll(...scenarioIds: string[]): Promise<void> {
  while ((await runs.waiting(...scenarioIds)) > 0) {
    for (const id of scenarioIds) await runs.end(id, 'PASSED');
    await sweep();
  }
}

describe('the gate of a promotion', () => {
  it('runs the required scenarios alone, and the version becomes live when all have passed', async () => {
    const { id, refund, booking } = await pathwayWithGate();
    expect(await promote(id)).toBe('testing');
    const { promotion } = await show(id);
    expect(promotion).toMatchObject({ status: 'RUNNING', version_number: 1 });
    const { rows } = await sql<{ scenario_id: string; origin: string; version_number: number }>`
      select scenario_id, origin, version_number from agent_test_runs where batch_id = ${promotion!.batch_id}`.execute(
      bench.database,
    );
    const five = (id: string) => Array(5).fill(id);
    expect(rows.map((row) => row.scenario_id).sort()).toEqual([...five(refund), ...five(booking)].sort());
    expect(rows[0]).toMatchObject({ origin: 'gate', version_number: 1 });
    await runs.end(refund, 'PASSED');
    await sweep();
    expect((await show(id)).production).toBeUndefined();
    await runs.end(booking, 'PASSED');
    // Five runs that pass do not show that 65 % will: three more of each are run.
    await sweep();
    expect(await show(id)).toMatchObject({ production: undefined, promotion: { status: 'RUNNING' } });
    expect(await runs.waiting(refund, booking)).toBe(6);
    await runs.end(refund, 'PASSED');
    await runs.end(booking, 'PASSED');
    await sweep();
    expect(await show(id)).toMatchObject({
      production: { version_number: 1, promoted_by: 'key_test' },
      promotion: { status: 'PROMOTED', reasons: [] },
    });
  });

  it('keeps a version from becoming live when a scenario fails or cannot run, and says why', async () => {
    const { id, refund, booking } = await pathwayWithGate();
    await promote(id);
    await runs.end(refund, 'FAILED', { failed: 'Says the price' });
    await runs.end(booking, 'ERROR', { error: 'No language model is configured.' });
    await sweep();
    expect(await show(id)).toMatchObject({
      production: undefined,
      promotion: {
        status: 'REFUSED',
        reasons: [
          'Scenario “Booking” could not be run: No language model is configured.',
          'Scenario “Refund” failed: 0 of 5 runs passed (0–43 %, 65 % required): Says the price.',
        ],
      },
    });
    // A repetition does not begin a new series; a changed version does.
    await expect(promote(id)).rejects.toMatchObject({
      code: 'PROMOTION_REFUSED',
      message: expect.stringContaining('Scenario “Refund” has failed with this version: 0 of 5 runs passed'),
    });
    const document = documentWith((d) => {
      d.settings!.global_prompt = 'Say the price.';
    });
    await changePathway(bench.database, bench.organization, id, { document });
    expect(await promote(id)).toBe('testing');
    await passAll(refund, booking);
    expect((await show(id)).production?.version_number).toBe(1);
  });

  it('counts the runs of earlier promotions of the version, and runs as many as it needs at most', async () => {
    const { id, refund, booking } = await pathwayWithGate();
    const round = async (refundPasses: boolean) => {
      await runs.end(refund, refundPasses ? 'PASSED' : 'FAILED');
      await runs.end(booking, 'PASSED');
      await sweep();
    };
    await promote(id);
    await runs.endSome(refund, 'FAILED', 2);
    await round(true);
    expect(await runs.waiting(refund, booking)).toBe(12 + 3);
    await runs.endSome(refund, 'FAILED', 2);
    await round(true);
    // It would take eight more, and this promotion may start three.
    expect((await show(id)).promotion).toMatchObject({
      status: 'REFUSED',
      reasons: [expect.stringMatching(/^Scenario “Refund” failed: 13 of 17 runs passed .*65 % required/)],
    });
    expect(await promote(id)).toBe('testing');
    await round(true);
    expect(await runs.waiting(refund, booking)).toBe(3);
    await round(true);
    expect((await show(id)).promotion?.status).toBe('PROMOTED');
  });

  it('stays closed for a scenario that cannot fail, and for one that the stand-in judged', async () => {
    const { id, refund, booking } = await pathwayWithGate();
    await promote(id);
    await sql`update agent_test_runs set is_stand_in = true where scenario_id = ${booking}`.execute(
      bench.database,
    );
    await runs.end(refund, 'PASSED');
    await runs.end(booking, 'PASSED');
    await sweep();
    expect((await show(id)).promotion).toMatchObject({
      status: 'REFUSED',
      reasons: [expect.stringMatching(/^Scenario “Booking” used the stand-in/)],
      is_stand_in: true,
    });
    await storeScenario(bench.database, bench.organization, {
      name: 'Says nothing',
      pathway: id,
      isRequired: true,
      hasAssertion: false,
    });
    await expect(promote(id)).rejects.toMatchObject({
      code: 'PROMOTION_REFUSED',
      message: expect.stringContaining('Scenario “Says nothing” has no required assertion'),
    });
  });

  it('refuses at once when its scenarios cannot be started', async () => {
    const { id } = await pathwayWithGate();
    runs.refusal = new DemarcError('NOT_FOUND', 'Version 1 not found');
    await expect(promote(id)).rejects.toMatchObject({
      code: 'PROMOTION_REFUSED',
      message: expect.stringContaining('The required scenarios cannot run: '),
    });
    runs.refusal = undefined;
    expect((await show(id)).promotion).toBeUndefined();
  });

  it('lets one of many promotions through at a time', async () => {
    const { id, refund, booking } = await pathwayWithGate();
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => promote(id)));
    const codes = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value : (answer.reason as DemarcError).code,
    );
    expect(codes.sort()).toEqual([...Array(5).fill('PROMOTION_RUNNING'), 'testing']);
    await runs.end(refund, 'PASSED');
    await runs.end(booking, 'PASSED');
    // Two processes decide it at the same time; it happens once.
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await runs.waiting(refund, booking)).toBe(6);
    await runs.end(refund, 'PASSED');
    await runs.end(booking, 'PASSED');
    await Promise.all([sweep(), sweep(), sweep()]);
    expect((await show(id)).promotion?.status).toBe('PROMOTED');
  });

  it('waits for the further runs that another process started since it looked', async () => {
    const [first, second] = [await pathwayWithGate(), await pathwayWithGate()];
    for (const { id, refund, booking } of [first, second]) {
      await promote(id);
      await runs.end(refund, 'PASSED');
      await runs.end(booking, 'PASSED');
    }
    const slow = new SlowRuns(bench.database);
    const sweeping = sweep(slow);
    await slow.isExtending;
    await sweep();
    slow.proceed();
    await sweeping;
    expect((await show(second.id)).promotion?.status).toBe('RUNNING');
    await passAll(first.refund, first.booking, second.refund, second.booking);
    for (const { id } of [first, second]) expect((await show(id)).promotion?.status).toBe('PROMOTED');
  });

  it('does not let a version become live that changed while its scenarios ran', async () => {
    const { id, refund, booking } = await pathwayWithGate();
    await promote(id);
    const document = documentWith((d) => {
      d.settings!.global_prompt = 'Be rude.';
    });
    await changePathway(bench.database, bench.organization, id, { document });
    await passAll(refund, booking);
    expect(await show(id)).toMatchObject({
      production: undefined,
      promotion: {
        status: 'REFUSED',
        reasons: ['All scenarios passed, but: The version changed meanwhile.'],
      },
    });
  });

  it('is over after an hour without an end, and its runs are cancelled', async () => {
    const { id, refund } = await pathwayWithGate();
    await promote(id);
    await runs.end(refund, 'PASSED');
    const { promotion } = await show(id);
    await sql`update promotions set created_at = now() - interval '61 minutes' where id = ${promotion!.id}`.execute(
      bench.database,
    );
    await sweep();
    expect((await show(id)).promotion).toMatchObject({
      status: 'REFUSED',
      reasons: ['Scenario “Booking” did not end within 60 minutes.'],
    });
    expect(runs.cancelled).toHaveLength(5);
  });

  it('holds for personas as well', async () => {
    const id = randomUUID();
    await createPersona(bench.database, bench.organization, id, { name: 'Front desk' });
    const greet = await storeScenario(bench.database, bench.organization, {
      name: 'Greet',
      persona: id,
      isRequired: true,
    });
    const promoteIt = () => promoteDraft({ database: bench.database, gates: gates() }, by, id);
    expect(await promoteIt()).toBe('testing');
    await passAll(greet);
    expect(await personas.read(bench.database, bench.organization, id)).toMatchObject({
      production: { version_number: 1 },
      promotion: { status: 'PROMOTED' },
    });
    await changePersona(bench.database, bench.organization, id, {
      description: {},
      content: { orchestration_prompt: 'Hang up.' },
    });
    await promoteIt();
    await runs.end(greet, 'FAILED');
    await sweep();
    expect(await personas.read(bench.database, bench.organization, id)).toMatchObject({
      production: { version_number: 1 },
      draft: { version_number: 2 },
      promotion: {
        status: 'REFUSED',
        reasons: ['Scenario “Greet” failed: 0 of 5 runs passed (0–43 %, 65 % required).'],
      },
    });
  });

  it('is open without required scenarios', async () => {
    const id = randomUUID();
    await createPathway(bench.database, bench.organization, id, { name: 'x', document: documentWith() });
    expect(await promote(id)).toBe('live');
  });
});
