import { afterAll, beforeAll, expect, it } from 'vitest';
import { callStream } from '../../../src/contract/keys.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { sharedDatabase } from '../../support/shared-postgres.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { type ApiUnderTest, startApi } from '../control/api-under-test.js';
import { CallBench, type TwoLegs } from './bench.js';
import { type Work, WorkCounters } from './work-counters.js';

/**
 * What one call may cost at most, from INVITE to the stored record. A change that needs more work fails here, with the name of the
 * work; a change that saves work lowers its line. What a line counts is in `work-counters.ts`.
 */
const budgets = {
  /** Per call of ten, one after the other: what nothing can share. */
  inSequence: {
    // Requests and responses of both legs, and what became of the edge's own messages; not the copies for the trace.
    'frames from the engine to the edge': 12,
    // 180 and 200 to the caller, INVITE and ACK to the agent, BYE and a 200.
    'frames from the edge to the engine': 6,
    // INVITE, 180, ACK with 200, a 200 with BYE; more where rtpengine's reply takes longer than the ACK waits.
    'writes of the edge to the engine': 4.5,
    // SIP to both parties and frames to the edge; each is a system call and wakes a process.
    'writes of the engine': 13,
    // How often it sleeps until something arrives: with the writes, most of its cost at a low rate.
    'waits of the engine': 29,
    // Each message that reaches the edge is read once. Of the edge's own messages only INVITE and 200 are, outside of tests.
    'SIP messages read by the edge': 9,
    // Offer and answer, each as it came and as rtpengine rewrote it.
    'session descriptions read by the edge': 4,
    // offer, answer, delete.
    'rtpengine commands': 3,
  },
  /** Per call of 20 that end at the same time: their records share commands and statements, fewer of them on a busy machine. */
  together: {
    // The record and up to three events, each an entry of a stream; what notes and lists the call is written for many at once: 3.8 in
    // all on an idle machine, more where the calls take longer.
    'Redis commands of the edge': 8,
    // Records are read and acknowledged in groups.
    'Redis commands of control': 0.75,
    // Records are stored in groups; about five statements a second come with calls or without.
    'SQL statements': 4,
  },
} as const;

/** Other load delays calls, so that fewer of them share a command; the best of some rounds counts. */
const rounds = 4;
/** What calls on the busiest machine cost, compared with an idle one: a command of each call's own costs more. */
const mostUnshared = 1.75;
/** The same for what nothing can share: messages that are sent again, and frames that are written one by one. */
const mostRepeated = 1.2;

let bench: CallBench;
let control: ApiUnderTest;
let counters: WorkCounters;

beforeAll(async () => {
  bench = await CallBench.start();
  const databaseUrl = await sharedDatabase();
  control = await startApi({ databaseUrl, redis: bench.server });
  await oneCall();
  await recordsAreStored();
  counters = await WorkCounters.start(bench);
});
afterAll(async () => {
  await counters?.stop();
  await control?.stop();
  await bench?.stop();
});

async function oneCall(): Promise<void> {
  await end(await bench.establish());
}

async function end({ trunk, agent }: Pick<TwoLegs, 'trunk' | 'agent'>): Promise<void> {
  await trunk.send('BYE');
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  await trunk.response(200, 'BYE');
}

async function recordsAreStored(): Promise<void> {
  const isStored = async (): Promise<boolean> => {
    const groups = (await bench.redis.xinfo('GROUPS', callStream)) as unknown[][];
    const group = groups[0] ?? [];
    const value = (name: string): unknown => group[group.indexOf(name) + 1];
    return value('lag') === 0 && value('pending') === 0;
  };
  // The edge gathers records, and live changes, before it sends them.
  await pause(600);
  await until(isStored, 20_000, 'the records to be stored');
}

async function work(calls: () => Promise<unknown>): Promise<Work> {
  await counters.take();
  await calls();
  await recordsAreStored();
  return counters.take();
}

/** The kinds of work of which even the best round did more than the budget says; fewer than one piece means a counter is broken. */
async function exceeded(
  budget: Readonly<Record<string, number>>,
  calls: number,
  make: () => Promise<unknown>,
  allowance = () => 1,
): Promise<string[]> {
  const best: Work = {};
  let last: Work = {};
  const isKept = ([name, most]: [string, number]): boolean =>
    best[name]! > 0 && best[name]! <= most * allowance();
  for (let i = 0; i < rounds && (i === 0 || !Object.entries(budget).every(isKept)); i++) {
    last = await work(make);
    for (const name of Object.keys(budget)) {
      best[name] = Math.min((last[name] ?? 0) / calls, best[name] ?? Number.POSITIVE_INFINITY);
    }
  }
  const tooMuch = Object.entries(budget).filter((entry) => !isKept(entry));
  if (tooMuch.length > 0 || process.env.DEMARC_TEST_WORK !== undefined) {
    const lines = Object.entries(last).filter(([, count]) => count > 0);
    lines.sort(([left], [right]) => left.localeCompare(right));
    process.stderr.write(
      `Work of ${calls} calls:\n${lines.map(([name, count]) => `  ${count} ${name}\n`).join('')}`,
    );
  }
  return tooMuch.map(([name, most]) => `${name}: ${best[name]} per call, budget ${most}`);
}

it.skipIf(isRealServer)('does no more work for a call than its budget', async () => {
  const sequence = async (): Promise<void> => {
    for (let call = 0; call < 10; call++) await oneCall();
  };
  const inSequence = Stopwatch.start();
  const repeated = (): number => Math.min(inSequence.slowdown(), mostRepeated);
  expect(await exceeded(budgets.inSequence, 10, sequence, repeated)).toEqual([]);
  const together = async (): Promise<void> => {
    const calls: TwoLegs[] = [];
    while (calls.length < 20) calls.push(await bench.establish());
    await Promise.all(calls.map(end));
  };
  const watch = Stopwatch.start();
  const allowance = (): number => Math.min(watch.slowdown(), mostUnshared);
  expect(await exceeded(budgets.together, 20, together, allowance)).toEqual([]);
});
