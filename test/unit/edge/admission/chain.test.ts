import { describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import {
  signTestGrant,
  type TestGrant,
  testRefusalHeader,
  testTokenHeader,
} from '../../../../src/contract/test-grant.js';
import type { Admission, Refusal } from '../../../../src/edge/admission/chain.js';
import { DemarcError } from '../../../../src/errors.js';
import { chainOver, invite, numberDocument, secrets, settings } from './request.js';

function refusalOf(admission: Admission): Refusal {
  if (admission.admitted) throw new Error('admitted');
  return admission.refusal;
}

describe('admission of an ordinary call', () => {
  it('admits an allowed source and names the configuration and agent', async () => {
    const document = numberDocument({
      inbound: [
        { id: 'other', allowed_sources: ['198.51.100.0/24'] },
        { id: 'mine', allowed_sources: ['203.0.113.7'], agent_uri: 'sip:bot@10.0.0.9' },
      ],
    });
    const { chain } = chainOver([document]);
    const admission = await chain.admit(invite());
    expect(admission).toMatchObject({
      admitted: true,
      agentUris: ['sip:bot@10.0.0.9'],
      inbound: { id: 'mine' },
    });
    expect(chain.activeCalls).toBe(1);
    if (admission.admitted) {
      admission.release();
      admission.release();
    }
    expect(chain.activeCalls).toBe(0);
  });

  it('uses the default agent where the configuration names none', async () => {
    const { chain } = chainOver([numberDocument()]);
    expect(await chain.admit(invite())).toMatchObject({
      admitted: true,
      agentUris: [settings.defaultAgentUri],
    });
  });
});

describe('refusals', () => {
  it('503 with Retry-After while draining, before anything else', async () => {
    const { chain } = chainOver([], { isDraining: () => true });
    const refusal = refusalOf(await chain.admit(invite({ maxForwards: 0 })));
    expect(refusal).toMatchObject({ status: 503, endReason: 'refused_draining' });
    expect(Number(refusal.headers['Retry-After'])).toBeGreaterThan(0);
  });

  it('483 when Max-Forwards is 0; a request without Max-Forwards passes', async () => {
    const { chain } = chainOver([numberDocument()]);
    expect(refusalOf(await chain.admit(invite({ maxForwards: 0 })))).toMatchObject({
      status: 483,
      endReason: 'refused_too_many_hops',
    });
    expect(await chain.admit(invite({ maxForwards: undefined }))).toMatchObject({ admitted: true });
  });

  it.each([
    ['our marker', { headers: { 'X-Demarc-Call-ID': 'abc' } }],
    ['our Via by name', { via: ['SIP/2.0/TLS proxy.example.net', 'SIP/2.0/TLS EDGE.example.com;branch=x'] }],
    ['our Via by address', { via: ['SIP/2.0/TCP 192.0.2.10:5061'] }],
  ])('482 for %s', async (_name, fields) => {
    const { chain } = chainOver([numberDocument()]);
    expect(refusalOf(await chain.admit(invite(fields)))).toMatchObject({
      status: 482,
      endReason: 'refused_loop',
    });
  });

  it('does not take another port of our address for a loop', async () => {
    const { chain } = chainOver([numberDocument()]);
    const request = invite({
      via: ['SIP/2.0/TLS 192.0.2.10:5062', 'SIP/2.0/UDP 192.0.2.10', 'SIP/2.0/UDP 192.0.2.10:5061'],
    });
    expect(await chain.admit(request)).toMatchObject({ admitted: true });
  });

  it('404 for an unknown number; the response reveals no configuration, the record has the remedy', async () => {
    const { chain } = chainOver([numberDocument()]);
    const refusal = refusalOf(await chain.admit(invite({ calledUser: '4930123456' })));
    expect(refusal).toMatchObject({ status: 404, endReason: 'refused_unknown_number' });
    expect(refusal.headers.Reason).toBe('SIP;cause=404;text="No such number"');
    expect(refusal.detail).toMatch(/4930123456.*\/v1\/sip\/attach/);
  });

  it('404 for a number that is attached for outbound calls only', async () => {
    const outbound = [{ id: 'pbx', host: '203.0.113.7' }];
    const { chain } = chainOver([numberDocument({ inbound: [], outbound })]);
    const admission = await chain.admit(invite({ sourceAddress: '203.0.113.7' }));
    expect(refusalOf(admission)).toMatchObject({ status: 404, endReason: 'refused_unknown_number' });
    expect(refusalOf(admission).detail).toContain('no inbound direction');
    expect(admission).toMatchObject({ document: { organization: 'acme' } });
  });

  it.each(['', 'alice', '12', '1234567890123456', '+', '14155550100x', '%GG', 'sip:1'])(
    '404 for the user %j, which is no number',
    async (calledUser) => {
      const { chain } = chainOver([numberDocument()]);
      expect(refusalOf(await chain.admit(invite({ calledUser }))).detail).toContain('is not a number');
    },
  );

  it.each([
    '14155550100',
    '+14155550100',
    '+1-415-555-0100',
    '+1.(415)555.0100',
    '%2B14155550100',
    '+14155550100;npdi;rn=+14155550000',
    '4155550100;phone-context=+1',
  ])('finds the number called as %s', async (calledUser) => {
    const { chain } = chainOver([numberDocument()]);
    expect(await chain.admit(invite({ calledUser }))).toMatchObject({ admitted: true });
  });

  it('503 when the configuration cannot be read', async () => {
    const { chain } = chainOver([], {
      trunks: {
        find: async () => {
          throw new DemarcError('configuration_unavailable', { operatorDetail: 'Redis is down' });
        },
      },
    });
    const refusal = refusalOf(await chain.admit(invite()));
    expect(refusal).toMatchObject({ status: 503, endReason: 'refused_unavailable' });
    expect(refusal.headers['Retry-After']).toBeDefined();
    expect(refusal.headers.Reason).not.toContain('Redis');
  });

  it('488 with the media side’s Warning, and releases the slot', async () => {
    const { chain } = chainOver([numberDocument({ limits: { concurrent_calls: 1 } })], {
      checkTrunkOffer: () => ({ ok: false, status: 488, warning: '304 demarc "no"', detail: 'why' }),
    });
    for (let i = 0; i < 3; i++) {
      expect(refusalOf(await chain.admit(invite()))).toMatchObject({
        status: 488,
        headers: { Warning: '304 demarc "no"' },
        detail: 'why',
        endReason: 'refused_media',
      });
    }
    expect(chain.activeCalls).toBe(0);
  });

  it('checks media only after the caller is authenticated', async () => {
    let looked = 0;
    const { chain } = chainOver([numberDocument()], {
      checkTrunkOffer: () => {
        looked++;
        return { ok: true };
      },
    });
    await chain.admit(invite({ sourceAddress: '198.51.100.1' }));
    expect(looked).toBe(0);
  });

  it('hands the offer that it has read to media, so that it is read once', async () => {
    const sdp = 'v=0\r\nm=audio 4000 RTP/SAVP 0\r\n';
    const session = { head: [], media: [] };
    const audio = { kind: 'audio', port: 4_000, protocol: 'RTP/SAVP', formats: ['0'], lines: [] };
    const offer = { ok: true, session, index: 0, audio } as const;
    const { chain } = chainOver([numberDocument()], { checkTrunkOffer: () => offer });
    const admission = await chain.admit(invite({ sdp }));
    expect(admission.admitted && admission.offer).toBe(offer);
  });

  it('503 for a source over its rate, before any Redis query', async () => {
    let asked = 0;
    const { chain, clock } = chainOver([], {
      settings: { ...settings, sourceCallsPerSecond: 5 },
      trunks: {
        find: async () => {
          asked++;
          return undefined;
        },
      },
    });
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) statuses.push(refusalOf(await chain.admit(invite())).status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 503, 503, 503]);
    expect(asked).toBe(5);
    clock.now += 1000;
    expect(refusalOf(await chain.admit(invite())).status).toBe(404);
    expect(refusalOf(await chain.admit(invite({ sourceAddress: '198.51.100.9' }))).status).toBe(404);
  });
});

