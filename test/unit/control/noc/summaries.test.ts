import { expect, it } from 'vitest';
import type { FoundCall, KnownEdge } from '../../../../src/control/fleet/fleet-reader.js';
import { Summaries, type SummaryDeps } from '../../../../src/control/noc/summaries.js';
import { emptyDatabase } from '../../../support/empty-database.js';

const database = emptyDatabase();

/** Its heartbeat is older than the list of calls. */
const edge = {
  isAlive: true,
  heartbeat: {
    edge_id: 'edge-1',
    counts: { calls: 9, ringing: 4, answered: 5 },
    calls_per_second: 0.5,
    organizations: { acme: { ringing: 4, answered: 5, begun: 3 } },
    engine: { up: true },
    redis: { ready: true },
    rtpengine: [{ state: 'up' }],
  },
} as unknown as KnownEdge;

const call = (organization: string, state: string): FoundCall =>
  ({
    call: { call_id: state, organization, number: null, from: '', to: '', state, started_at: '' },
    edgeId: 'edge-1',
  }) as unknown as FoundCall;

const summaries = (redis: { set(): Promise<string> }): Summaries =>
  new Summaries({
    database,
    redis,
    fleet: {
      edges: async () => [edge],
      calls: async () => [call('acme', 'answered'), call('acme', 'setup'), call('other', 'answered')],
    },
    states: () => [],
  } as unknown as SummaryDeps);

const audience = { organizationId: 'acme', isOperator: false };

it('counts the active calls that it lists', async () => {
  const all = summaries({ set: async () => 'OK' });
  const { calls } = await all.of(audience);
  expect(calls).toMatchObject({ active: 1, ringing: 1, calls_per_second: 0.3 });
  const listed = await all.liveCalls({ ...audience, scope: 'organization' });
  expect(listed.total).toBe(2);
  expect((await all.ofService()).calls).toMatchObject({ active: 2, ringing: 1, calls_per_second: 0.5 });
});

it('counts none while Redis refuses writes, as nothing says whether the list is current', async () => {
  const refusing = summaries({ set: () => Promise.reject(new Error('NOREPLICAS')) });
  const { calls } = await refusing.of(audience);
  expect(calls).toMatchObject({ active: null, ringing: null, calls_per_second: null });
});
