import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { png } from '../../../unit/control/porting/pictures.js';
import { type Answer, type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

let bench: ControlBench;
let api: ApiUnderTest;
let folder: string;
let key: string;
let otherKey: string;
let invoice: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demarc-documents-'));
  bench = await ControlBench.start();
  api = await startApi(bench, { DEMARC_DOCUMENT_DIRECTORY: folder });
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  const document = await PDFDocument.create();
  document.addPage().drawText('Invoice 998877 of Acme Corp');
  invoice = Buffer.from(await document.save());
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function upload(
  octets: Buffer,
  withKey = key,
  part = 'file',
  name = 'invoice.pdf',
  more: Record<string, string> = {},
) {
  const form = new FormData();
  form.append(part, new Blob([new Uint8Array(octets)], { type: 'application/pdf' }), name);
  const headers = { authorization: `Bearer ${withKey}`, ...more };
  const answer = await fetch(`${api.url}/v1/sip/port/document`, { method: 'POST', headers, body: form });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

const information = {
  customer_type: 'business',
  business_name: 'Acme Corp',
  first_name: 'Jane',
  last_name: 'Doe',
  account_number: 'ACCOUNT-998877',
  authorized_representative_email: 'jane.doe@example.com',
  notification_emails: ['phones@example.com'],
  address: { street: '101 Spear St', city: 'San Francisco', state: 'CA', zip: '94105', country: 'US' },
};
let lastNumber = 4_155_552_700;
const freshNumber = (): string => `+1${lastNumber++}`;

async function order(changes: object = {}) {
  const { body } = await upload(invoice);
  return {
    phone_numbers: [freshNumber()],
    pin: 'PIN4321',
    losing_carrier_information: information,
    documents: [body.data.document_sid],
    ...changes,
  };
}
const initiate = (body: unknown, headers: Record<string, string> = {}, withKey = key) =>
  api.post('/v1/sip/port/initiate', withKey, body, headers);

describe('GET /v1/sip/port/check', () => {
  it('answers for each number, and reports when only the numbering plan was checked', async () => {
    const numbers = ['+14155552671', '+18005550123', '+442079460123'];
    const query = numbers.map((number) => `phone_numbers[]=${encodeURIComponent(number)}`).join('&');
    const { body } = await api.get(`/v1/sip/port/check?${query}`, key);
    expect(body.data.results).toMatchObject([
      { phone_number: numbers[0], portable: true, number_type: 'unknown', pin_required: false, reason: null },
      { phone_number: numbers[1], portable: true, number_type: 'toll-free' },
      { phone_number: numbers[2], portable: false, number_type: 'landline' },
    ]);
    expect(body.data.results[2].reason).toContain('supported countries: US, CA.');
    expect(body.data.results[0].source).toBe('numbering_plan');
  });

  it('checks the other numbers when one is not a phone number', async () => {
    const query = 'phone_numbers[]=4155552671&phone_numbers[]=%2B14155552671&phone_numbers[]=nonsense';
    const { status, body } = await api.get(`/v1/sip/port/check?${query}`, key);
    expect(status).toBe(200);
    expect(body.data.results).toMatchObject([
      { phone_number: '4155552671', portable: false, reason: expect.stringContaining('+14155552671') },
      { phone_number: '+14155552671', portable: true, reason: null },
      { phone_number: 'nonsense', portable: false, reason: expect.any(String) },
    ]);
  });
});

describe('POST /v1/sip/port/document', () => {
  it('keeps a document encrypted, by the type of its content', async () => {
    const { status, body } = await upload(png(40, 30), key, 'file', 'invoice.pdf');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      document_sid: expect.stringMatching(/^doc_/),
      media_type: 'image/png',
    });
    const stored = await readFile(join(folder, body.data.document_sid));
    expect(stored.includes('IHDR')).toBe(false);
    expect(stored.length).toBeGreaterThan(body.data.size);
  });

  it('takes no Idempotency-Key: a second file under the same key is not answered as the first', async () => {
    const headers = { 'idempotency-key': 'document-1' };
    const first = await upload(invoice, key, 'file', 'invoice.pdf', headers);
    const second = await upload(png(40, 30), key, 'file', 'invoice.png', headers);
    expect(first.body.data.media_type).toBe('application/pdf');
    expect(second.body.data.media_type).toBe('image/png');
  });

  it('refuses invalid requests with a clear 400, and stores nothing', async () => {
    const before = await readdir(folder);
    const cases: readonly (readonly [Buffer, string, string])[] = [
      [Buffer.alloc(0), 'file', 'The file is empty.'],
      [Buffer.from('MZ, a program'), 'file', 'not PDF, JPEG'],
      [png(60_000, 60_000), 'file', '60000 × 60000 pixels'],
      [Buffer.concat([invoice, Buffer.alloc(10 * 1024 * 1024)]), 'file', 'maximum is 10 MB'],
      [invoice, 'document', 'no part `file`'],
    ];
    for (const [octets, part, message] of cases) {
      const { status, body } = await upload(octets, key, part);
      expect({ status, error: body.errors[0].error, path: body.errors[0].path }).toEqual({
        status: 400,
        error: 'VALIDATION_ERROR',
        path: 'file',
      });
      expect(body.errors[0].message).toContain(message);
    }
    const noForm = await api.post('/v1/sip/port/document', key, {});
    expect(noForm.status).toBe(400);
    expect((await readdir(folder)).sort()).toEqual(before.sort());
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  });
});

