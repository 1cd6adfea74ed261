import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { limitRequestsUnderWay } from '../../../../src/control/server/requests-under-way.js';

/** Counts requests; each returns what ends it, or why it is refused. */
function counter(requestsPerSecond: number) {
  const count = limitRequestsUnderWay(requestsPerSecond);
  return (keyId: string, organizationId = 'org_1', isClosed = false) => {
    const raw = Object.assign(new EventEmitter(), { destroyed: isClosed });
    const headers: Record<string, string> = {};
    const reply = {
      raw,
      header: (name: string, value: string) => {
        headers[name] = value;
      },
    };
    try {
      count({ caller: { keyId, organizationId } } as FastifyRequest, reply as unknown as FastifyReply);
      return { refusal: undefined, headers, raw };
    } catch (error) {
      return { refusal: (error as { detail: string }).detail, headers, raw };
    }
  };
}

describe('the requests of a key that are under way', () => {
  it('are a hundred at most, and as many as the rate limit allows', () => {
    for (const [rate, maximum] of [
      [10, 100],
      [100, 100],
      [150, 150],
    ] as const) {
      const begin = counter(rate);
      for (let index = 0; index < maximum; index++) expect(begin('key_1').refusal).toBeUndefined();
      const { refusal, headers } = begin('key_1');
      expect(refusal).toBe(`${maximum} responses to this key are still in progress`);
      expect(headers).toEqual({ 'retry-after': '1' });
      expect(begin('key_2').refusal).toBeUndefined();
    }
  });

  it('end with their response, or when the connection closes, once', () => {
    const begin = counter(100);
    const open = Array.from({ length: 100 }, () => begin('key_1'));
    open[0]!.raw.emit('finish');
    open[0]!.raw.emit('close');
    expect(begin('key_1').refusal).toBeUndefined();
    expect(begin('key_1').refusal).toMatch(/still in progress/);
    open[1]!.raw.emit('close');
    expect(begin('key_1').refusal).toBeUndefined();
    expect(begin('key_1').refusal).toMatch(/still in progress/);
  });

  it('do not count when the client is gone already', () => {
    const begin = counter(100);
    for (let index = 0; index < 200; index++) expect(begin('key_1', 'org_1', true).refusal).toBeUndefined();
    expect(begin('key_1').refusal).toBeUndefined();
  });
});

describe('the requests of an organization that are under way', () => {
  it('are those of two keys at most', () => {
    const begin = counter(100);
    for (const key of ['key_1', 'key_2'])
      for (let index = 0; index < 100; index++) expect(begin(key).refusal).toBeUndefined();
    expect(begin('key_3').refusal).toBe('200 responses to this organization are still in progress');
    expect(begin('key_4', 'org_2').refusal).toBeUndefined();
  });
});