describe('a flood of refusals', () => {
  const isRecorded = (admission: Admission): boolean => refusalOf(admission).isUnrecorded !== true;

  it('is recorded only up to the budget, and answered all the same', async () => {
    const { chain, clock } = chainOver([numberDocument()], {
      settings: { ...settings, recordedRefusalsPerSecond: 10 },
    });
    const from = async (sourceAddress: string, count: number): Promise<number> => {
      let recorded = 0;
      for (let i = 0; i < count; i++) {
        const admission = await chain.admit(invite({ calledUser: `49301234${i}`, sourceAddress }));
        expect(refusalOf(admission).status).toBe(404);
        if (isRecorded(admission)) recorded++;
      }
      return recorded;
    };
    expect(await from('198.51.100.1', 500)).toBe(20);
    expect(await from('198.51.100.2', 5)).toBe(5);
    let all = 25;
    for (let i = 3; i < 60; i++) all += await from(`198.51.100.${i}`, 5);
    expect(all).toBe(100);
    expect(await chain.admit(invite())).toMatchObject({ admitted: true });
    clock.now += 1_000;
    expect(await from('198.51.100.1', 500)).toBe(2);
  });
});

describe('the caller of an agent test', () => {
  const grant: TestGrant = {
    organization: 'acme',
    run_id: 'run-1',
    sip_call_id: 'one@test',
    number: '14155550100',
    agent_uri: null,
    persona: null,
    expires_at: 2_000,
  };
  const calls = (fields: Partial<TestGrant> = {}, sipCallId = 'one@test') =>
    invite({
      calledUser: '14155550100',
      callId: sipCallId,
      sourceAddress: '198.51.100.1',
      headers: { [testTokenHeader]: signTestGrant(secrets, { ...grant, ...fields }) },
    });
  const persona = { id: '0d8d5b2c-6c5e-4f0e-8f0a-1d2b3c4d5e6f', version: 7, knowledge_ids: [] };

  it('is let in by its token alone, with the agent and persona under test', async () => {
    const { chain } = chainOver([numberDocument()]);
    const admission = await chain.admit(calls({ agent_uri: 'sip:new@agents.example', persona }));
    expect(admission).toMatchObject({
      admitted: true,
      testRunId: 'run-1',
      agentUris: ['sip:new@agents.example'],
      document: { number: '14155550100', persona },
    });
  });

  it('gets the pathway under test, and with a persona under test that persona’s alone', async () => {
    const pathway = { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', version: 3 };
    const own = { pathway: { ...pathway, version: 1 }, voice: 'of the number' };
    const admit = (fields: Partial<TestGrant>) => chainOver([numberDocument(own)]).chain.admit(calls(fields));
    expect(await admit({ pathway })).toMatchObject({
      document: { pathway, voice: 'of the number' },
    });
    const admission = await admit({ persona, voice: 'maya' });
    expect(admission).toMatchObject({ document: { persona, voice: 'maya' } });
    expect(admission.admitted && admission.document.pathway).toBeUndefined();
  });

  it('calls the WebSocket server under test with its settings', async () => {
    const url = 'wss://bot.example.com/draft';
    const stream = { url, format: 'pcm', parameters: { text: 'x'.repeat(490) } } as const;
    const admit = (fields: Partial<TestGrant>) => chainOver([numberDocument()]).chain.admit(calls(fields));
    const admission = await admit({ agent_uri: url, stream, persona });
    expect(admission).toMatchObject({
      agentUris: [url],
      inbound: { streams: [{ ...stream, sample_rate: 16_000 }] },
      document: { persona, inbound: [{ streams: [stream] }] },
    });
  });

  it('needs no number for an agent at its own address', async () => {
    const { chain } = chainOver([]);
    const request = {
      ...calls({ number: null, agent_uri: 'sip:new@agents.example' }),
      calledUser: '000',
    };
    expect(await chain.admit(request)).toMatchObject({ admitted: true, document: { organization: 'acme' } });
  });

  it.each([
    ['expired', {}, 'one@test', 3_000_000],
    ['of another call', {}, 'two@test', 1_000_000],
    ['for another number', { number: '14155550199' }, 'one@test', 1_000_000],
    ["of another organization's number", { organization: 'other' }, 'one@test', 1_000_000],
  ])('is refused with a token %s', async (_what, fields, sipCallId, now) => {
    const { chain, clock } = chainOver([numberDocument()]);
    clock.now = now;
    expect(await chain.admit(calls(fields, sipCallId))).toMatchObject({
      admitted: false,
      refusal: { status: 403, detail: expect.stringContaining('agent test') },
    });
  });

  it('learns that the edge refused its call before the agent was asked', async () => {
    const { chain } = chainOver([numberDocument({ limits: { concurrent_calls: 1 } })]);
    expect(await chain.admit(calls())).toMatchObject({ admitted: true });
    expect(await chain.admit(calls({ sip_call_id: 'two@test' }, 'two@test'))).toMatchObject({
      refusal: { status: 503, headers: { [testRefusalHeader]: 'refused_limit' } },
    });
    const stranger = await chain.admit(invite({ calledUser: '14155550199' }));
    expect(stranger).toMatchObject({ admitted: false });
    expect(!stranger.admitted && stranger.refusal.headers).not.toHaveProperty(testRefusalHeader);
  });

  it('gets one call by its token, also when the call has ended', async () => {
    const { chain, clock } = chainOver([numberDocument()]);
    const admission = await chain.admit(calls());
    if (admission.admitted) admission.release();
    expect(await chain.admit(calls())).toMatchObject({
      admitted: false,
      refusal: { status: 403, detail: expect.stringContaining('was used before') },
    });
    expect(await chain.admit(calls({ sip_call_id: 'two@test' }, 'two@test'))).toMatchObject({
      admitted: true,
    });
    clock.now = 2_000_000;
    expect(await chain.admit(calls())).toMatchObject({ admitted: false });
  });

  it('gets one call by its token at all edges together, and at each edge while Redis is down', async () => {
    const kept = new Map<string, unknown[]>();
    const redis = {
      set: async (key: string, ...rest: unknown[]) => {
        if (kept.has(key)) return null;
        kept.set(key, rest);
        return 'OK';
      },
    } as never;
    const [first, second] = [0, 1].map(() => chainOver([numberDocument()], { redis }).chain);
    expect(await first!.admit(calls())).toMatchObject({ admitted: true });
    expect(await second!.admit(calls())).toMatchObject({
      admitted: false,
      refusal: { status: 403, detail: expect.stringContaining('was used before') },
    });
    // Kept as long as the token is valid: the clock shows second 1,000, and it expires at 2,000.
    expect([...kept]).toEqual([['demarc:test-token:one@test', ['', 'EX', 1_000, 'NX']]]);
    const down = { set: () => Promise.reject(new Error('Redis is unreachable')) } as never;
    const { chain } = chainOver([numberDocument()], { redis: down });
    expect(await chain.admit(calls())).toMatchObject({ admitted: true });
    expect(await chain.admit(calls())).toMatchObject({ admitted: false });
  });

  it('is refused with a token that another key signed, also from an allowed source', async () => {
    const { chain } = chainOver([numberDocument()]);
    const token = signTestGrant(new SecretBox([generateSecretKey()]), grant);
    const request = invite({
      callId: 'one@test',
      calledUser: '14155550100',
      headers: { [testTokenHeader]: token },
    });
    expect(await chain.admit(request)).toMatchObject({ admitted: false, refusal: { status: 403 } });
  });
});
