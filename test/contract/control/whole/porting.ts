import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import {
  type BeginDeps,
  beginRequest,
  checkNumbers,
  renewLink,
} from '../../../../src/control/porting/begin-request.js';
import { CarrierWork, dueRequests } from '../../../../src/control/porting/carrier-work.js';
import {
  type Carrier,
  CarrierRefusal,
  type CarrierReport,
  CarrierUnavailable,
  type Submission,
} from '../../../../src/control/porting/carriers/carrier.js';
import { addDocument, newDocumentId } from '../../../../src/control/porting/documents/document-storage.js';
import { portOrderSchema } from '../../../../src/control/porting/port-order.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let stranger: ApiUser;
let submitted: Submission[];
let report: CarrierReport | undefined;
let failure: Error | undefined;
let found: string | undefined;
/** How often the carrier was asked about a request. */
let asked = 0;
let serial = 0;
const secrets = new SecretBox([generateSecretKey()]);

beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  [user, stranger] = [await api.user(), await api.user()];
  [submitted, report, failure, found, asked] = [[], undefined, undefined, undefined, 0];
});

const number = (): string => `+1415558${1_000 + ++serial}`;
const answering = <Value>(value: Value): Value => {
  if (failure !== undefined) throw failure;
  return value;
};
const carrier = {
  name: 'twilio',
  check: async (numbers: readonly string[]) =>
    answering(
      numbers.map((each) => ({
        number: each,
        portable: true,
        numberType: 'landline',
        pinRequired: false,
        reason: null,
        source: 'carrier',
      })),
    ),
  find: async () => answering(found),
  submit: async (submission: Submission) => {
    submitted.push(submission);
    return answering(`ref-${submission.requestId}`);
  },
  status: async () => {
    asked += 1;
    return answering(report);
  },
  cancel: async () => answering(undefined),
} as unknown as Carrier;
const kept = () => ({
  id: newDocumentId(),
  mediaType: 'application/pdf' as const,
  octets: 9,
  sha256: Buffer.alloc(32),
  sealedKey: 'sealed',
});
const deps = (): BeginDeps => ({
  database: api.database,
  settings: api.settings,
  secrets,
  carrier,
  documents: { keep: async () => kept(), discard: async () => {} } as unknown as BeginDeps['documents'],
  letters: { draw: async () => Buffer.from('letter') } as unknown as BeginDeps['letters'],
});
const proof = async (by = user, kind: 'proof' | 'letter' = 'proof'): Promise<string> => {
  const document = kept();
  await addDocument(api.database, document, { organization_id: by.organizationId, kind, request_id: null });
  return document.id;
};
const information = {
  customer_type: 'business',
  business_name: 'Acme',
  first_name: 'Jane',
  last_name: 'Doe',
  account_number: 'A-1',
  authorized_representative_email: 'jane@acme.example',
  notification_emails: ['phones@acme.example', 'phones@acme.example'],
  address: { street: '1 Main St', city: 'San Francisco', state: 'CA', zip: '94105', country: 'US' },
};
const begin = async (fields: object = {}, by = user, operationId = randomUUID()): Promise<string> =>
  beginRequest(
    deps(),
    { organizationId: by.organizationId, keyId: 'key_1', operationId },
    portOrderSchema.parse({
      phone_numbers: [number()],
      losing_carrier_information: information,
      documents: [await proof(by)],
      ...fields,
    }),
  );
const request = (id: string) =>
  api.database.selectFrom('port_requests').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const numbersOf = async (id: string) =>
  (await api.database.selectFrom('port_numbers').selectAll().where('request_id', '=', id).execute()).map(
    ({ status }) => status,
  );
const mails = async (by = user) =>
  (
    await api.database
      .selectFrom('deliveries')
      .select(['event', 'target'])
      .where('organization_id', '=', by.organizationId)
      .execute()
  ).map(({ event, target }) => [event, target]);

