import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallFilter } from '../../../../src/control/calls/history/call-filter.js';
import { cellOf } from '../../../../src/control/calls/history/call-lines.js';
import { readRows } from '../../../../src/control/calls/history/call-page.js';
import { foundCalls, searchTermOf } from '../../../../src/control/calls/history/call-search.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { drawLadder, textOf } from '../../../../src/control/calls/history/ladder.js';
import { pcapOf } from '../../../../src/control/calls/history/pcap.js';
import { withAddresses } from '../../../../src/control/calls/history/source-networks.js';
import { eraseStoredCalls } from '../../../../src/control/calls/parties/erase.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';
import { fillCalls, planOf } from './many-calls.js';
import { sampleRecord } from './sample-record.js';

const run = promisify(execFile);

let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
let otherKey: string;

async function store(...records: ReturnType<typeof sampleRecord>[]): Promise<void> {
  const entries = records.map((record, index) =>
    readEntry({ id: `1-${index}`, json: JSON.stringify(record) }),
  );
  await storeEntries(bench.database, await Promise.all(entries));
}

/** Calls a minute apart, the oldest first. */
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench);
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  const mine = { organization: bench.organization };
  await store(
    ...Array.from({ length: 7 }, (_, index) =>
      sampleRecord(`call-${index}`, { ...mine, started_at: at(index) }),
    ),
    sampleRecord('busy', {
      ...mine,
      started_at: at(30),
      number: '12025550199',
      answered_at: null,
      duration_milliseconds: 0,
      outcome: 'refused',
      sip_status: 486,
      sip_reason: 'Busy Here',
      end_reason: 'agent_refused',
    }),
    sampleRecord('of the other', { organization: otherOrganization.id, started_at: at(40) }),
    sampleRecord('of nobody', { organization: null, number: null, started_at: at(41) }),
  );
  await bench.database
    .insertInto('ordered_calls')
    .values({
      call_id: 'call-3',
      organization_id: bench.organization,
      number: '12025550100',
      phone_number: '14155550199',
      task: 'Say hello.',
      max_duration_minutes: 1,
      created_at: new Date(),
      metadata: JSON.stringify({ campaign: 'spring' }),
      request_data: null,
      webhook: null,
    })
    .execute();
});

afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

const get = (path: string, withKey = key) => api.get(path, withKey);
const ids = (answer: { body: { data: { calls: { call_id: string }[] } } }): string[] =>
  answer.body.data.calls.map(({ call_id }) => call_id);

