import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readControlSettings } from '../../../../src/config/control-settings.js';
import { type EndpointHealth, endpointName, healthStream } from '../../../../src/contract/health.js';
import { type Notice, noticeChannel } from '../../../../src/contract/live.js';
import {
  type RegistrationState,
  registrationKey,
  registrationsOf,
} from '../../../../src/contract/registration.js';
import { evaluateAlerts } from '../../../../src/control/alerts/evaluation.js';
import { readMuted } from '../../../../src/control/alerts/handling.js';
import { countActive } from '../../../../src/control/alerts/index.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { composeNumberDocuments } from '../../../../src/control/numbers/number-documents.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { until } from '../../../../src/testkit/waiting.js';
import { TestAuthority } from '../../../support/certificates.js';
import { startControlProcess } from '../../../support/control-process.js';
import { stays } from '../../../support/stays.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';
import { Receiver } from '../deliveries/receiver.js';
import { sampleRecord } from '../history/sample-record.js';
import { MailServer } from './mail-server.js';

const minute = 60_000;
const number = '+14155550100';
const quiet = '+14155550101';
const dead = '+14155550102';
const flaky = '+14155550103';
const endpoint = endpointName({ host: 'pbx.example.com', transport: 'tls' });

let bench: ControlBench;
let api: ApiUnderTest;
let redis: Redis;
let listener: Redis;
let authority: TestAuthority;
let mailServer: MailServer;
let receiver: Receiver;
let provider: Receiver;
let key: string;
let otherKey: string;
let environment: Record<string, string>;
const live: Notice[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create();
  const issued = await authority.issue('mail', ['localhost']);
  [bench, mailServer, receiver, provider] = await Promise.all([
    ControlBench.start(),
    MailServer.start({ certificate: issued.certFile, key: issued.keyFile }),
    Receiver.start(),
    Receiver.start(),
  ]);
  provider.behaviour = 201;
  environment = {
    DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
    DEMARC_WEBHOOK_TIMEOUT_MS: '3000',
    DEMARC_DELIVERY_RETRY_MS: '200',
    DEMARC_DELIVERY_ATTEMPTS: '8',
    DEMARC_ALERT_INTERVAL_SECONDS: '1',
    DEMARC_SECRET_KEY: 'cd'.repeat(32),
    DEMARC_PUBLIC_URL: 'https://noc.example.com/',
    DEMARC_SMTP_URL: `smtp://ada:secret@localhost:${mailServer.port}`,
    DEMARC_SMTP_FROM: 'Demarc <alerts@demarc.example>',
    DEMARC_SMTP_CA: authority.caFile,
    DEMARC_SMS_URL: provider.url(''),
    DEMARC_SMS_ACCOUNT: 'AC123',
    DEMARC_SMS_TOKEN: 'token',
    DEMARC_SMS_FROM: '+12025550111',
  };
  api = await startApi(bench, environment);
  redis = bench.redis.client();
  listener = bench.redis.client();
  listener.on('message', (_channel, message) => live.push(JSON.parse(message)));
  await listener.subscribe(noticeChannel);
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  await api.post('/v1/sip/attach', key, {
    phone_numbers: [number, quiet, flaky],
    directions: [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com' }],
    service: 'sip',
  });
});
afterAll(async () => {
  redis?.disconnect();
  listener?.disconnect();
  await api?.stop();
  await Promise.all([mailServer?.stop(), receiver?.stop(), provider?.stop(), bench?.stop()]);
  authority?.remove();
});

const configure = (phoneNumber: string, thresholds: object, channels: object) =>
  api.patch('/v1/sip/config', key, {
    phone_number: phoneNumber,
    direction: 'outbound',
    alert_config: { thresholds, channels },
  });

/** What an edge writes to the stream after a probe. */
async function check(minutesAgo: number, fields: Partial<EndpointHealth> = {}): Promise<void> {
  await checks([minutesAgo, fields]);
}

/** Several at once, so that no evaluation falls between them. */
async function checks(...all: readonly (readonly [number, Partial<EndpointHealth>])[]): Promise<void> {
  const entries = redis.multi();
  for (const [minutesAgo, fields] of all) {
    entries.xadd(healthStream, '*', 'health', JSON.stringify(healthOf(minutesAgo, fields)));
  }
  await entries.exec();
}