describe('a port request', () => {
  it('is stored once with its numbers and letter, and asks for the signature', async () => {
    const [first, second] = [number(), number()];
    const operation = randomUUID();
    const document = await proof();
    const fields = { phone_numbers: [first, second], documents: [document] };
    const id = await begin(fields, user, operation);
    expect(await begin(fields, user, operation)).toBe(id);
    expect(await request(id)).toMatchObject({
      organization_id: user.organizationId,
      status: 'waiting_for_signature',
      carrier: 'twilio',
      notification_emails: ['phones@acme.example'],
      documents: [document],
      carrier_due_at: null,
    });
    expect(await numbersOf(id)).toEqual(['waiting_for_signature', 'waiting_for_signature']);
    expect(await mails()).toEqual(expect.arrayContaining([['port.signature_request', 'jane@acme.example']]));
    const { data } = await user.get(`/sip/port/${id}`);
    expect(data).toMatchObject({
      status: 'waiting_for_signature',
      timeline: expect.arrayContaining([expect.objectContaining({ reason: 'Requested.' })]),
    });
    expect(JSON.stringify(data)).not.toContain('A-1');
    expect((await stranger.get(`/sip/port/${id}`)).status).toBe(404);
    // One of its numbers again, in another request.
    await expect(begin({ phone_numbers: [second] })).rejects.toMatchObject({ code: 'NUMBER_PORTING' });
    await user.delete(`/sip/port/${id}`);
    expect(await begin({ phone_numbers: [second] })).not.toBe(id);
  });

  it('is refused with documents that are not there, and numbers of another organization', async () => {
    for (const documents of [[await proof(stranger)], [await proof(user, 'letter')], ['doc_none']])
      await expect(begin({ documents })).rejects.toMatchObject({ faults: [{ path: 'documents.0' }] });
    const phone_number = number();
    const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }];
    await stranger.post('/sip/attach', { phone_number, directions, service: 'sip' });
    const digits = [phone_number.slice(1)];
    expect(await checkNumbers(deps(), user.organizationId, digits)).toMatchObject([{ portable: false }]);
    expect(await checkNumbers(deps(), stranger.organizationId, digits)).toMatchObject([{ portable: true }]);
    failure = new CarrierUnavailable('The carrier is down.');
    await expect(begin()).rejects.toMatchObject({ code: 'CARRIER_UNAVAILABLE' });
    expect((await user.get('/sip/port')).data.port_requests).toEqual([]);
  });

  it('is listed in pages to its organization, and canceled by it alone', async () => {
    const ids = [await begin(), await begin(), await begin()];
    await begin({}, stranger);
    const list = async (query = '', by = user) => {
      const { data, body } = await by.get(`/sip/port${query}`);
      return [
        data.port_requests.map((each: Record<string, unknown>) => each.port_request_id ?? each.id),
        body.next,
      ];
    };
    expect(await list()).toEqual([ids.toReversed(), null]);
    expect(await list('?limit=2')).toEqual([[ids[2], ids[1]], ids[1]]);
    expect(await list(`?limit=2&after=${ids[1]}`)).toEqual([[ids[0]], null]);
    expect((await stranger.get(`/sip/port?after=${ids[1]}`)).path).toBe('after');
    expect((await stranger.delete(`/sip/port/${ids[0]}`)).status).toBe(404);
    expect((await request(ids[0]!)).status).toBe('waiting_for_signature');
    expect((await user.delete(`/sip/port/${ids[0]}`)).data).toEqual({ canceled: true });
    expect((await user.delete(`/sip/port/${ids[0]}`)).data).toEqual({ canceled: true });
    expect([await numbersOf(ids[0]!), await numbersOf(ids[1]!)]).toEqual([
      ['canceled'],
      ['waiting_for_signature'],
    ]);
    expect(await list('?status=canceled')).toEqual([[ids[0]], null]);
    const operator = await api.user({ isOperator: true });
    expect((await operator.get('/operator/ports?limit=2')).status).toBe(200);
    expect((await user.get('/operator/ports')).status).toBe(403);
  });

  it('gets a new link to sign while it waits for the signature', async () => {
    const [id, neighbour] = [await begin(), await begin()];
    const letter = (which: string) =>
      api.database
        .selectFrom('port_letters')
        .selectAll()
        .where('request_id', '=', which)
        .executeTakeFirstOrThrow();
    const before = [await letter(id), await letter(neighbour)] as const;
    await expect(renewLink(deps(), stranger.organizationId, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await renewLink(deps(), user.organizationId, id)).toBeTruthy();
    const after = await letter(id);
    expect([before[0].link_number, after.link_number]).toEqual([1, 2]);
    expect(after.token_hash.equals(before[0].token_hash)).toBe(false);
    expect(await letter(neighbour)).toEqual(before[1]);
    expect((await mails()).filter(([event]) => event === 'port.signature_request')).toHaveLength(3);
    await user.delete(`/sip/port/${id}`);
    await expect(renewLink(deps(), user.organizationId, id)).rejects.toMatchObject({
      code: 'PORT_MOVE_NOT_ALLOWED',
    });
  });
});

