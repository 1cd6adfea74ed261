import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callRecordSchema } from '../../../src/contract/call-record.js';
import { callStream } from '../../../src/contract/keys.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { until } from '../../../src/testkit/waiting.js';
import { ChrootFolder, withoutNewerPrograms } from '../../support/newer-programs.js';
import { configureNumber } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import type { TestProcess } from '../../support/processes.js';
import { RedisGroup } from '../../support/redis-group.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription } from '../media/descriptions.js';

const perSecond = 20;
const callCount = 5 * perSecond;

const servers = [
  { program: 'redis-server', place: () => undefined, missing: undefined },
  {
    program: 'valkey-server',
    place: () => ChrootFolder.make('valkey'),
    missing: withoutNewerPrograms,
  },
];
describe.each(servers)('a group of $program with three sentinels', ({ program, place, missing }) => {
  let group: RedisGroup;
  let bench: CallBench;
  let secondEdge: TestProcess;
  beforeAll(async () => {
    if (missing !== undefined) return;
    group = await RedisGroup.start(program, place());
    bench = await CallBench.start({
      ...group.settings,
      DEMARC_SECRET_KEY: generateSecretKey(),
      DEMARC_TRUNK_WAIT_MS: '250',
    });
    secondEdge = await bench.edgeProcess('other');
    const client = await group.client();
    await configureNumber(client, calledNumber, {
      inbound: [{ id: 'any' }],
      limits: { concurrent_calls: 100, calls_per_second: 100 },
    });
    client.disconnect();
  }, 180_000);
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    await secondEdge?.stop();
    await bench?.stop();
    await group?.stop();
  });

  /** The agent answers every call and every BYE. */
  async function answerCalls(count: number): Promise<void> {
    const agents = new Map<string, PeerCall>();
    const invites = async (): Promise<void> => {
      for (let call = 0; call < count; call++) {
        const invite = await bench.agent.expectRequest('INVITE', { milliseconds: 20_000 });
        const agent = PeerCall.from(bench.agent, invite.message);
        agents.set(agent.callId, agent);
        await agent.respond(invite, 200, { body: agentDescription() });
      }
    };
    const byes = async (): Promise<void> => {
      for (let call = 0; call < count; call++) {
        const bye = await bench.agent.expectRequest('BYE', { milliseconds: 20_000 });
        await agents.get(bye.message.headers.get('Call-ID') ?? '')!.respond(bye, 200);
      }
    };
    await Promise.all([invites(), byes()]);
  }

  async function callOnce(): Promise<string> {
    const trunk = await bench.call();
    const { message } = await trunk.response((status) => status >= 200);
    await trunk.ack(message);
    expect(message.status).toBe(200);
    await trunk.hangUp();
    return trunk.callId;
  }

  it('loses its primary under 20 calls a second: no call is refused, and each is recorded', async () => {
    const former = await group.primaryPort();
    const answering = answerCalls(callCount);
    const calls: Promise<string>[] = [];
    for (let call = 0; call < callCount; call++) {
      calls.push(callOnce());
      // What the primary stores in its last half second reaches no replica.
      if (call === perSecond) await group.stopReplication();
      if (call === 1.5 * perSecond) await group.killPrimary();
      await sleep(1_000 / perSecond);
    }
    const made = await Promise.all(calls);
    await answering;
    expect(new Set(made).size).toBe(callCount);
    expect(await group.primaryPort()).not.toBe(former);

    const client = await group.client();
    const recorded = async (): Promise<Map<string, Set<string>>> => {
      const found = new Map<string, Set<string>>();
      for (const [, [, json]] of await client.xrange(callStream, '-', '+')) {
        const { call_id: id, sip_call_ids: names } = callRecordSchema.parse(JSON.parse(json!));
        found.set(names.trunk!, (found.get(names.trunk!) ?? new Set()).add(id));
      }
      return found;
    };
    await until(async () => (await recorded()).size === callCount, 10_000, 'a record of every call');
    expect([...(await recorded()).values()].filter((ids) => ids.size > 1)).toEqual([]);
    client.disconnect();
  }, 180_000);
});
