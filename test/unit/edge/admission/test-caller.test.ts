import { describe, expect, it } from 'vitest';
import type { TestGrant } from '../../../../src/contract/test-grant.js';
import {
  admitTestCaller,
  UsedGrants,
  withTestedVersion,
} from '../../../../src/edge/admission/test-caller.js';
import { MemoryRedis } from '../../../support/memory-redis.js';
import { numberDocument } from './request.js';

const now = Date.parse('2026-11-27T09:00:00Z');
const grant = (fields: object = {}): TestGrant =>
  ({
    sip_call_id: 'call-1',
    expires_at: now / 1_000 + 60,
    organization: 'acme',
    persona: null,
    ...fields,
  }) as TestGrant;

describe('the token of an agent test', () => {
  it('admits one call, at one edge', async () => {
    const redis = new MemoryRedis();
    const [edge, secondEdge] = [new UsedGrants(redis.asRedis), new UsedGrants(redis.asRedis)];
    expect(await edge.use(grant(), now)).toBe(true);
    expect(await edge.use(grant(), now)).toBe(false);
    expect(await secondEdge.use(grant(), now)).toBe(false);
    expect(await secondEdge.use(grant({ sip_call_id: 'call-2' }), now)).toBe(true);
  });

  it('admits one call at each edge while Redis is down, or is not there', async () => {
    const redis = new MemoryRedis();
    redis.isDown = true;
    for (const edge of [new UsedGrants(redis.asRedis), new UsedGrants(undefined)]) {
      expect(await edge.use(grant(), now)).toBe(true);
      expect(await edge.use(grant(), now)).toBe(false);
    }
  });

  it('is remembered until it has expired', async () => {
    const edge = new UsedGrants(undefined);
    await edge.use(grant(), now);
    expect(await edge.use(grant(), now + 59_999)).toBe(false);
    expect(await edge.use(grant(), now + 60_000)).toBe(true);
  });
});

describe('the caller of an agent test', () => {
  it('is admitted by the first configuration of the organization that tests', () => {
    const document = numberDocument();
    expect(admitTestCaller(grant(), document)).toEqual({ ok: true, inbound: document.inbound[0] });
    expect(admitTestCaller(grant({ organization: 'other' }), document)).toMatchObject({
      ok: false,
      refusal: { detail: expect.stringContaining('another organization') },
    });
    expect(admitTestCaller(grant(), numberDocument({ inbound: [] })).ok).toBe(false);
  });
});

describe('the version under test', () => {
  const live = numberDocument({ pathway: { id: '5e5b1c1e-0d7e-4b8a-9a55-6c1b3a2f0a11', version: 1 } });
  const pathway = { id: '5e5b1c1e-0d7e-4b8a-9a55-6c1b3a2f0a12', version: 7 };
  const persona = { id: '5e5b1c1e-0d7e-4b8a-9a55-6c1b3a2f0a13', version: 3 };

  it('is the live one where the test names none', () => {
    expect(withTestedVersion(live, grant())).toEqual(live);
  });

  it('takes the place of the pathway', () => {
    expect(withTestedVersion(live, grant({ pathway, pathway_knowledge_ids: ['k'] }))).toMatchObject({
      pathway,
      pathway_knowledge_ids: ['k'],
    });
  });

  it('is a persona with its own pathway and voice, or without', () => {
    const tested = withTestedVersion(live, grant({ persona, voice: { voice_id: 'anna' } }));
    expect(tested).toMatchObject({ persona, voice: { voice_id: 'anna' } });
    expect(tested.pathway).toBeUndefined();
    expect(withTestedVersion(live, grant({ persona })).voice).toBeUndefined();
  });

  it('may have its agent by WebSocket in every configuration', () => {
    const stream = { url: 'wss://bot.example.com' };
    const { inbound } = withTestedVersion(live, grant({ stream }));
    expect(inbound.map(({ streams }) => streams)).toMatchObject([[stream]]);
    expect(withTestedVersion(live, grant()).inbound).toEqual(live.inbound);
  });
});
