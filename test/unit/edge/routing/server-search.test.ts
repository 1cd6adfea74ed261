import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../../src/base/log.js';
import type { FailoverTrigger } from '../../../../src/contract/failover.js';
import { searchServers } from '../../../../src/edge/routing/server-search.js';
import { type AttemptFailure, type TrunkServer, triggerOf } from '../../../../src/edge/routing/targets.js';

const server = (host: string): TrunkServer => ({ host, port: 5061, transport: 'tls' }) as TrunkServer;
const failure = (status: number, more: Partial<AttemptFailure> = {}): AttemptFailure => ({
  status,
  reason: `Reason ${status}`,
  isOurs: false,
  hasRung: false,
  ...more,
});

interface Search {
  readonly failures: readonly (AttemptFailure | undefined)[];
  readonly triggers?: readonly FailoverTrigger[];
  readonly milliseconds?: number;
  readonly isOver?: (attempts: number) => boolean;
}

/** Runs a search over one server for each of the failures; undefined: answers. */
async function search({
  failures,
  triggers = ['timeout', 'unreachable'],
  milliseconds = 60_000,
  isOver = () => false,
}: Search) {
  const tried: string[] = [];
  const marked: string[] = [];
  const result = await searchServers({
    number: '14155550100',
    servers: failures.map((_, index) => server(`s${index}.example`)),
    triggers: new Set(triggers),
    failover: {
      failed: async (_number, { host }, trigger) => void marked.push(`${host} ${trigger}`),
      answered: async (_number, { host }) => void marked.push(`${host} answered`),
    },
    log: silent,
    milliseconds,
    isOver: () => isOver(tried.length),
    offerFor: async () => 'offer',
    attempt: async ({ host }) => {
      tried.push(host);
      return failures[tried.length - 1];
    },
  });
  return { result, tried, marked };
}

const silent = { warn: () => {}, info: () => {} } as unknown as Logger;

describe('the search for a server', () => {
  it('ends at the first server that answers', async () => {
    const { result, tried, marked } = await search({ failures: [failure(503), undefined, undefined] });
    expect(result).toBeUndefined();
    expect(tried).toEqual(['s0.example', 's1.example']);
    expect(marked).toEqual(['s0.example unreachable', 's1.example answered']);
  });

  it('reports every attempt when all servers fail', async () => {
    const silence = failure(408, { isOurs: true, unreachable: 'no response within 4 s' });
    const { result, marked } = await search({ failures: [failure(503), silence] });
    expect(result?.last).toBe(silence);
    expect(result?.texts).toEqual([
      's0.example:5061 tls: 503 Reason 503',
      's1.example:5061 tls: 408 Reason 408 (no response within 4 s)',
    ]);
    expect(marked).toEqual(['s0.example unreachable', 's1.example timeout']);
  });

  it.each([404, 486, 600, 603, 607, 608])('does not ring another server after %i', async (status) => {
    const { tried, marked } = await search({
      failures: [failure(status), undefined],
      triggers: ['timeout', 'unreachable', 'auth_failure'],
    });
    expect(tried).toEqual(['s0.example']);
    expect(marked).toEqual([]);
  });

  it('tries another server after refused credentials only where the trunk is so configured', async () => {
    const failures = [failure(403), undefined];
    expect((await search({ failures })).tried).toHaveLength(1);
    expect((await search({ failures, triggers: ['auth_failure'] })).tried).toHaveLength(2);
  });

  it('does not start another attempt after its time', async () => {
    const { result, tried } = await search({ failures: [failure(503), undefined], milliseconds: -1 });
    expect(tried).toHaveLength(1);
    expect(result?.last.status).toBe(503);
  });

  it('stops when the caller has hung up', async () => {
    const failures = [failure(503), undefined];
    expect(await search({ failures, isOver: () => true })).toMatchObject({ result: undefined, tried: [] });
    const during = await search({ failures, isOver: (attempts) => attempts > 0 });
    // What came of an attempt that was cancelled says nothing about the server.
    expect(during).toEqual({ result: undefined, tried: ['s0.example'], marked: [] });
  });

  it('does not mark the only server of a number as failed', async () => {
    expect((await search({ failures: [failure(503)] })).marked).toEqual([]);
  });
});

describe('the trigger of a failure', () => {
  it.each([
    [500, 'unreachable'],
    [502, 'unreachable'],
    [503, 'unreachable'],
    [504, 'timeout'],
    [408, 'timeout'],
    [401, 'auth_failure'],
    [403, 'auth_failure'],
    [407, 'auth_failure'],
    [480, undefined],
    [501, undefined],
  ])('of %i is %s', (status, trigger) => {
    expect(triggerOf(failure(status))).toBe(trigger);
  });

  it('is none once the phone has rung', () => {
    expect(triggerOf(failure(503, { hasRung: true }))).toBeUndefined();
    expect(triggerOf(failure(408, { isOurs: true, hasRung: true }))).toBeUndefined();
  });

  it('is unreachable without a response, regardless of the status that represents it', () => {
    expect(triggerOf(failure(480, { isOurs: true }))).toBe('unreachable');
  });
});