describe('GET /v1/sip/calls', () => {
  it('pages newest first, and only through calls of the organization', async () => {
    const pages: string[][] = [];
    let before = '';
    for (;;) {
      const answer = await get(`/v1/sip/calls?limit=3${before === '' ? '' : `&before=${before}`}`);
      expect(answer.status).toBe(200);
      pages.push(ids(answer));
      if (!answer.body.data.has_more) break;
      before = pages.at(-1)!.at(-1)!;
    }
    expect(pages).toEqual([
      ['busy', 'call-6', 'call-5'],
      ['call-4', 'call-3', 'call-2'],
      ['call-1', 'call-0'],
    ]);
  });

  it('leads from page to page by next, the same way as every list', async () => {
    const seen: string[] = [];
    let query = '';
    for (;;) {
      const { body } = await get(`/v1/sip/calls?limit=3${query}`);
      seen.push(...ids({ body }));
      expect(body.has_more).toBe(body.next !== null);
      if (body.next === null) break;
      query = `&after=${body.next}`;
    }
    expect(seen).toHaveLength(8);
    expect(new Set(seen).size).toBe(8);
    const short = ['/v1/batches', '/v1/webhooks', '/v1/sip/agent-credentials'];
    for (const path of ['/v1/sip/numbers', '/v1/sip/alerts', '/v1/webhooks/deliveries', ...short]) {
      const { body } = await get(`${path}?limit=1`);
      expect({ path, ...body }).toMatchObject({ path, has_more: false, next: null, errors: null });
      const lost = await get(`${path}?after=unheard-of`);
      expect([path, lost.status]).toEqual([path, 400]);
    }
    expect((await get('/v1/keys?limit=1')).body).toMatchObject({ has_more: false, next: null });
    const both = await get('/v1/sip/calls?after=call-3&before=call-3');
    expect(both.body.errors[0].path).toBe('before');
  });

  it('announces that before is deprecated, to those who use it', async () => {
    const headersOf = async (query: string) => {
      const { headers } = await get(`/v1/sip/calls?limit=1${query}`);
      return ['deprecation', 'link', 'sunset'].map((name) => headers.get(name));
    };
    expect(await headersOf('&before=call-3')).toEqual([
      `@${Date.UTC(2026, 10, 22) / 1_000}`,
      '</docs>; rel="deprecation"; type="text/html"',
      null,
    ]);
    expect(await headersOf('&after=call-3')).toEqual([null, null, null]);
  });

  it('exports all matching calls as CSV, with formulas neutralised', async () => {
    const answer = await get('/v1/sip/calls.csv?outcome=refused');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, line, ...rest] = answer.text.split('\r\n');
    expect(head).toMatch(/^call_id,direction,phone_number,from,to,started_at/);
    expect(line).toMatch(/^busy,inbound,\+12025550199,\+14155550199,\+12025550100,/);
    expect(rest).toEqual(['']);
    expect((await get('/v1/sip/calls.csv')).text.split('\r\n')).toHaveLength(10);
    expect((await get('/v1/sip/calls.csv', otherKey)).text).not.toContain('busy');
    expect(cellOf('=HYPERLINK("http://x")')).toBe(`"'=HYPERLINK(""http://x"")"`);
    expect(cellOf('+14155550100')).toBe('+14155550100');
  });

  it('shows what happened to each call', async () => {
    const [call] = (await get('/v1/sip/calls?limit=1')).body.data.calls;
    expect(call).toEqual({
      call_id: 'busy',
      sip_call_id: 'a84b4c76e66710@carrier.example',
      phone_number: '+12025550199',
      direction: 'inbound',
      from: '+14155550199',
      to: '+12025550100',
      status: '486 Busy Here',
      sip_code: 486,
      outcome: 'refused',
      end_reason: 'agent_refused',
      audio_problem: null,
      continued_as: null,
      ended_by: 'caller',
      cause: 'The voice agent refused the call (486). The called line is busy.',
      advice: 'Try again later.',
      duration_seconds: 0,
      started_at: at(30),
      answered_at: null,
      ended_at: '2026-11-20T15:00:12.750Z',
      source_ip: '198.51.100.9',
      party_name: 'Zoë',
      mos: 4.3,
      organization_id: bench.organization,
      test_run_id: null,
    });
  });

  it.each([
    ['phone_number=%2B12025550199', ['busy']],
    ['phone_number=12025550199', ['busy']],
    ['phone_number=+12025550199', ['busy']],
    ['sip_code=486', ['busy']],
    ['outcome=refused', ['busy']],
    ['outcome=cancelled', []],
    ['direction=outbound', []],
    ['from=+14155550199&limit=1', ['busy']],
    ['to=12025550100&limit=1', ['busy']],
    ['to=12025550101', []],
    ['end_reason=agent_refused', ['busy']],
    ['source_ip=198.51.100.9&limit=1', ['busy']],
    ['source_ip=198.51.100.10', []],
    ['source_ip=198.51.100.0/24&limit=1', ['busy']],
    ['source_ip=198.51.100.77/24&limit=1', ['busy']],
    ['source_ip=198.51.0.0/24', []],
    ['source_ip=2001:db8::/32', []],
    ['sip_call_id=a84b4c76e66710@carrier.example&limit=1', ['busy']],
    ['sip_call_id=unheard-of', []],
    ['metadata[campaign]=spring', ['call-3']],
    ['metadata[campaign]=autumn', []],
    [`started_after=${at(5)}&started_before=${at(30)}`, ['call-6', 'call-5']],
    ['ended_before=2026-11-20T15:00:12.750Z', []],
    ['ended_after=2026-11-20T15:00:12.750Z&limit=1', ['busy']],
    ['problem=any', ['busy']],
    ['problem=audio', []],
    ['q=%2B1%20(415)%20555-0199&limit=1', ['busy']],
    ['q=5550199&limit=1', ['busy']],
    ['q=zo%C3%AB&limit=1', ['busy']],
    ['q=busy', ['busy']],
    ['q=call-3', ['call-3']],
    ['q=198.51.100.9&limit=1', ['busy']],
    ['q=a84b4c76e66710@carrier.example&outcome=refused', ['busy']],
    ['q=0100&before=call-1', ['call-0']],
    ['q=of%20the%20other', []],
    ['q=777', []],
  ])('filters by %s', async (query, expected) => {
    expect(ids(await get(`/v1/sip/calls?${query}`))).toEqual(expected);
  });

  it.each([
    ['', 8],
    ['outcome=refused', 1],
    ['q=zo%C3%AB', 8],
    ['source_ip=198.51.100.0/24&outcome=completed', 7],
    ['q=777', 0],
  ])('counts the calls of all pages of %s', async (query, calls) => {
    const { body } = await get(`/v1/sip/calls?include_total=true&limit=1&${query}`);
    expect(body.data.total).toEqual({ calls, is_complete: true });
  });

  it('finds part of a Call-ID and words of headers, of the own organization alone', async () => {
    const traced = (id: string, tenant: string, changes: Parameters<typeof sampleRecord>[1]) => {
      const record = sampleRecord(id, { organization: bench.organization, ...changes });
      const trace = record.trace.map((entry) => ({
        ...entry,
        message: entry.message.replace('CSeq:', `X-Tenant: ${tenant}\r\nCSeq:`),
      }));
      return { ...record, trace };
    };
    const callIds = (trunk: string) => ({ sip_call_ids: { trunk, agent: null } });
    await store(
      traced('traced-1', 'Acme-Corp 12', {
        from: '<sip:+14155550777@carrier.example>',
        started_at: at(50),
        ...callIds('3F2a9c1e-77b0-4d1c@pbx.example'),
      }),
      traced('traced-2', 'acme other', { started_at: at(51), ...callIds('99999999-0000-1111@pbx.example') }),
    );
    const found = async (query: string, withKey = key) => {
      const list = await get(`/v1/sip/calls?include_total=true&${query}`, withKey);
      expect(list.body.data.total).toEqual({ calls: ids(list).length, is_complete: true });
      return ids(list);
    };
    const header = (text: string) => `header=${encodeURIComponent(text)}`;
    expect(await found('q=9C1E-77b0-4')).toEqual(['traced-1']);
    expect(await found('q=9C1E-77b0-4', otherKey)).toEqual([]);
    expect(await found(header('x-tenant:ACME'))).toEqual(['traced-2', 'traced-1']);
    expect(await found(header('X-Tenant: corp acme'))).toEqual(['traced-1']);
    expect(await found(`${header('X-Tenant: acme')}&q=pbx.example`)).toEqual(['traced-2', 'traced-1']);
    expect(await found(header('X-Tenant: acme'), otherKey)).toEqual([]);
    expect(await found(header('X-Other: acme'))).toEqual([]);
    expect(await found(header('Call-ID: a84b4c76e66710@carrier.example'))).toContain('traced-1');
    // By the index alone, not among the newest.
    const byIndex = async (part: string) => {
      const { rows } = await sql<{ call_id: string }>`select call_id from ${foundCalls(
        bench.database,
        bench.organization,
        searchTermOf(part),
        {},
        undefined,
      )} as found`.execute(bench.database);
      return rows.map(({ call_id }) => call_id);
    };
    expect(await byIndex('9c1e-77b0-4')).toEqual(['traced-1']);
    const fleet = await readRows(bench.database, {
      organizationId: undefined,
      headerWords: ['x-tenant=acme', 'x-tenant=12'],
      limit: 10,
    });
    expect(fleet.map(({ call_id }) => call_id)).toEqual(['traced-1']);
    for (const text of ['X-Tenant', 'X-Tenant: ', ': acme', 'Via: z9hG4bK776', 'X-Demarc-Token: a']) {
      const { status, body } = await get(`/v1/sip/calls?${header(text)}`);
      expect([status, body.errors[0].path ?? body.errors[0].field], text).toEqual([400, expect.anything()]);
    }
    await eraseStoredCalls(bench.database, {
      organizationId: bench.organization,
      numbers: ['+14155550777'],
    });
    expect(await found(header('x-tenant: acme'))).toEqual(['traced-2']);
    expect(await byIndex('9c1e-77b0-4')).toEqual([]);
    await bench.database.deleteFrom('calls').where('call_id', 'like', 'traced-%').execute();
  });

  it('refuses a network that is none, and counts only on request', async () => {
    for (const network of ['198.51.100.0/33', '198.51.100/24', '/24', '::1/129', 'a.example/8']) {
      const { status } = await get(`/v1/sip/calls?source_ip=${encodeURIComponent(network)}`);
      expect(status, network).toBe(400);
    }
    expect((await get('/v1/sip/calls?limit=1')).body.data.total).toBeNull();
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=ten', 'limit'],
    ['phone_number=letters', 'phone_number'],
    ['direction=sideways', 'direction'],
    ['sip_code=99', 'sip_code'],
    ['started_after=yesterday', 'started_after'],
    ['colour=blue', 'colour'],
    ['before=unheard-of', 'before'],
    ['after=unheard-of', 'after'],
    ['end_reason=weather', 'end_reason'],
    ['before=of%20the%20other', 'before'],
    ['q=5-5', 'q'],
    ['organization_id=unheard-of', 'organization_id'],
  ])('refuses %s with the path of what is wrong', async (query, path) => {
    const answer = await get(`/v1/sip/calls?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ data: null, errors: [{ error: 'VALIDATION_ERROR', path }] });
  });

  it('shows another organization only its calls', async () => {
    expect(ids(await get('/v1/sip/calls', otherKey))).toEqual(['of the other']);
    expect(ids(await get('/v1/sip/calls?phone_number=12025550199', otherKey))).toEqual([]);
  });

  it('shows operators all organizations, each call with its own, and calls that none has in full', async () => {
    const { key: operator } = await createKey(bench.database, bench.organization, 'noc', {
      isOperator: true,
    });
    const fleet = await get('/v1/sip/calls?scope=fleet&limit=3', operator);
    expect(ids(fleet)).toEqual(['of nobody', 'of the other', 'busy']);
    const owners = fleet.body.data.calls.map(
      ({ organization_id }: { organization_id: string }) => organization_id,
    );
    expect(owners).toEqual([null, expect.any(String), bench.organization]);
    const counted = await get('/v1/sip/calls?scope=fleet&include_total=true&limit=1', operator);
    expect(counted.body.data.total).toEqual({ calls: 10, is_complete: true });
    const next = await get('/v1/sip/calls?scope=fleet&limit=2&after=busy', operator);
    expect(ids(next)).toEqual(['call-6', 'call-5']);
    expect(ids(await get(`/v1/sip/calls?scope=fleet&organization_id=${owners[1]}`, operator))).toEqual([
      'of the other',
    ]);
    expect(ids(await get('/v1/sip/calls?scope=fleet&q=of%20nobody', operator))).toEqual(['of nobody']);
    expect(ids(await get('/v1/sip/calls?scope=fleet&q=550199&limit=2', operator))).toEqual([
      'of nobody',
      'of the other',
    ]);
    expect((await get('/v1/sip/calls/of%20nobody', operator)).status).toBe(200);
    expect((await get('/v1/sip/calls/of%20the%20other', operator)).status).toBe(404);
    const refused = await get('/v1/sip/calls?scope=fleet');
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ error: 'OPERATOR_ONLY' }] } });
  });

  it('refuses without a key', async () => {
    expect((await get('/v1/sip/calls', 'wrong')).status).toBe(401);
    expect((await get('/v1/sip/calls/busy', '')).status).toBe(401);
  });
});

describe('GET /v1/sip/calls/{call_id}', () => {
  it('shows everything: record, RTP statistics and every message', async () => {
    const { status, body } = await get('/v1/sip/calls/call-3');
    expect(status).toBe(200);
    const record = sampleRecord('call-3');
    expect(body.data).toMatchObject({
      call_id: 'call-3',
      status: '200 OK',
      duration_seconds: 12.25,
      media: {
        trunk_codec: 'PCMU',
        srtp_suite: 'AES_CM_128_HMAC_SHA1_80',
        rtp: { trunk: record.media!.trunk, agent: record.media!.agent },
      },
      trace: record.trace,
      trace_truncated: false,
    });
    expect(JSON.stringify(body)).not.toContain('22222');
  });

  it('answers 404 both for an unknown call and for one of another organization', async () => {
    for (const [path, withKey] of [
      ['/v1/sip/calls/unheard-of', key],
      ['/v1/sip/calls/call-3', otherKey],
      ['/v1/sip/calls/of%20nobody?format=pcap', key],
      ['/v1/sip/calls/call-3?format=text', otherKey],
    ] as const) {
      const answer = await get(path, withKey);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.body).toMatchObject({ data: null, errors: [{ error: 'NOT_FOUND' }] });
    }
  });

  it('draws the ladder', async () => {
    const answer = await get('/v1/sip/calls/call-3?format=text');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe(
      textOf(sampleRecord('call-3', { organization: bench.organization, started_at: at(3) })),
    );
    expect(drawLadder(sampleRecord('x', { direction: 'outbound' }))).toMatch(/^ +Agent +Demarc +Trunk/);
    expect(drawLadder(sampleRecord('x')).split('\n')).toMatchInlineSnapshot(`
      [
        "           Caller                                Demarc                                Agent",
        "  1  0.000 |----------- INVITE (SDP) ----------->|                                     |",
        "  2  0.001 |<------- 100 Trying (INVITE) --------|                                     |",
        "  3  0.002 |                                     |----------- INVITE (SDP) ----------->|",
        "  4  0.004 |                                     |<------- 200 OK (INVITE, SDP) -------|",
        "  5  0.005 |<------- 200 OK (INVITE, SDP) -------|                                     |",
        "  6  0.006 |--------------- ACK ---------------->|                                     |",
        "  7  0.007 |--------------- BYE ---------------->|                                     |",
        "  8  0.009 |<----------- 200 OK (BYE) -----------|                                     |",
        "",
      ]
    `);
  });

  it('gives a capture that tshark reads as SIP without complaint', async () => {
    const answer = await get('/v1/sip/calls/call-3?format=pcap');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="call-3.pcap"');
    expect(answer.bytes.equals(pcapOf(sampleRecord('call-3').trace))).toBe(true);
    const fields = await tshark(answer.bytes);
    expect(fields).toEqual([
      '1795186800.000000|198.51.100.9|49152|5061|INVITE||',
      '1795186800.001234|192.0.2.1|5061|49152||100|',
      '1795186800.002468|127.0.0.1|5090|5080|INVITE||',
      '1795186800.003702|127.0.0.1|5080|5090||200|',
      '1795186800.004936|192.0.2.1|5061|49152||200|',
      '1795186800.006170|198.51.100.9|49152|5061|ACK||',
      '1795186800.007404|198.51.100.9|49152|5061|BYE||',
      '1795186800.008638|192.0.2.1|5061|49152||200|',
    ]);
  });

  it('writes captures of IPv6 addresses', async () => {
    const [first] = sampleRecord('x').trace;
    const entry = { ...first!, source: '[2001:db8::9]:49152', destination: '[2001:db8::1]:5061' };
    expect(await tshark(pcapOf([entry]), 'ipv6.src')).toEqual([
      '1795186800.000000|2001:db8::9|49152|5061|INVITE||',
    ]);
  });
});

/** `DEMARC_TEST_CALLS=5000000` measures with as many and prints plans and times. */
const measured = process.env.DEMARC_TEST_CALLS;
describe('POST /v1/sip/calls/{call_id}/shares', () => {
  const shares = '/v1/sip/calls/call-3/shares';
  const read = (url: string) =>
    api.post('/v1/shared-calls/read', '', { token: url.slice(url.indexOf('#') + 1) });

  it('shows a carrier the ladder of its leg alone, without numbers, names and keys', async () => {
    const created = await api.post(shares, key, { expires_in_hours: 2 });
    const { url, ticket, expires_at } = created.body.data;
    expect(url).toMatch(/\/shared-call#[\w-]{43}$/);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(3_600_000);
    expect(ticket).toContain('Call-ID: a84b4c76e66710@carrier.example');
    expect(ticket).toContain(url);
    const { data } = (await read(url)).body;
    expect(data.trace.map(({ summary }: { summary: string }) => summary)).toEqual([
      ...['INVITE', '100 Trying', '200 OK', 'ACK', 'BYE', '200 OK'],
    ]);
    expect(data.trace[0].message.split('\r\n')).toEqual([
      'INVITE sip:+xxxxxxxxx00@demarc.test SIP/2.0',
      'Via: SIP/2.0/TLS 198.51.100.9:49152;branch=z9hG4bK776asdhds',
      'From: <sip:+xxxxxxxxx99@carrier.example>;tag=1928301774',
      'To: <sip:+xxxxxxxxx00@demarc.test>',
      'Call-ID: a84b4c76e66710@carrier.example',
      'CSeq: 1 INVITE',
      'Content-Type: application/sdp',
      'Content-Length: 0',
      ...['', ''],
    ]);
    const bytes = Buffer.from(data.pcap, 'base64').toString('latin1');
    for (const secret of ['4155550199', '2025550100', 'Zo', '127.0.0.1', 'inline:']) {
      expect([
        secret,
        JSON.stringify(data).includes(secret),
        bytes.includes(secret),
        ticket.replace(url, '').includes(secret),
      ]).toEqual([...[secret, false, false, false]]);
    }
  });

  it('ends with its expiry, when it is revoked, and with the call', async () => {
    const shareOf = async () => (await api.post(shares, key, {})).body.data;
    const [revoked, expired] = [await shareOf(), await shareOf()];
    expect((await api.get(shares, key)).body.data.shares).toMatchObject([
      ...[{ created_by: 'test' }, { created_by: 'test' }, { created_by: 'test' }],
    ]);
    expect((await api.get(shares, otherKey)).body.data.shares).toEqual([]);
    expect((await api.delete(`${shares}/${revoked.share_id}`, otherKey)).status).toBe(404);
    expect((await read(revoked.url)).status).toBe(200);
    expect((await api.delete(`${shares}/${revoked.share_id}`, key)).status).toBe(200);
    expect((await read(revoked.url)).body.errors[0].error).toBe('LINK_NOT_VALID');
    await bench.database
      .updateTable('call_shares')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', expired.share_id)
      .execute();
    expect((await read(expired.url)).status).toBe(410);
    expect((await api.post(shares, otherKey, {})).status).toBe(404);
  });
});

const calls = Number(measured ?? 20_000);

describe(`with ${calls} calls of one organization`, () => {
  it('reads a page by its index, however deep it lies', { timeout: 1_800_000 }, async () => {
    await fillCalls(bench.database, 'busy-org', calls);
    for (const filter of [
      {},
      { number: '12025550101' },
      { sipStatus: 503 },
      { outcome: 'failed' as const },
      { direction: 'outbound' as const },
      { number: '12025550101', outcome: 'failed' as const },
      { number: '12025550100', sipStatus: 503 },
      { sourceAddress: '198.51.100.9' },
      { endReason: 'caller_hung_up' as const },
    ]) {
      for (const depth of [0, calls / 2]) {
        const { plan, rowsRead } = await planOf(bench.database, 'busy-org', filter, depth);
        if (measured !== undefined) console.log(`${JSON.stringify(filter)} after ${depth} calls\n${plan}`);
        expect(plan, plan).toMatch(/Index Scan using calls_\w*page/);
        expect(plan, plan).not.toMatch(/Sort|Seq Scan/);
        expect(rowsRead, plan).toBeLessThanOrEqual(51);
      }
    }
    // A caller is looked for by both spellings of its number, so what is found is sorted: its own calls, no others.
    for (const filter of [{ caller: ['14155557', '+14155557'] }, { sipCallId: 'sip-7' }]) {
      const { plan, rowsRead } = await planOf(bench.database, 'busy-org', filter, 0);
      expect(plan, plan).not.toMatch(/Seq Scan/);
      expect(rowsRead, plan).toBeLessThanOrEqual(calls / 10_000 + 1);
    }
    // Of headers and parts of Call-IDs, the index alone; the calls of this organization have none.
    const words = foundCalls(
      bench.database,
      'busy-org',
      searchTermOf('nowhere@x'),
      { headerWords: ['x=y'] },
      undefined,
    );
    const explained = await words.explain<{ 'QUERY PLAN': string }>('text' as never, sql`analyze`);
    const plan = explained.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/calls_tokens/);
    expect(plan).not.toMatch(/Seq Scan/);
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{5}/);
  });

  it('looks for a network among the addresses that occur, unless these are too many', {
    timeout: 600_000,
  }, async () => {
    const { database } = bench;
    const within = async (network: string) =>
      (await withAddresses<CallFilter>(database, 'busy-org', { sourceAddress: network })).sourceAddresses;
    expect(await within('203.0.113.0/24')).toEqual([]);
    expect(await within('198.51.100.0/24')).toContain('198.51.100.9');
    const none = { organizationId: 'busy-org', sourceAddress: '203.0.113.0/24', limit: 50 };
    expect(await readRows(database, none)).toEqual([]);
    // Also those that no organization has.
    const fleet = await readRows(database, {
      organizationId: undefined,
      sourceAddress: '198.51.100.9/32',
      limit: 500,
      startedBefore: new Date(at(42)),
    });
    expect(fleet.map(({ call_id }) => call_id)).toEqual(
      expect.arrayContaining(['of nobody', 'of the other', 'busy']),
    );
    await database.transaction().execute((transaction) => fillCalls(transaction, 'scanned-org', 2_100));
    await sql`update calls set source_address = '10.1.' || numbered.n / 256 || '.' || numbered.n % 256 from (
      select call_id, row_number() over () as n from calls where organization_id = 'scanned-org') as numbered
      where calls.call_id = numbered.call_id`.execute(database);
    const filter = { sourceAddress: '10.1.0.0/30' };
    expect(await withAddresses(database, 'scanned-org', filter)).toBe(filter);
    expect(await readRows(database, { organizationId: 'scanned-org', ...filter, limit: 50 })).toHaveLength(3);
  });

  it('finds part of a number among them, and reads nothing of them for another organization', {
    timeout: 600_000,
  }, async () => {
    await bench.database.transaction().execute(async (transaction) => {
      await fillCalls(transaction, 'calm-org', 20);
    });
    for (const [owner, part, found] of [
      ['busy-org', '5558123', Math.round(calls / 10_000)],
      ['calm-org', '5550000', 0],
      ['calm-org', '0100', 20],
    ] as const) {
      const search = searchTermOf(part)!;
      const start = performance.now();
      const rows = await readRows(bench.database, { organizationId: owner, search, limit: 50 });
      const milliseconds = Math.round(performance.now() - start);
      expect(rows).toHaveLength(Math.min(50, found));
      const query = foundCalls(bench.database, owner, search, {}, undefined);
      const explained = await query.explain<{ 'QUERY PLAN': string }>('text' as never, sql`analyze, buffers`);
      const plan = explained.map((row) => row['QUERY PLAN']).join('\n');
      if (measured !== undefined) console.log(`${owner} ${part}: ${milliseconds} ms\n${plan}`);
      expect(plan, plan).not.toMatch(/Seq Scan/);
      const read = [...plan.matchAll(/Bitmap Index Scan on calls_search .*actual time=\S+ rows=(\d+)/g)];
      expect(Number(read[0]?.[1] ?? 0), plan).toBeLessThanOrEqual(found);
    }
  });
});

/** Time, source, ports, method, status, and what an expert would complain about, a line a message. */
async function tshark(capture: Buffer, source = 'ip.src'): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'demarc-pcap-'));
  try {
    const file = join(directory, 'call.pcap');
    await writeFile(file, capture);
    const fields = [
      'frame.time_epoch',
      source,
      'udp.srcport',
      'udp.dstport',
      'sip.Method',
      'sip.Status-Code',
    ];
    const argv = [...fields, '_ws.malformed'].flatMap((field) => ['-e', field]);
    const checks = ['-o', 'udp.check_checksum:TRUE', '-o', 'ip.check_checksum:TRUE'];
    const { stdout } = await run('tshark', [
      '-r',
      file,
      ...checks,
      '-T',
      'fields',
      '-E',
      'separator=|',
      ...argv,
    ]);
    const bad = await run('tshark', [
      '-r',
      file,
      ...checks,
      '-Y',
      'udp.checksum.status == 0 or ip.checksum.status == 0 or _ws.malformed',
    ]);
    expect(bad.stdout).toBe('');
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/^(\d+\.\d{6})\d*/, '$1'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