describe('the work of the carrier', () => {
  const stopping = new AbortController().signal;
  const work = () => new CarrierWork({ ...deps(), log: pino({ level: 'silent' }) });
  const due = async () => (await dueRequests(api.database, 100)).map(({ id }) => id);
  /** A request that was signed. */
  const signed = async (): Promise<string> => {
    const id = await begin();
    await sql`update port_requests set status = 'submitted', carrier_due_at = now() - interval '1 second'
      where id = ${id}`.execute(api.database);
    await sql`update port_numbers set status = 'submitted' where request_id = ${id}`.execute(api.database);
    return id;
  };
  const set = (id: string, values: object) =>
    api.database.updateTable('port_requests').set(values).where('id', '=', id).execute();
  const reportOf = async (
    id: string,
    status: CarrierReport['numbers'][number]['status'],
    note: string | null = null,
  ) => {
    const rows = await api.database
      .selectFrom('port_numbers')
      .selectAll()
      .where('request_id', '=', id)
      .execute();
    return { note, numbers: rows.map((row) => ({ number: row.number, status, reason: null })) };
  };

  it('submits a signed request once, follows it, and makes its numbers inbound ones', async () => {
    const [id, neighbour] = [await signed(), await signed()];
    await set(neighbour, { carrier_due_at: null });
    expect(await due()).toContain(id);
    expect(await due()).not.toContain(neighbour);
    report = await reportOf(id, 'in_progress', 'Waiting for the losing carrier');
    await work().run(id, stopping);
    expect(submitted).toMatchObject([{ requestId: id, targetDay: expect.any(String), begunAt: null }]);
    expect(submitted[0]!.information).toMatchObject({ account_number: 'A-1' });
    expect(submitted[0]!.documents).toHaveLength(1);
    expect(await request(id)).toMatchObject({
      status: 'in_progress',
      carrier_reference: `ref-${id}`,
      carrier_lease_until: null,
      carrier_failures: 0,
      carrier_problem: 'Waiting for the losing carrier',
    });
    expect(await numbersOf(neighbour)).toEqual(['submitted']);
    // What moved is looked at once more at once, and then it is not due for a while.
    await set(id, { carrier_due_at: new Date(0) });
    for (let times = 0; times < 3; times += 1) await work().run(id, stopping);
    expect([asked, submitted.length]).toEqual([2, 1]);
    expect((await request(id)).carrier_due_at!.getTime()).toBeGreaterThan(Date.now());
    await set(id, { carrier_due_at: new Date(0) });
    report = await reportOf(id, 'completed');
    await work().run(id, stopping);
    expect(await request(id)).toMatchObject({ status: 'completed' });
    expect(await numbersOf(id)).toEqual(['completed']);
    const [attached] = await api.database
      .selectFrom('port_numbers')
      .selectAll()
      .where('request_id', '=', id)
      .execute();
    expect(attached!.attached_at).not.toBeNull();
    expect((await request(neighbour)).carrier_reference).toBeNull();
  });

  it('is tried again after a failure, later each time, and fails by a refusal', async () => {
    const id = await signed();
    failure = new CarrierUnavailable('The carrier is down.');
    await work().run(id, stopping);
    expect(await request(id)).toMatchObject({
      status: 'submitted',
      carrier_failures: 1,
      carrier_problem: 'The carrier is down.',
    });
    expect((await request(id)).carrier_due_at!.getTime()).toBeGreaterThan(Date.now());
    await set(id, { carrier_due_at: new Date(0) });
    await work().run(id, stopping);
    expect((await request(id)).carrier_failures).toBe(2);
    // Its answer may have been lost: the carrier is asked whether it has the request.
    await set(id, { carrier_due_at: new Date(0) });
    [failure, found] = [undefined, 'ref-found'];
    const tries = submitted.length;
    await work().run(id, stopping);
    expect([(await request(id)).carrier_reference, submitted.length]).toEqual(['ref-found', tries]);
    const refused = await signed();
    [failure, found] = [new CarrierRefusal('Wrong account number'), undefined];
    await work().run(refused, stopping);
    expect(await request(refused)).toMatchObject({ status: 'failed', carrier_lease_until: null });
    expect(
      (await user.get(`/sip/port/${refused}`)).data.timeline.map(({ reason }: { reason: string }) => reason),
    ).toContain('Wrong account number');
    failure = undefined;
    const broken = await signed();
    failure = new Error('a fault of this program');
    await expect(work().run(broken, stopping)).rejects.toThrow('a fault');
    expect(await request(broken)).toMatchObject({ carrier_failures: 0, carrier_lease_until: null });
  });

  it('is left to the process that has the request, and to the carrier with which it began', async () => {
    const id = await signed();
    await set(id, { carrier_lease_until: new Date(Date.now() + 600_000) });
    expect(await due()).not.toContain(id);
    await work().run(id, stopping);
    expect(submitted).toEqual([]);
    await set(id, { carrier_lease_until: new Date(0), carrier: 'manual', carrier_reference: 'x' });
    expect(await due()).toContain(id);
    await work().run(id, stopping);
    expect(submitted).toEqual([]);
    expect((await request(id)).carrier_problem).toContain('It was begun with the carrier manual');
  });

  it('cancels at the carrier what was canceled', async () => {
    const id = await signed();
    report = await reportOf(id, 'in_progress');
    await work().run(id, stopping);
    await user.delete(`/sip/port/${id}`);
    await set(id, { carrier_due_at: new Date(0) });
    await work().run(id, stopping);
    expect((await request(id)).carrier_canceled_at).not.toBeNull();
    expect((await request(id)).status).toBe('canceled');
  });
});