function healthOf(minutesAgo: number, fields: Partial<EndpointHealth>): EndpointHealth {
  return {
    version: 1,
    endpoint,
    edge_id: 'edge',
    checked_at: new Date(Date.now() - minutesAgo * minute).toISOString(),
    status: 'healthy',
    reason: null,
    detail: null,
    sip_status: 200,
    response_time_milliseconds: 10,
    evidence: 'probe',
    targets: [],
    ...fields,
  };
}

const down = {
  status: 'unreachable',
  reason: 'refused',
  sip_status: null,
  response_time_milliseconds: null,
} as const;

let lastCall = 0;
async function calls(count: number, fields: Parameters<typeof sampleRecord>[1]): Promise<void> {
  const entries = Array.from({ length: count }, () => {
    const id = ++lastCall;
    const record = sampleRecord(`call-${id}`, {
      organization: bench.organization,
      number: flaky.slice(1),
      direction: 'outbound',
      started_at: new Date().toISOString(),
      ...fields,
    });
    return { id: `1-${id}`, json: JSON.stringify(record) };
  });
  await storeEntries(bench.database, await Promise.all(entries.map(readEntry)));
}

const alerts = async (query = '', withKey = key) =>
  (await api.get(`/v1/sip/alerts${query}`, withKey)).body.data;

const mailsTo = (address: string) => mailServer.mails.filter(({ to }) => to.includes(address));

describe('contacts', () => {
  it('are checked, kept, and the organization’s own', async () => {
    expect((await api.get('/v1/sip/alerts/contacts', key)).body.data).toEqual({
      emails: [],
      phone_numbers: [],
      available: { email: true, sms: true },
    });
    const wrong = [
      {},
      { emails: ['nobody'] },
      { phone_numbers: ['bob'] },
      { emails: Array(11).fill('a@b.example') },
    ];
    for (const body of [...wrong, { other: 1 }, { emails: ['a@b.example\r\nBcc: c@d.example'] }]) {
      expect((await api.patch('/v1/sip/alerts/contacts', key, body)).status).toBe(400);
    }
    await api.patch('/v1/sip/alerts/contacts', key, { emails: ['old@example.com'] });
    const body = { emails: ['noc@example.com', 'boss@example.com', 'noc@example.com'] };
    await api.patch('/v1/sip/alerts/contacts', key, body);
    const answer = await api.patch('/v1/sip/alerts/contacts', key, { phone_numbers: ['+1 415 555 0177'] });
    const expected = { emails: ['noc@example.com', 'boss@example.com'], phone_numbers: ['+14155550177'] };
    expect(answer.body.data).toMatchObject(expected);
    expect((await api.get('/v1/sip/alerts/contacts', otherKey)).body.data.emails).toEqual([]);
  });
});

