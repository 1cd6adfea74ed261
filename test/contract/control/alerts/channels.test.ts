import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDeliveries, type NewDelivery } from '../../../../src/control/deliveries/delivery-storage.js';
import { MailSender } from '../../../../src/control/deliveries/mail-sender.js';
import type { Delivery, Outcome } from '../../../../src/control/deliveries/sender.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { until } from '../../../../src/testkit/waiting.js';
import { TestAuthority } from '../../../support/certificates.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';
import { Receiver } from '../deliveries/receiver.js';
import { MailServer } from './mail-server.js';

const number = '+14155550100';

let bench: ControlBench;
let authority: TestAuthority;
let mailServer: MailServer;
let plainServer: MailServer;
let receiver: Receiver;
let provider: Receiver;
let api: ApiUnderTest;
let key: string;
let otherKey: string;
let environment: Record<string, string>;

beforeAll(async () => {
  authority = await TestAuthority.create();
  const issued = await authority.issue('mail', ['localhost']);
  [bench, mailServer, plainServer, receiver, provider] = await Promise.all([
    ControlBench.start(),
    MailServer.start({ certificate: issued.certFile, key: issued.keyFile }),
    MailServer.start(),
    Receiver.start(),
    Receiver.start(),
  ]);
  environment = {
    DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
    DEMARC_WEBHOOK_TIMEOUT_MS: '3000',
    DEMARC_DELIVERY_RETRY_MS: '100',
    DEMARC_DELIVERY_ATTEMPTS: '9',
    DEMARC_SECRET_KEY: 'ef'.repeat(32),
    DEMARC_SMTP_URL: `smtp://ada:secret@localhost:${mailServer.port}`,
    DEMARC_SMTP_FROM: 'alerts@demarc.example',
    DEMARC_SMTP_CA: authority.caFile,
    DEMARC_SMS_URL: provider.url(''),
    DEMARC_SMS_ACCOUNT: 'AC123',
    DEMARC_SMS_TOKEN: 'token',
    DEMARC_SMS_FROM: 'MG456',
  };
  api = await startApi(bench, environment);
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  await api.post('/v1/sip/attach', key, {
    phone_numbers: [number],
    directions: [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com' }],
    service: 'sip',
  });
});
afterAll(async () => {
  await api?.stop();
  await Promise.all([
    mailServer?.stop(),
    plainServer?.stop(),
    receiver?.stop(),
    provider?.stop(),
    bench?.stop(),
  ]);
  authority?.remove();
});

let subjects = 0;
async function deliver(fields: Pick<NewDelivery, 'channel' | 'target'>, status: string) {
  const subject = `subject-${++subjects}`;
  const content = { title: 'Ünïcode: title', text: 'Zoë’s trunk\n.\nend' };
  const delivery = {
    organizationId: bench.organization,
    event: 'alert.fired',
    subject,
    content,
    ...fields,
  } as const;
  await addDeliveries(bench.database, [delivery]);
  const read = async () =>
    (await api.get(`/v1/webhooks/deliveries?subject=${subject}`, key)).body.data.deliveries[0];
  await until(async () => (await read()).status === status, 8_000, `it is ${status}`);
  return read();
}

describe('mail', () => {
  it('is retried after a temporary failure, and given up after a permanent one', async () => {
    await mailServer.behave({ reject: 451 });
    const later = deliver({ channel: 'email', target: 'grey@example.com' }, 'delivered');
    await until(async () => mailServer.logins >= 2, 5_000, 'a second attempt');
    await mailServer.behave({});
    expect(await later).toMatchObject({ last_status: 250, last_error: null });
    const [mail] = mailServer.mails.filter(({ to }) => to.includes('grey@example.com'));
    expect(mail!.email.subject).toBe('Ünïcode: title');
    expect(mail!.email.text).toBe('Zoë’s trunk\n.\nend\n');
    await mailServer.behave({ reject: 550 });
    const refused = await deliver({ channel: 'email', target: 'nobody@example.com' }, 'failed');
    expect(refused).toMatchObject({
      attempts: 1,
      last_status: 550,
      last_error: expect.stringContaining('550'),
    });
    await mailServer.behave({});
  });

  it('shows no password to a server without encryption, or one that is not trusted', async () => {
    const mail = { id: 'dlv_1', target: 'noc@example.com', content: { title: 'Alert', text: 'Down.' } };
    const send = (url: string): Promise<Outcome> =>
      new MailSender({ url, from: 'alerts@demarc.example', caFile: undefined }, async () => undefined).send(
        mail as unknown as Delivery,
        AbortSignal.timeout(60_000),
      );
    for (const server of [plainServer, mailServer]) {
      const { logins } = server;
      expect(await send(`smtp://ada:secret@localhost:${server.port}`)).toMatchObject({
        kind: 'failed',
        error: expect.stringMatching(/no trusted encryption|was unreachable/),
      });
      expect(server.logins).toBe(logins);
    }
    expect(await send(`smtp://localhost:${plainServer.port}`)).toEqual({ kind: 'delivered', status: 250 });
    expect(plainServer.mails).toMatchObject([{ secure: false, to: ['noc@example.com'] }]);
  });
});

describe('SMS', () => {
  it('is retried when the provider fails, and given up when it refuses the number', async () => {
    provider.behaviour = 500;
    const before = provider.received.length;
    const later = deliver({ channel: 'sms', target: '+14155550177' }, 'delivered');
    await until(() => provider.received.length >= before + 2, 5_000, 'a second attempt');
    provider.behaviour = 201;
    expect(await later).toMatchObject({ last_status: 201 });
    const form = new URLSearchParams(provider.received.at(-1)!.text);
    expect([form.get('MessagingServiceSid'), form.get('From')]).toEqual(['MG456', null]);
    provider.behaviour = 400;
    expect(await deliver({ channel: 'sms', target: '+14155550178' }, 'failed')).toMatchObject({
      attempts: 1,
    });
    provider.behaviour = 201;
  });
});

describe('POST /v1/sip/alerts/test', () => {
  const test = async (fields: object = {}, withKey = key) =>
    api.post('/v1/sip/alerts/test', withKey, { phone_number: number, direction: 'outbound', ...fields });
  const channelsOf = async () => (await test()).body.data.channels;

  it('reports which channels are not configured', async () => {
    const silent = { target: null, status: 'not_configured', last_status: null, milliseconds: 0 };
    expect(await channelsOf()).toMatchObject([
      { channel: 'email', ...silent },
      { channel: 'sms', ...silent },
      { channel: 'webhook', ...silent },
    ]);
    await api.patch('/v1/sip/config', key, {
      phone_number: number,
      direction: 'outbound',
      alert_config: { channels: { email: true, sms: true, webhook: receiver.url('/test?token=1') } },
    });
    const [email, sms] = await channelsOf();
    expect(email).toMatchObject({ channel: 'email', target: null, status: 'failed' });
    expect(email.detail).toContain('PATCH /v1/sip/alerts/contacts');
    expect(sms.detail).toContain('phone number');
  });

  it('lists each recipient with its delivery result', async () => {
    const contacts = { emails: ['noc@example.com', 'boss@example.com'], phone_numbers: ['+14155550177'] };
    await api.patch('/v1/sip/alerts/contacts', key, contacts);
    provider.behaviour = 401;
    const mails = mailServer.mails.length;
    const results = await channelsOf();
    expect(results).toMatchObject([
      {
        channel: 'email',
        target: 'noc@example.com',
        status: 'delivered',
        last_status: 250,
        detail: 'Delivered',
      },
      { channel: 'email', target: 'boss@example.com', status: 'delivered', last_status: 250 },
      { channel: 'sms', target: '+14155550177', status: 'failed', last_status: 401 },
      { channel: 'webhook', target: `${receiver.url('/test')}?…`, status: 'delivered', last_status: 200 },
    ]);
    expect(mailServer.mails.length).toBe(mails + 2);
    expect(mailServer.mails.at(-1)!.email.subject).toBe(
      `[Demarc] TEST ${number} outbound: test of the alerts`,
    );
    expect(JSON.parse(receiver.of('/test?token=1').at(-1)!.text)).toMatchObject({
      event: 'alert.test',
      alert: { phone_number: number, direction: 'outbound' },
    });
    const { deliveries } = (await api.get('/v1/webhooks/deliveries?limit=4', key)).body.data;
    expect(deliveries.map(({ event }: { event: string }) => event)).toEqual(Array(4).fill('alert.test'));
    expect((await api.get('/v1/sip/alerts', key)).body.data.alerts).toEqual([]);
  });

  it('is limited to numbers of the organization, and in count', async () => {
    expect((await test({}, otherKey)).status).toBe(404);
    expect((await test({ direction: 'inbound' })).status).toBe(404);
    expect((await test({ other: 1 })).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 15 }, () => test()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    expect(receiver.of('/test?token=1')).toHaveLength(10);
    const answer = answers.find(({ status }) => status !== 200)!;
    expect(answer.status).toBe(429);
    expect(answer.body.errors[0].error).toBe('TOO_MANY_REQUESTS');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60);
  });
});