describe('POST /v1/sip/port/initiate', () => {
  it('stores one request for one Idempotency-Key, with its letter and nothing secret in the open', async () => {
    const body = await order();
    const headers = { 'idempotency-key': 'port-1' };
    const both = await Promise.all([initiate(body, headers), initiate(body, headers)]);
    // Either may come first; a request that waited for the other for longer than two seconds gets 409 and must be repeated.
    const [first, second] = both.toSorted((left, right) => left.status - right.status);
    const again = second!.status === 409 ? await initiate(body, headers) : second!;
    expect(first!.status).toBe(200);
    expect(again.body).toEqual(first!.body);
    const { port_request_id: id, ...data } = first!.body.data;
    expect(data).toEqual({
      status: 'waiting_for_signature',
      signature_url: expect.stringMatching(/\/sign\/[\w-]{43}$/),
      phone_numbers: body.phone_numbers,
    });
    const shown = await api.get(`/v1/sip/port/${id}`, key);
    expect(shown.body.data).toMatchObject({
      id,
      phone_numbers: [{ number: body.phone_numbers[0], status: 'waiting_for_signature', active: false }],
      authorized_rep_email: 'jane.doe@example.com',
      notification_emails: ['phones@example.com'],
      timeline: [{ from: null, to: 'waiting_for_signature', by: 'customer' }],
      documents: [{ kind: 'proof' }, { kind: 'letter', media_type: 'application/pdf' }],
      signature: { signed_at: null },
    });
    const rows = await Promise.all(
      (['port_requests', 'port_letters', 'port_moves', 'deliveries'] as const).map((table) =>
        bench.database.selectFrom(table).selectAll().execute(),
      ),
    );
    const stored = JSON.stringify(rows) + shown.text;
    for (const secret of ['ACCOUNT-998877', 'PIN4321', data.signature_url.split('/').at(-1)])
      expect(stored).not.toContain(secret);
    expect((await api.get(`/v1/sip/port/${id}`, otherKey)).status).toBe(404);
    expect((await api.delete(`/v1/sip/port/${id}`, otherKey)).status).toBe(404);
    const taken = await initiate({ ...body, documents: body.documents });
    expect(taken.body.errors[0]).toMatchObject({ error: 'NUMBER_PORTING' });
  });

  it.each([
    ['target_port_date', { target_port_date: new Date(Date.now() + 5 * 86_400_000).toISOString() }],
    ['documents.0', { documents: ['doc_unknown'] }],
    ['phone_numbers.0', { phone_numbers: ['+442079460123'] }],
    ['phone_numbers.1', { phone_numbers: ['+14155552650', '+14155552650'] }],
    [
      'losing_carrier_information.business_name',
      { losing_carrier_information: { ...information, business_name: undefined } },
    ],
    ['pin', { pin: 'no spaces' }],
  ])('refuses a wrong %s', async (path, changes) => {
    const answer = await initiate(await order(changes));
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toMatchObject({ error: 'VALIDATION_ERROR', path });
  });

  it('accepts no document of another organization', async () => {
    const { body } = await upload(invoice, otherKey);
    const answer = await initiate(await order({ documents: [body.data.document_sid] }));
    expect(answer.body.errors[0]).toMatchObject({ path: 'documents.0' });
  });
});

describe('port requests', () => {
  it('are listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++)
      ids.unshift((await initiate(await order())).body.data.port_request_id);
    const first = await api.get('/v1/sip/port?limit=2', key);
    expect(first.body.data.port_requests.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const second = await api.get(`/v1/sip/port?limit=2&after=${first.body.next}`, key);
    expect(second.body.data.port_requests[0].id).toBe(ids[2]);
    expect((await api.get('/v1/sip/port', otherKey)).body.data.port_requests).toEqual([]);
  });

  it('are canceled once, and their numbers can be ported again', async () => {
    const body = await order();
    const { port_request_id: id } = (await initiate(body)).body.data;
    const answers = await Promise.all([
      api.delete(`/v1/sip/port/${id}`, key),
      api.delete(`/v1/sip/port/${id}`, key),
    ]);
    for (const answer of answers) expect(answer.body.data).toEqual({ canceled: true });
    const { timeline, status } = (await api.get(`/v1/sip/port/${id}`, key)).body.data;
    expect(status).toBe('canceled');
    expect(timeline.filter(({ to }: { to: string }) => to === 'canceled')).toHaveLength(2);
    expect((await initiate(body)).status).toBe(200);
  });
});

describe('docs/porting.md', () => {
  it('has shell lines that work as they stand', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../../docs/porting.md'), 'utf8');
    const lines = text.split('\n').filter((line) => line.startsWith('    '));
    expect(lines.length).toBeGreaterThan(10);
    const cwd = await mkdtemp(join(tmpdir(), 'demarc-porting-'));
    await writeFile(join(cwd, 'invoice.pdf'), invoice);
    const { stdout } = await promisify(execFile)('bash', ['-euc', lines.join('\n')], {
      cwd,
      env: { ...process.env, URL: api.url, KEY: key },
    });
    await rm(cwd, { recursive: true });
    expect(stdout).toContain('"portable":true');
    expect(stdout).toContain('"signature_url":"http');
    expect(stdout).toContain('"canceled":true');
  });
});