describe('a trunk that is not reachable', () => {
  it('is sent once, on every channel, with the remedy', async () => {
    await configure(
      number,
      { unreachable_minutes: 2 },
      { email: true, sms: true, webhook: receiver.url('/alerts') },
    );
    await configure(quiet, { unreachable_minutes: 60 }, { webhook: receiver.url('/quiet') });
    await check(9);
    for (const ago of [8, 7.5, 7]) await check(ago, down);
    await until(async () => (await alerts()).alerts[0]?.notices.length === 4, 8_000, 'an alert');
    await until(
      async () =>
        (await alerts()).alerts[0].notices.every(({ status }: { status: string }) => status === 'delivered'),
      8_000,
      'all notices are delivered',
    );
    await stays(async () => expect((await alerts()).alerts[0].notices).toHaveLength(4), 3_000);
    const page = await alerts();
    expect(page).toMatchObject({ has_more: false, active_count: 1 });
    const [alert] = page.alerts;
    expect(alert).toMatchObject({
      phone_number: number,
      direction: 'outbound',
      kind: 'unreachable',
      state: 'active',
      title: `${number} outbound: the trunk is unreachable`,
      cause: "Connection refused: nothing listens on the server's port.",
      advice: 'Check port and transport, and whether the SIP service is running.',
      measured: 8,
      threshold: 2,
      unit: 'minutes',
      recovered_at: null,
      dashboard_url: 'https://noc.example.com/trunks/14155550100',
    });
    expect(Date.now() - Date.parse(alert.since)).toBeGreaterThan(8 * minute - 1_000);
    expect((await api.get(`/v1/sip/alerts/${alert.alert_id}`, key)).body.data).toEqual(alert);
    expect((await api.get(`/v1/sip/alerts/${alert.alert_id}`, otherKey)).status).toBe(404);
    expect(await alerts('', otherKey)).toEqual({ alerts: [], has_more: false, active_count: 0 });

    expect(mailServer.mails.length).toBe(2);
    const [mail] = mailsTo('noc@example.com');
    expect(mail).toMatchObject({ secure: true, user: 'ada', to: ['noc@example.com'] });
    expect(mail!.email).toMatchObject({
      subject: `[Demarc] ALERT ${number} outbound: the trunk is unreachable`,
      from: { name: 'Demarc', address: 'alerts@demarc.example' },
      to: [{ address: 'noc@example.com' }],
    });
    for (const line of [
      /^What: No server of the trunk has been reachable for 8 minutes\. Demarc keeps probing tls:pbx\.example\.com /m,
      /^Since: \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m,
      /^Likely cause: Connection refused: nothing listens on the server's port\.$/m,
      /^What to do: Check port and transport, and whether the SIP service is running\.$/m,
      /^Dashboard: https:\/\/noc\.example\.com\/trunks\/14155550100$/m,
    ]) {
      expect(mail!.email.text).toMatch(line);
    }
    expect(provider.received.length).toBe(1);
    const sms = provider.received[0]!;
    expect(sms.path).toBe('/2010-04-01/Accounts/AC123/Messages.json');
    expect(sms.headers.authorization).toBe(`Basic ${Buffer.from('AC123:token').toString('base64')}`);
    const form = Object.fromEntries(new URLSearchParams(sms.text));
    expect(form).toMatchObject({ To: '+14155550177', From: '+12025550111' });
    expect(form.Body!.length).toBeLessThanOrEqual(300);
    expect(form.Body).toMatch(
      /^Demarc ALERT \+14155550100 outbound: .*https:\/\/noc\.example\.com\/trunks\/14155550100$/,
    );
    const [hook, ...more] = receiver.of('/alerts');
    expect(more).toEqual([]);
    expect(JSON.parse(hook!.text)).toMatchObject({
      event: 'alert.fired',
      alert: { alert_id: alert.alert_id, phone_number: number, kind: 'unreachable' },
      text: mail!.email.text!.replace(/\n+$/, '\n'),
    });
    expect(receiver.of('/quiet')).toEqual([]);
    await expect
      .poll(() => live.filter(({ event }) => event === 'alert'))
      .toMatchObject([
        { organization: bench.organization, data: { change: 'fired', alert: { alert_id: alert.alert_id } } },
      ]);
  });

  it('counts as unnoticed when no notice is delivered within two minutes, or every one has failed', async () => {
    const counted = () => countActive(bench.database, bench.organization);
    expect(await counted()).toEqual({ active: 1, unnoticed: 0 });
    const turn = (status: 'delivered' | 'failed') =>
      bench.database.updateTable('deliveries').set({ status }).where('event', '=', 'alert.fired').execute();
    const queued = (at: Date) =>
      bench.database
        .updateTable('deliveries')
        .set({ status: 'pending', created_at: sql<never>`${at}` })
        .where('event', '=', 'alert.fired')
        .execute();
    try {
      // A notice that only fails is retried for hours.
      await queued(new Date());
      expect(await counted()).toEqual({ active: 1, unnoticed: 0 });
      await queued(new Date(Date.now() - 3 * minute));
      expect(await counted()).toEqual({ active: 1, unnoticed: 1 });
      await turn('failed');
      expect(await counted()).toEqual({ active: 1, unnoticed: 1 });
      // An acknowledged alert has been noticed.
      const [{ alert_id }] = (await alerts()).alerts;
      const path = `/v1/sip/alerts/${alert_id}`;
      const note = 'Carrier has opened a ticket.';
      const taken = await api.patch(path, key, { acknowledged: true, note, mute_minutes: 60 });
      expect(taken.body.data).toMatchObject({ alert_id, acknowledged_by: 'test', note });
      expect(Date.parse(taken.body.data.muted_until) - Date.now()).toBeGreaterThan(59 * minute);
      expect(await counted()).toEqual({ active: 1, unnoticed: 0 });
      expect((await readMuted(bench.database, new Date())).size).toBe(1);
      expect((await api.patch(path, otherKey, { acknowledged: true })).status).toBe(404);
      for (const body of [{}, { mute_minutes: 0 }, { muted: true }]) {
        expect((await api.patch(path, key, body)).status).toBe(400);
      }
      const freed = await api.patch(path, key, { acknowledged: false, note: null, mute_minutes: null });
      expect(freed.body.data).toMatchObject({
        acknowledged_at: null,
        acknowledged_by: null,
        note: null,
        muted_until: null,
      });
    } finally {
      await turn('delivered');
    }
  });

  it('survives a restart, is not sent again, and recovers once', async () => {
    await api.stop();
    api = await startApi(bench, environment);
    // Up for a moment, down again: no recovery is sent.
    await checks([6.5, {}], [6, down]);
    await stays(async () => expect((await alerts()).alerts).toMatchObject([{ state: 'active' }]), 2_500);
    await check(5);
    await check(1);
    await until(async () => (await alerts()).active_count === 0, 8_000, 'the recovery');
    await until(
      () => mailServer.mails.length === 4 && provider.received.length === 2,
      8_000,
      'both channels get the notice',
    );
    await until(() => receiver.of('/alerts').length === 2, 8_000, 'the webhook too');
    await stays(() => {
      expect([mailServer.mails.length, provider.received.length]).toEqual([4, 2]);
      expect(receiver.of('/alerts')).toHaveLength(2);
    }, 2_000);
    const [alert, ...rest] = (await alerts('?state=recovered')).alerts;
    expect(rest).toEqual([]);
    expect(alert).toMatchObject({ state: 'recovered', recovered_at: expect.any(String) });
    expect(alert.notices.map(({ event }: { event: string }) => event).sort()).toEqual([
      ...Array(4).fill('alert.fired'),
      ...Array(4).fill('alert.recovered'),
    ]);
    expect(mailServer.mails.length).toBe(4);
    const last = mailsTo('noc@example.com')[1]!.email;
    expect(last.subject).toBe(`[Demarc] RECOVERED ${number} outbound: the trunk is reachable again`);
    expect(last.text).toMatch(/It lasted \d+ minutes, from .* UTC to .* UTC\./);
    expect(JSON.parse(receiver.of('/alerts')[1]!.text)).toMatchObject({ event: 'alert.recovered' });
  });

  it('is sent even if control is killed while sending', async () => {
    await api.post('/v1/sip/attach', key, {
      phone_numbers: [dead],
      directions: [{ type: 'outbound', sip_endpoint: 'sip:dead.example.com' }],
      service: 'sip',
    });
    await configure(dead, { unreachable_minutes: 5 }, { email: true, webhook: receiver.url('/killed') });
    await api.stop();
    receiver.behaviour = 'hang';
    const mails = mailServer.mails.length;
    // While no control ran.
    const name = endpointName({ host: 'dead.example.com', transport: 'tls' });
    for (const ago of [9, 5, 1]) await check(ago, { ...down, endpoint: name });
    const more = { ...environment, DEMARC_WEBHOOK_TIMEOUT_MS: '30000' };
    const { child } = await startControlProcess(bench, more);
    await until(() => receiver.of('/killed').length === 1, 20_000, 'the webhook is asked');
    // Written down as well: a mail that is only sent when its process dies is sent again.
    const delivered = bench.database
      .selectFrom('deliveries')
      .innerJoin('alerts', 'alerts.id', 'subject')
      .select('deliveries.id')
      .where('number', '=', dead.slice(1))
      .where('channel', '=', 'email')
      .where('status', '=', 'delivered');
    await until(async () => (await delivered.execute()).length === 2, 5_000, 'the mails');
    child.signal('SIGKILL');
    await child.exit(2_000);
    receiver.behaviour = 200;
    api = await startApi(bench, environment);
    await until(() => receiver.of('/killed').length === 2, 30_000, 'the notice is repeated');
    const ids = receiver.of('/killed').map(({ headers }) => headers['x-webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect((await alerts('?state=active')).alerts.length).toBe(1);
    expect(mailServer.mails.length).toBe(mails + 2);
  }, 120_000);

  it('is closed silently when no subscriber is left', async () => {
    const mails = mailServer.mails.length;
    await api.patch('/v1/sip/config', key, { phone_number: dead, direction: 'outbound', alert_config: null });
    await until(async () => (await alerts()).active_count === 0, 8_000, 'it is closed');
    expect((await alerts('?state=closed')).alerts).toMatchObject([{ phone_number: dead }]);
    await stays(() => expect(mailServer.mails.length).toBe(mails), 1_500);
    await expect.poll(() => live.at(-1)).toMatchObject({ data: { change: 'closed' } });
  });
});

describe('the failure rate', () => {
  it('is raised per failing trunk, and not for unauthenticated callers', async () => {
    await configure(
      flaky,
      { failure_rate_percent: 50, failure_rate_window_minutes: 10 },
      { webhook: receiver.url('/flaky') },
    );
    const refused = { outcome: 'refused', answered_at: null, duration_milliseconds: 0 } as const;
    await calls(30, { ...refused, end_reason: 'refused_source', sip_status: 403, ended_by: 'edge' });
    await calls(4, { ...refused, end_reason: 'trunk_refused', sip_status: 503, ended_by: 'callee' });
    await calls(6, { end_reason: 'trunk_refused', sip_status: 486 });
    await stays(
      async () => expect((await alerts(`?phone_number=${encodeURIComponent(flaky)}`)).alerts).toEqual([]),
      2_500,
    );
    await calls(6, { ...refused, end_reason: 'trunk_refused', sip_status: 503, ended_by: 'callee' });
    await until(() => receiver.of('/flaky').length === 1, 8_000, 'an alert');
    const { alert } = JSON.parse(receiver.of('/flaky')[0]!.text);
    expect(alert).toMatchObject({
      kind: 'failure_rate',
      measured: 62.5,
      unit: 'percent',
      summary: '10 of 16 calls (62.5 %) in the last 10 minutes failed; the threshold is 50 %.',
    });
    expect(alert.cause).toMatch(/^Most frequent cause: The trunk's server refused the call \(503\)\./);
    await calls(30, {});
    await until(
      async () => {
        const row = await bench.database
          .selectFrom('alerts')
          .select('clear_since')
          .where('id', '=', alert.alert_id)
          .executeTakeFirst();
        return row?.clear_since != null;
      },
      5_000,
      'it is good again',
    );
    expect((await alerts()).active_count).toBe(1);
    await bench.database
      .updateTable('alerts')
      .set({ clear_since: new Date(Date.now() - 3 * minute) })
      .where('id', '=', alert.alert_id)
      .execute();
    await until(() => receiver.of('/flaky').length === 2, 8_000, 'the recovery');
  });
});

describe('the response time', () => {
  it('is an average, and raises an alert when the trunk is slow', async () => {
    const slow = endpointName({ host: 'slow.example.com', transport: 'tls' });
    await api.post('/v1/sip/attach', key, {
      phone_numbers: ['+14155550104'],
      directions: [{ type: 'outbound', sip_endpoint: 'sip:slow.example.com' }],
      service: 'sip',
    });
    await configure('+14155550104', { response_time_ms: 200 }, { webhook: receiver.url('/slow') });
    const at = (ago: number, milliseconds: number) =>
      check(ago, { endpoint: slow, response_time_milliseconds: milliseconds });
    for (const ago of [9, 8, 7]) await at(ago, 50);
    await at(6, 400);
    await stays(() => expect(receiver.of('/slow')).toEqual([]), 2_500);
    for (const ago of [5, 4, 3]) await at(ago, 400);
    await until(() => receiver.of('/slow').length === 1, 8_000, 'an alert');
    expect(JSON.parse(receiver.of('/slow')[0]!.text).alert).toMatchObject({
      kind: 'response_time',
      threshold: 200,
      unit: 'milliseconds',
    });
  });
});

describe('a registration at a PBX', () => {
  const registered = '+14155550105';
  const registrar = endpointName({ host: 'registrar.example.com', transport: 'tls' });

  /** What an edge writes after an attempt. */
  async function attempt(fields: Partial<RegistrationState>): Promise<void> {
    const documents = await composeNumberDocuments(bench.database, [registered.slice(1)]);
    const [registration] = registrationsOf(documents.get(registered.slice(1))!);
    const in1 = new Date(Date.now() + minute).toISOString();
    const state: RegistrationState = {
      version: 1,
      organization: bench.organization,
      registration: registration!.id,
      registrar,
      username: 'pbx-user',
      edge_id: 'edge',
      state: 'registered',
      since: new Date(Date.now() - 10 * minute).toISOString(),
      attempted_at: null,
      expires_at: in1,
      next_attempt_at: in1,
      sip_code: 200,
      last_error: null,
      contact: null,
      address: null,
      ...fields,
    };
    await redis.set(registrationKey(registration!.id), JSON.stringify(state));
  }

  it('is reported for the inbound direction when it is lost, and when it returns', async () => {
    await api.post('/v1/sip/attach', key, {
      phone_numbers: [registered],
      directions: [
        {
          type: 'inbound',
          auth_mode: 'register',
          sip_endpoint: 'sip:registrar.example.com',
          register_auth: { username: 'pbx-user', password: 'long-enough-password' },
        },
      ],
      service: 'sip',
    });
    await attempt({});
    await api.patch('/v1/sip/config', key, {
      phone_number: registered,
      direction: 'inbound',
      alert_config: { thresholds: { unreachable_minutes: 1 }, channels: { webhook: receiver.url('/lost') } },
    });
    const since = `demarc:registration-lost:${registered.slice(1)}`;
    await redis.set(since, new Date().toISOString());
    await until(async () => (await redis.get(since)) === null, 5_000, 'the registration is seen');
    const lost = { state: 'failed', sip_code: 403, last_error: '403 Forbidden', expires_at: null } as const;
    await attempt({ ...lost, since: new Date().toISOString() });
    await until(async () => (await redis.get(since)) !== null, 5_000, 'it is seen');
    // Another attempt, another time of the edge's own: what counts is when it was lost. Half a minute more, because an
    // evaluation may have begun before.
    await redis.set(since, new Date(Date.now() - 3.5 * minute).toISOString());
    await attempt({ ...lost, state: 'registering', since: new Date().toISOString() });
    await until(() => receiver.of('/lost').length === 1, 8_000, 'an alert');
    expect(JSON.parse(receiver.of('/lost')[0]!.text).alert).toMatchObject({
      direction: 'inbound',
      kind: 'unreachable',
      title: `${registered} inbound: not registered with the PBX`,
      measured: 3,
      summary: expect.stringContaining('pbx-user has not been registered with tls:registrar.example.com'),
      cause: 'The server forbids the call. 403 Forbidden',
    });
    await attempt({});
    await until(() => receiver.of('/lost').length === 2, 8_000, 'the recovery');
    expect(await redis.get(since)).toBeNull();
  });
});

describe('several processes', () => {
  it('evaluate one at a time, and fire once', async () => {
    const settings = readControlSettings({ ...environment, DATABASE_URL: bench.databaseUrl });
    await bench.database.deleteFrom('alerts').execute();
    await bench.database
      .updateTable('alert_evaluation')
      .set({ evaluated_at: new Date(0) })
      .execute();
    const databases = Array.from({ length: 5 }, () => bench.openDatabase());
    const registrations = { read: async () => new Map() };
    const later = new Date(Date.now() + minute);
    const results = await Promise.all(
      databases.map((database) => evaluateAlerts({ database, settings, registrations }, later)),
    );
    expect(results.filter((result) => result !== undefined).length).toBeLessThanOrEqual(1);
    await until(async () => (await alerts()).active_count === 1, 5_000, 'the slow trunk has an alert');
    expect((await bench.database.selectFrom('alerts').selectAll().execute()).length).toBe(1);
  });

  it('show pages with active alerts first', async () => {
    const row = await bench.database.selectFrom('alerts').selectAll().executeTakeFirstOrThrow();
    const at = (minutes: number) => new Date(Date.now() + minutes * minute);
    await bench.database
      .insertInto('alerts')
      .values(
        [1, 2, 3].map((index) => ({
          ...row,
          id: `alt_${index}`,
          state: 'recovered' as const,
          fired_at: at(index),
          recovered_at: at(index),
        })),
      )
      .execute();
    const ids = (page: { alerts: { alert_id: string }[] }) => page.alerts.map(({ alert_id }) => alert_id);
    const first = await alerts('?limit=2');
    expect(ids(first)).toEqual([row.id, 'alt_3']);
    expect(first.has_more).toBe(true);
    const second = await alerts(`?limit=2&before=${ids(first)[1]}`);
    expect(ids(second)).toEqual(['alt_2', 'alt_1']);
    expect(second).toMatchObject({ has_more: false, active_count: 1 });
    expect((await api.get('/v1/sip/alerts?before=nothing', key)).status).toBe(400);
    expect((await api.get('/v1/sip/alerts?state=wrong', key)).status).toBe(400);
  });
});
