import { createHash, createHmac } from 'node:crypto';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PDFDocument } from '@cantoo/pdf-lib';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../../src/contract/secret.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { Inbox } from '../../../../src/testkit/inbox.js';
import { until } from '../../../../src/testkit/waiting.js';
import { startControlProcess } from '../../../support/control-process.js';
import { freePort } from '../../../support/free-ports.js';
import { TwilioStandIn } from '../../../support/twilio-stand-in.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';
import { Receiver } from '../deliveries/receiver.js';

interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly Buffer[];
}

let bench: ControlBench;
let twilio: TwilioStandIn;
let api: ApiUnderTest;
let folder: string;
let key: string;
let operator: string;
let document: string;
let smtp: SMTPServer;
let environment: Record<string, string>;
const mails = new Inbox<ReceivedMail>(({ subject }) => subject);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demarc-documents-'));
  [bench, twilio] = await Promise.all([ControlBench.start(), TwilioStandIn.start()]);
  smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      const store = async (octets: Buffer): Promise<void> => {
        const mail = await PostalMime.parse(octets);
        mails.put({
          to: (session.envelope.rcptTo[0] as { address: string }).address,
          subject: mail.subject ?? '',
          text: mail.text ?? '',
          attachments: mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer)),
        });
        done();
      };
      void buffer(stream).then(store, () => {});
    },
  });
  // A control process that is killed leaves mails unfinished.
  smtp.on('error', () => {});
  const smtpPort = await freePort();
  await new Promise<void>((resolve) => smtp.listen(smtpPort, '127.0.0.1', resolve));
  const port = await freePort();
  environment = {
    DEMARC_HTTP_PORT: String(port),
    DEMARC_SECRET_KEY: generateSecretKey(),
    DEMARC_DOCUMENT_DIRECTORY: folder,
    DEMARC_PORT_CARRIER: 'twilio',
    DEMARC_TWILIO_ACCOUNT_SID: TwilioStandIn.accountSid,
    DEMARC_TWILIO_AUTH_TOKEN: TwilioStandIn.authToken,
    DEMARC_TWILIO_NUMBERS_URL: twilio.url,
    DEMARC_TWILIO_UPLOAD_URL: twilio.url,
    DEMARC_PORT_CARRIER_TIMEOUT_MS: '3000',
    DEMARC_PORT_RETRY_MS: '50',
    DEMARC_PORT_SOURCES: '192.0.2.0/24',
    DEMARC_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    DEMARC_SMTP_FROM: 'ports@example.com',
  };
  api = await startApi(bench, environment);
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: operator } = await createKey(bench.database, bench.organization, 'operator', { isOperator: true }));
  document = await upload();
});
afterAll(async () => {
  await api?.stop();
  twilio?.stop();
  smtp?.close();
  await bench?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function upload(): Promise<string> {
  const pdf = await PDFDocument.create();
  pdf.addPage().drawText('Invoice');
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await pdf.save())]), 'invoice.pdf');
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${api.url}/v1/sip/port/document`, { method: 'POST', headers, body: form });
  return ((await answer.json()) as { data: { document_sid: string } }).data.document_sid;
}

let lastNumber = 4_155_552_100;
/** Ends with neither 1 (needs a PIN) nor 9 (is not portable). */
const freshNumber = (): string => {
  do lastNumber++;
  while ([1, 9].includes(lastNumber % 10));
  return `+1${lastNumber}`;
};

interface Begun {
  readonly id: string;
  readonly signatureUrl: string;
  readonly numbers: readonly string[];
}

async function begin(
  numbers = [freshNumber()],
  email = 'jane.doe@example.com',
  documents = [document],
): Promise<Begun> {
  const { status, body } = await api.post('/v1/sip/port/initiate', key, {
    phone_numbers: numbers,
    pin: 'PIN4321',
    losing_carrier_information: {
      customer_type: 'business',
      business_name: 'Acme & Söhne <Corp>',
      first_name: 'Jane',
      last_name: 'Doe',
      account_number: 'ACCOUNT-998877',
      authorized_representative_email: email,
      notification_emails: ['phones@example.com'],
      address: { street: '101 Spear St', city: 'San Francisco', state: 'CA', zip: '94105', country: 'US' },
    },
    documents,
  });
  expect(body.errors).toBeNull();
  expect(status).toBe(200);
  return { id: body.data.port_request_id, signatureUrl: body.data.signature_url, numbers };
}

async function sign(signatureUrl: string, changes: Record<string, string> = {}) {
  const page = await (await fetch(signatureUrl)).text();
  const sha256 = /name="sha256" value="(\w+)"/.exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ name: 'Jane Doe', consent: 'yes', sha256, drawing: '', ...changes });
  return fetch(signatureUrl, { method: 'POST', body });
}

const detail = async (id: string) => (await api.get(`/v1/sip/port/${id}`, key)).body.data;
const untilStatus = (id: string, status: string) =>
  until(
    async () => (await detail(id)).status === status,
    10_000,
    () => `${id} is ${status}; the carrier got ${twilio.log.slice(-8).join(', ')}`,
  );
const submissionsOf = ({ numbers }: Begun) =>
  twilio.ports.filter(({ submitted }) => submitted.phone_numbers[0].phone_number === numbers[0]);
async function submitted(): Promise<Begun & { readonly sid: string }> {
  const begun = await begin();
  await sign(begun.signatureUrl);
  await until(async () => (await detail(begun.id)).carrier_reference !== null, 10_000, 'it is submitted');
  return { ...begun, sid: submissionsOf(begun)[0]!.port_in_request_sid };
}
const events = () => `${api.url}/carrier/port-events`;

describe('the Letter of Authorization', () => {
  it('is mailed, shown without secrets, signed once, and its copy is sent', async () => {
    const begun = await begin([freshNumber(), freshNumber()], 'signer@example.com');
    const mail = await mails.take(({ to }) => to === 'signer@example.com', 5_000, 'the mail with the link');
    expect(mail.text).toContain(begun.signatureUrl);
    const shown = await fetch(begun.signatureUrl);
    const page = await shown.text();
    expect(page).toContain('Acme &#38; Söhne &#60;Corp&#62;');
    for (const number of begun.numbers) expect(page).toContain(number);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    const pdf = Buffer.from(await (await fetch(`${begun.signatureUrl}/letter.pdf`)).arrayBuffer());
    expect(page).toContain(createHash('sha256').update(pdf).digest('hex'));
    for (const secret of ['ACCOUNT-998877', 'PIN4321']) {
      expect(page).not.toContain(secret);
      expect(pdf.includes(secret)).toBe(false);
    }

    expect((await sign(begun.signatureUrl, { consent: 'no' })).status).toBe(400);
    expect((await sign(begun.signatureUrl, { sha256: 'another letter' })).status).toBe(400);
    const twice = await Promise.all([sign(begun.signatureUrl), sign(begun.signatureUrl)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 410]);
    expect((await fetch(begun.signatureUrl)).status).toBe(410);
    const copy = await mails.take(
      ({ to, attachments }) => to === 'signer@example.com' && attachments.length === 1,
      5_000,
      'the signed copy',
    );
    const signed = await PDFDocument.load(copy.attachments[0]!);
    expect(signed.getPageCount()).toBe(2);
    const { timeline, signature, documents } = await detail(begun.id);
    expect(signature).toMatchObject({ signer_name: 'Jane Doe', email: 'signer@example.com' });
    expect(documents.map(({ kind }: { kind: string }) => kind)).toEqual(['proof', 'letter', 'signed_letter']);
    const signings = timeline.filter(({ by }: { by: string }) => by === 'signer');
    // Two numbers and the request, each once.
    expect(signings).toHaveLength(3);
    await untilStatus(begun.id, 'submitted');
    expect(submissionsOf(begun)).toHaveLength(1);
  });

  it('is led to by the latest link alone, until it expires', async () => {
    const begun = await begin();
    const again = await api.post(`/v1/sip/port/${begun.id}/signature`, key, {});
    expect(again.body.data.signature_url).not.toBe(begun.signatureUrl);
    expect((await fetch(begun.signatureUrl)).status).toBe(404);
    expect((await fetch(again.body.data.signature_url)).status).toBe(200);
    await bench.database
      .updateTable('port_letters')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('request_id', '=', begun.id)
      .execute();
    expect((await sign(again.body.data.signature_url)).status).toBe(410);
    expect((await detail(begun.id)).status).toBe('waiting_for_signature');
    expect((await fetch(`${api.url}/sign/${'x'.repeat(43)}`)).status).toBe(404);
  });
});

describe('Twilio', () => {
  it('checks whether numbers can be ported, and reports when it does not answer', async () => {
    const check = (numbers: string) => api.get(`/v1/sip/port/check?phone_numbers[]=${numbers}`, key);
    const { body } = await check('%2B14155552001&phone_numbers[]=%2B14155552009');
    expect(body.data.results).toMatchObject([
      { portable: true, number_type: 'mobile', pin_required: true, source: 'carrier' },
      { portable: false, number_type: 'landline', reason: expect.stringContaining('rate center') },
    ]);
    for (const fault of [429, 500, 'hang'] as const) {
      twilio.fail(/Portability/, fault);
      const answer = await check('%2B14155552002');
      expect(answer.status).toBe(503);
      expect(answer.body.errors[0].error).toBe('CARRIER_UNAVAILABLE');
      expect(answer.text).not.toContain(TwilioStandIn.authToken);
    }
  });

  it('gets what the customer gave, and its webhook makes the number ring', async () => {
    const begun = await submitted();
    expect(submissionsOf(begun)[0]?.submitted).toMatchObject({
      account_sid: TwilioStandIn.accountSid,
      phone_numbers: [{ phone_number: begun.numbers[0], pin: 'PIN4321' }],
      losing_carrier_information: {
        customer_type: 'Business',
        customer_name: 'Acme & Söhne <Corp>',
        authorized_representative: 'Jane Doe',
        account_number: 'ACCOUNT-998877',
      },
      documents: [expect.stringMatching(/^RD/)],
      target_port_in_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    const webhook = { port_in_request_sid: begun.sid, status: 'PortInInProgress' };
    twilio.move(begun.sid, 'In progress', 'Pending');
    expect(await twilio.webhook(events(), webhook, 'forged')).toBe(403);
    expect(await twilio.webhook(events(), webhook)).toBe(204);
    await untilStatus(begun.id, 'in_progress');
    twilio.move(begun.sid, 'Completed', 'Completed');
    const completed = { ...webhook, status: 'PortInCompleted' };
    expect(await Promise.all([1, 2, 3].map(() => twilio.webhook(events(), completed)))).toEqual([
      204, 204, 204,
    ]);
    await until(async () => (await detail(begun.id)).phone_numbers[0].active, 10_000, 'the number is active');
    const redis = bench.redis.client();
    const digits = begun.numbers[0]!.slice(1);
    await until(async () => (await bench.documentOf(redis, digits)) !== null, 5_000, 'the edges know it');
    expect(await bench.documentOf(redis, digits)).toMatchObject({
      organization: bench.organization,
      inbound: [{ allowed_sources: ['192.0.2.0/24'] }],
    });
    redis.disconnect();
    const configurations = await bench.database
      .selectFrom('configurations')
      .selectAll()
      .where('number', '=', digits)
      .execute();
    expect(configurations).toHaveLength(1);
    const moves = (await detail(begun.id)).timeline.map(
      ({ number, to }: { number: string | null; to: string }) =>
        `${number === null ? 'request' : 'number'} ${to}`,
    );
    expect(new Set(moves).size).toBe(moves.length);
    const mail = await mails.take(
      ({ to, subject }) => to === 'phones@example.com' && subject.includes('completed'),
      5_000,
      'the mail that it is completed',
    );
    expect(mail.text).toContain(begun.numbers[0]);
  });

  it.each([429, 500, 'hang', 'lost answer'] as const)(
    'gets the request once when it answers a submission with %s',
    async (fault) => {
      const begun = await begin();
      twilio.fail(/^POST \/v1\/Porting\/PortIn$/, fault);
      await sign(begun.signatureUrl);
      await until(async () => (await detail(begun.id)).carrier_reference !== null, 10_000, 'it is submitted');
      expect(submissionsOf(begun)).toHaveLength(1);
    },
  );

  it('is shown as down while it is, and some of the numbers may be refused', async () => {
    const begun = await submitted();
    twilio.down = new RegExp(`^GET .*${begun.sid}`);
    await twilio.webhook(events(), { port_in_request_sid: begun.sid });
    await until(
      async () => /Twilio answered 500/.test((await detail(begun.id)).carrier_problem ?? ''),
      10_000,
      'the problem is shown',
    );
    twilio.down = undefined;
    twilio.move(begun.sid, 'Action Required', [
      { port_in_phone_number_status: 'Rejected', rejection_reason: 'Account number does not match.' },
    ]);
    await twilio.webhook(events(), { port_in_request_sid: begun.sid });
    await untilStatus(begun.id, 'failed');
    expect((await detail(begun.id)).phone_numbers[0].reason).toBe('Account number does not match.');
  });

  it('is notified of a cancel', async () => {
    const begun = await submitted();
    expect((await api.delete(`/v1/sip/port/${begun.id}`, key)).body.data).toEqual({ canceled: true });
    await until(async () => twilio.canceled.includes(begun.sid), 10_000, 'Twilio has canceled it');
    const answer = await api.delete(`/v1/sip/port/${(await submittedAndCompleted()).id}`, key);
    expect(answer.status).toBe(409);
    expect(answer.body.errors[0].error).toBe('PORT_MOVE_NOT_ALLOWED');
  });
});

async function submittedAndCompleted(): Promise<Begun> {
  const begun = await submitted();
  twilio.move(begun.sid, 'Completed', 'Completed');
  await twilio.webhook(events(), { port_in_request_sid: begun.sid });
  await untilStatus(begun.id, 'completed');
  return begun;
}

describe('operators', () => {
  it('see every request with what the losing carrier compares, and move it', async () => {
    const begun = await begin([freshNumber(), freshNumber()]);
    const queue = await api.get('/v1/operator/ports?limit=1', operator);
    expect(queue.body.data.port_requests[0]).toMatchObject({ id: begun.id, organization: 'acme' });
    expect((await api.get('/v1/operator/ports', key)).status).toBe(403);
    const opened = (await api.get(`/v1/operator/ports/${begun.id}`, operator)).body.data;
    expect(opened.losing_carrier).toMatchObject({ account_number: 'ACCOUNT-998877', pin: 'PIN4321' });
    expect(opened.allowed_moves).toEqual(['sign', 'fail', 'cancel']);
    const proof = opened.documents[0].document_sid;
    const file = await api.get(`/v1/operator/ports/${begun.id}/documents/${proof}`, operator);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const move = (body: object) => api.post(`/v1/operator/ports/${begun.id}/moves`, operator, body);
    expect((await move({ move: 'complete', reason: 'Too early.' })).body.errors[0].error).toBe(
      'PORT_MOVE_NOT_ALLOWED',
    );
    await move({ move: 'sign', reason: 'Signed on paper.' });
    const [first] = begun.numbers;
    await move({ move: 'complete', reason: 'Ported today.', phone_numbers: [first] });
    const partial = (await detail(begun.id)).phone_numbers.map(({ status }: { status: string }) => status);
    expect(partial).toEqual(['completed', 'submitted']);
    const last = await move({ move: 'fail', reason: 'The second number is unknown to the losing carrier.' });
    expect(last.body.data).toMatchObject({ status: 'completed', allowed_moves: [] });
  });
});

let isPolling = false;

/** Instead of a control that was stopped: one that asks the carrier each second. Each also loads what makes letters. */
async function startPolling(): Promise<void> {
  isPolling = true;
  api = await startApi(bench, {
    ...environment,
    DEMARC_PORT_POLL_SECONDS: '1',
    DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
}

describe('control killed while the carrier takes a request', () => {
  it('finds it there instead of submitting it again', async () => {
    const begun = await begin();
    await api.stop();
    const port = await freePort();
    const { child, url } = await startControlProcess(bench, {
      ...environment,
      DEMARC_HTTP_PORT: String(port),
      DEMARC_PUBLIC_URL: `http://127.0.0.1:${port}`,
    });
    // The carrier takes it, and its answer never arrives: control dies with the request in flight.
    twilio.fail(/^POST \/v1\/Porting\/PortIn$/, 'lost answer');
    const token = begun.signatureUrl.split('/').at(-1);
    const signed = sign(`${url}/sign/${token}`).catch(() => undefined);
    await until(async () => submissionsOf(begun).length === 1, 10_000, 'the carrier has the request');
    child.signal('SIGKILL');
    await child.exit(5_000);
    await signed;
    await startPolling();
    await until(async () => (await detail(begun.id)).carrier_reference !== null, 20_000, 'it is found');
    expect(submissionsOf(begun)).toHaveLength(1);
    expect((await detail(begun.id)).carrier_reference).toBe(submissionsOf(begun)[0]!.port_in_request_sid);
  });
});

