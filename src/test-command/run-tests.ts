import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiClient } from './api-client.js';
import {
  batchAnswerSchema,
  type EndedTest,
  runAnswerSchema,
  scenarioPageSchema,
  startedSchema,
} from './test-records.js';

export interface TestOrder {
  /** Ids or names; empty: all enabled ones of the pathway or persona. */
  readonly scenarios: readonly string[];
  readonly pathway?: string | undefined;
  readonly persona?: string | undefined;
  readonly version?: number | undefined;
  readonly channel?: 'text' | 'voice' | undefined;
  readonly data?: Readonly<Record<string, string>> | undefined;
}

/** Wrong use of the command: the message is for the terminal. */
export class UsageError extends Error {}

const pollMilliseconds = 500;
/** Of one batch; the API takes no more. */
const maximumScenarios = 100;

/**
 * Runs the scenarios as one batch and resolves when all have ended. Cancels them when the signal fires. Rejects with `UsageError`,
 * `RequestFailure`, or the signal's reason.
 */
export async function runTests(
  client: ApiClient,
  order: TestOrder,
  signal: AbortSignal,
): Promise<{ readonly batchId: string; readonly tests: readonly EndedTest[] }> {
  const ids = await scenarioIds(client, order, signal);
  const started = await client.ask(startedSchema, '/agent-testing/batch-run', {
    body: {
      scenario_ids: ids,
      trigger_source: 'ci',
      ...(order.version === undefined ? {} : { version_number: order.version }),
      ...(order.channel === undefined ? {} : { channel: order.channel }),
      ...(order.data === undefined ? {} : { request_data_override: order.data }),
    },
    signal,
  });
  const { batch_id: batchId, runs } = started.data;
  const path = `/agent-testing/batches/${batchId}`;
  try {
    for (;;) {
      const { data } = await client.ask(batchAnswerSchema, path, { signal });
      if (data.completed_at !== null) break;
      await sleep(pollMilliseconds, undefined, { signal });
    }
  } catch (error) {
    await cancel(
      client,
      runs.map(({ run_id: id }) => id),
    );
    // Timers reject with their own error class.
    throw signal.aborted ? signal.reason : error;
  }
  const tests: EndedTest[] = [];
  for (const { run_id: id } of runs)
    tests.push((await client.ask(runAnswerSchema, `/agent-testing/runs/${id}`, { signal })).data);
  return { batchId, tests };
}

async function cancel(client: ApiClient, ids: readonly string[]): Promise<void> {
  const signal = AbortSignal.timeout(5_000);
  // Those that ended meanwhile are no failure.
  for (const id of ids)
    await client.ask(z.unknown(), `/agent-testing/runs/${id}/cancel`, { body: {}, signal }).catch(() => {});
}

async function scenarioIds(
  client: ApiClient,
  { scenarios, pathway, persona }: TestOrder,
  signal: AbortSignal,
): Promise<string[]> {
  if (scenarios.length === 0 && pathway === undefined && persona === undefined)
    throw new UsageError('Name scenarios (--scenario) or what they test (--pathway, --persona).');
  const isId = (text: string): boolean => z.uuid().safeParse(text.toLowerCase()).success;
  const all =
    scenarios.length > 0 && scenarios.every(isId)
      ? []
      : await listScenarios(client, { pathway, persona }, signal);
  const found =
    scenarios.length === 0
      ? all.filter(({ enabled }) => enabled).map(({ id }) => id)
      : scenarios.map((text) => (isId(text) ? text : idByName(all, text)));
  const ids = [...new Set(found)];
  if (ids.length === 0) throw new UsageError('There is no enabled scenario.');
  if (ids.length > maximumScenarios)
    throw new UsageError(`There are ${ids.length} scenarios; one batch runs at most ${maximumScenarios}.`);
  return ids;
}

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

function idByName(all: readonly Listed[], name: string): string {
  const named = all.filter((scenario) => scenario.name === name);
  const [first] = named;
  if (first === undefined) throw new UsageError(`There is no scenario “${name}”.`);
  if (named.length === 1) return first.id;
  const ids = named.map(({ id }) => id).join(', ');
  throw new UsageError(
    `Several scenarios are named “${name}”: use an id (${ids}), or --pathway or --persona.`,
  );
}

async function listScenarios(
  client: ApiClient,
  { pathway, persona }: Pick<TestOrder, 'pathway' | 'persona'>,
  signal: AbortSignal,
): Promise<Listed[]> {
  const query = new URLSearchParams({ limit: '100' });
  if (pathway !== undefined) query.set('pathway_id', pathway);
  if (persona !== undefined) query.set('persona_id', persona);
  const found: Listed[] = [];
  for (;;) {
    const page = await client.ask(scenarioPageSchema, `/agent-testing/scenarios?${query}`, { signal });
    found.push(...page.data.scenarios);
    if (page.next === null) return found;
    query.set('after', page.next);
  }
}