describe('POST /v1/sip/alerts/contacts/test', () => {
  it('sends to that contact alone, and says what came of it', async () => {
    const organization = await createOrganization(bench.database, { name: 'contacts', sipEnabled: true });
    const { key: own } = await createKey(bench.database, organization.id, 'test');
    const test = (body: object) => api.post('/v1/sip/alerts/contacts/test', own, body);
    await api.patch('/v1/sip/alerts/contacts', own, {
      emails: ['noc@example.com', 'boss@example.com'],
      phone_numbers: ['+14155550177'],
    });
    const mails = mailServer.mails.length;
    expect((await test({ email: 'boss@example.com' })).body.data).toMatchObject({
      channel: 'email',
      target: 'boss@example.com',
      status: 'delivered',
      last_status: 250,
    });
    expect(mailServer.mails.slice(mails)).toMatchObject([
      { to: ['boss@example.com'], email: { subject: '[Demarc] TEST: test of an alert contact' } },
    ]);
    provider.behaviour = 500;
    expect((await test({ phone_number: '+1 415 555 0177' })).body.data).toMatchObject({
      channel: 'sms',
      target: '+14155550177',
      status: 'failed',
      last_status: 500,
      detail: 'The SMS provider answered 500',
    });
    provider.behaviour = 201;
    const stranger = await test({ email: 'stranger@example.com' });
    expect([stranger.status, stranger.body.errors[0].message]).toEqual([
      404,
      expect.stringContaining('not an alert contact'),
    ]);
    for (const body of [{}, { email: 'noc@example.com', phone_number: '+14155550177' }, { mail: 1 }]) {
      expect((await test(body)).status).toBe(400);
    }
    const answers = await Promise.all(Array.from({ length: 10 }, () => test({ email: 'noc@example.com' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    expect(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(
      60,
    );
  });
});

describe('alert_config', () => {
  it('refuses a webhook that is no URL, has a password, or resolves to a private address', async () => {
    const configure = (target: ApiUnderTest, webhook: string) =>
      target.patch('/v1/sip/config', key, {
        phone_number: number,
        direction: 'outbound',
        alert_config: { channels: { webhook } },
      });
    for (const webhook of ['ftp://example.com', 'https://a:b@example.com/']) {
      expect((await configure(api, webhook)).status).toBe(400);
    }
    const strict = await startApi(bench, { DEMARC_SECRET_KEY: 'ef'.repeat(32) });
    for (const webhook of ['http://127.0.0.1/', 'http://localhost/', 'http://[::1]/', 'https://10.1.2.3/']) {
      const answer = await configure(strict, webhook);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].path).toBe('alert_config.channels.webhook');
    }
    await strict.stop();
  });
});