describe('polling', () => {
  it('moves a request whose webhooks are lost, and each move is one signed event', async () => {
    const receiver = await Receiver.start();
    if (!isPolling) {
      await api.stop();
      await startPolling();
    }
    const endpoint = await api.post('/v1/webhooks', key, { url: receiver.url(), events: ['*'] });
    const { secret } = endpoint.body.data;
    const begun = await submitted();
    twilio.move(begun.sid, 'In progress', 'Pending');
    await untilStatus(begun.id, 'in_progress');
    twilio.move(begun.sid, 'Completed', 'Completed');
    await untilStatus(begun.id, 'completed');
    const received = () => receiver.received.filter(({ text }) => text.includes(begun.id));
    await until(
      () => received().some(({ text }) => text.includes('port.completed')),
      10_000,
      'the last event',
    );
    expect(
      received()
        .map(({ text }) => JSON.parse(text).event)
        .sort(),
    ).toEqual(['port.completed', 'port.in_progress', 'port.submitted', 'port.waiting_for_signature']);
    for (const { headers, text } of received()) {
      const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-demarc-signature']))!;
      expect(signature).toBe(createHmac('sha256', secret).update(`${time}.${text}`).digest('hex'));
      for (const hidden of ['ACCOUNT-998877', 'PIN4321']) expect(text).not.toContain(hidden);
    }
    await receiver.stop();
  });
});

