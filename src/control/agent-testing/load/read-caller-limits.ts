import type { Kysely } from 'kysely';
import type { AgentTestSettings } from '../../../config/agent-test-settings.js';
import type { TestCallSettings } from '../../../config/speech-settings.js';
import type { Database } from '../../database/tables.js';
import { e164 } from '../../http/phone-number.js';
import { composeNumberDocuments } from '../../numbers/number-documents.js';
import { readOrganizationLimits } from '../../organizations/limits.js';
import { readScenarios, unknownScenario } from '../scenarios/scenario-storage.js';
import type { LoadTestOrder } from '../schemas/load-test.js';
import { calledNumber } from '../voice/destination.js';
import { type CallerLimit, shareOf } from './caller-limits.js';

export interface LimitSettings {
  readonly agentTests: Pick<AgentTestSettings, 'loadCallers'>;
  readonly testCalls: Pick<TestCallSettings, 'concurrency' | 'concurrencyOfOrganization'>;
  readonly organizationMaximumCalls: number;
}

/** All limits of the callers of a load test at once. Throws `DemarcError` `NOT_FOUND` for a scenario. */
export async function readCallerLimits(
  database: Kysely<Database>,
  { agentTests, testCalls, organizationMaximumCalls }: LimitSettings,
  organizationId: string,
  { scenario_ids: ids, channel }: Pick<LoadTestOrder, 'scenario_ids' | 'channel'>,
): Promise<CallerLimit[]> {
  const limits: CallerLimit[] = [
    {
      callers: agentTests.loadCallers,
      what: 'the limit of this service for load tests (DEMARC_AGENT_TEST_LOAD_CALLERS)',
    },
  ];
  const scenarios = await readScenarios(database, organizationId, ids);
  const missing = ids.find((id) => !scenarios.some(({ row }) => row.id === id.toLowerCase()));
  if (missing !== undefined) throw unknownScenario(missing);
  const called = scenarios.filter(({ row }) => (channel ?? row.channel) === 'voice');
  if (called.length === 0) return limits;
  const own = (await readOrganizationLimits(database, [organizationId])).get(organizationId);
  limits.push(
    {
      callers: testCalls.concurrency,
      what: 'the limit of this service for runs by voice (DEMARC_TEST_CALLS)',
    },
    {
      callers: testCalls.concurrencyOfOrganization,
      what: 'the limit of an organization for runs by voice (DEMARC_TEST_CALLS_PER_ORGANIZATION)',
    },
  );
  limits.push(
    own?.concurrent_calls === undefined
      ? shareOf(organizationMaximumCalls, 'of an organization (DEMARC_ORGANIZATION_MAX_CALLS)')
      : shareOf(own.concurrent_calls, 'of the organization (concurrent_calls)'),
  );
  const numbers = await Promise.all(called.map(({ row }) => calledNumber(database, organizationId, row)));
  const known = [...new Set(numbers.filter((number) => number !== null))];
  for (const [number, { limits: own }] of await composeNumberDocuments(database, known)) {
    const { concurrent_calls: calls } = own;
    if (calls !== undefined) limits.push(shareOf(calls, `of ${e164(number)} (limits.concurrent_calls)`));
  }
  return limits;
}