describe('retention', () => {
  it('deletes files and rows of ended requests, and of no request that still needs them', async () => {
    const shared = await upload();
    const used = await upload();
    const unused = await upload();
    const active = await begin([freshNumber()], 'jane.doe@example.com', [shared]);
    // Uses a document of the active request as well, after it.
    const ended = await begin([freshNumber()], 'jane.doe@example.com', [shared, used]);
    await sign(ended.signatureUrl);
    await api.delete(`/v1/sip/port/${ended.id}`, key);
    await untilStatus(ended.id, 'canceled');
    const rowsOf = async (id: string): Promise<string[]> =>
      (
        await bench.database.selectFrom('port_documents').select('id').where('request_id', '=', id).execute()
      ).map((row) => row.id);
    const letters = (await rowsOf(ended.id)).filter((id) => ![shared, used].includes(id));
    expect(letters).toHaveLength(2);
    const kept = [shared, ...(await rowsOf(active.id))];
    const deleted = [used, unused, ...letters];
    await bench.database
      .updateTable('port_requests')
      .set({ ended_at: new Date(Date.now() - 366 * 86_400_000) })
      .where('id', '=', ended.id)
      .execute();
    await sql`update port_documents set created_at = now() - interval '31 days' where id = ${unused}`.execute(
      bench.database,
    );
    // A control process sweeps when it starts.
    await api.stop();
    api = await startApi(bench, environment);
    const exists = (id: string): Promise<boolean> =>
      access(join(folder, id)).then(
        () => true,
        () => false,
      );
    const left = async (ids: readonly string[]): Promise<string[]> => {
      const rows = await bench.database
        .selectFrom('port_documents')
        .select('id')
        .where('id', 'in', [...ids])
        .execute();
      const files = await Promise.all(ids.map(async (id) => ((await exists(id)) ? [`file ${id}`] : [])));
      return [...rows.map(({ id }) => `row ${id}`), ...files.flat()];
    };
    await until(async () => (await left(deleted)).length === 0, 10_000, 'the documents are deleted');
    expect(await left(kept)).toHaveLength(2 * kept.length);
    expect((await detail(ended.id)).documents.map(({ kind }: { kind: string }) => kind)).toEqual(['proof']);
  });
});
