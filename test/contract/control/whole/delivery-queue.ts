import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryQueue } from '../../../../src/control/deliveries/delivery-queue.js';
import {
  addDeliveries,
  deleteOldDeliveries,
  deleteOldExchanges,
  readAttempts,
} from '../../../../src/control/deliveries/delivery-storage.js';
import {
  claimDeliveries,
  readDue,
  releaseClaims,
  renewClaims,
} from '../../../../src/control/deliveries/due-deliveries.js';
import { dropExcess, dropStale } from '../../../../src/control/deliveries/pending-limit.js';
import type { Delivery, Outcome, Sender } from '../../../../src/control/deliveries/sender.js';
import { noteResponse, noteSilence } from '../../../../src/control/deliveries/silent-receivers.js';
import { noteAttempt } from '../../../../src/control/deliveries/webhook/endpoint-storage.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let stranger: ApiUser;
let serial = 0;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  // What earlier tests left pending is not to be sent.
  await sql`update deliveries set status = 'failed' where status = 'pending'`.execute(api.database);
  await sql`delete from silent_receivers`.execute(api.database);
  [user, stranger] = [await api.user(), await api.user()];
});

const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
async function deliver(fields: object = {}, by = user): Promise<string> {
  const id = `dlv_q${++serial}`;
  await api.database
    .insertInto('deliveries')
    .values({
      id,
      organization_id: by.organizationId,
      event: 'call.completed',
      subject: `call-${serial}`,
      channel: 'webhook',
      target: 'https://one.example.com/hooks',
      status: 'pending',
      created_at: minutes(-serial / 1_000),
      queue_at: minutes(-1),
      ...fields,
    } as never)
    .execute();
  return id;
}
const stored = (id: string) =>
  api.database.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const endpoint = async (by = user, events = ['*']): Promise<string> => {
  const { data, body } = await by.post('/webhooks', { url: `https://e${++serial}.example.com/in`, events });
  expect(data, JSON.stringify(body)).toBeTruthy();
  return data.webhook_id;
};
const events = async (by = user) =>
  (
    await api.database
      .selectFrom('deliveries')
      .select(['event', 'endpoint_id'])
      .where('organization_id', '=', by.organizationId)
      .where(sql<boolean>`event like 'webhook.%'`)
      .orderBy('created_at')
      .execute()
  ).map(({ event, endpoint_id }) => [event, endpoint_id]);

describe('due deliveries', () => {
  const due = async (without: readonly string[] = []) =>
    (await readDue(api.database, { each: 2, without })).map(({ id }) => id);

  it('are read by receiver, the longest due first, and claimed by one process', async () => {
    const [third, first, second] = [
      await deliver({ queue_at: minutes(-1) }),
      await deliver({ queue_at: minutes(-3) }),
      await deliver({ queue_at: minutes(-2) }),
    ];
    const [mail, foreign] = [
      await deliver({ channel: 'email', target: 'a@b.example', queue_at: minutes(-4) }),
      await deliver({ queue_at: minutes(-5) }, stranger),
    ];
    await deliver({ queue_at: minutes(1) });
    await deliver({ status: 'delivered', queue_at: minutes(-9) });
    expect(await due()).toEqual([foreign, mail, first, second]);
    expect(await due([stranger.organizationId])).toEqual([mail, first, second]);
    const rows = await readDue(api.database, { each: 9, without: [] });
    const [oldest] = rows;
    expect(oldest).toMatchObject({
      organizationId: stranger.organizationId,
      isProbe: false,
      isSuspect: false,
    });
    expect(oldest!.secondsLate).toBeGreaterThan(290);
    const claimed = await claimDeliveries(
      api.database,
      rows.filter(({ id }) => [first, mail].includes(id)),
    );
    expect(claimed.map(({ id }) => id).toSorted()).toEqual([first, mail].toSorted());
    expect(
      await claimDeliveries(
        api.database,
        rows.filter(({ id }) => [first, second].includes(id)),
      ),
    ).toMatchObject([{ id: second }]);
    expect(await claimDeliveries(api.database, [])).toEqual([]);
    expect(await due()).toEqual([foreign, third]);
    await sql`update deliveries set queue_at = now() - interval '1 second' where id = ${first}`.execute(
      api.database,
    );
    await renewClaims(api.database, [first]);
    expect(await due()).toEqual([foreign, third]);
    await releaseClaims(api.database, [second]);
    await expect.poll(due).toContain(second);
    expect((await stored(first)).queue_at.getTime()).toBeGreaterThan(Date.now());
  });

  it('wait while their receiver is paused, of which one process gets the probe', async () => {
    const { organizationId } = user;
    const receiver = { organizationId, receiver: 'webhook https://one.example.com', endpointId: null };
    const terms = { isProbe: false, firstPauseMilliseconds: 60_000 };
    const [id, foreign] = [await deliver(), await deliver({}, stranger)];
    expect(await noteSilence(api.database, receiver, terms)).toBe(false);
    expect(await noteSilence(api.database, receiver, terms)).toBe(false);
    expect(
      (await readDue(api.database, { each: 2, without: [] })).map((row) => [
        row.id,
        row.isSuspect,
        row.isProbe,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [id, true, false],
        [foreign, false, false],
      ]),
    );
    expect(await noteSilence(api.database, receiver, terms)).toBe(true);
    expect(await due()).toEqual([foreign]);
    // Attempts that began before the pause prolong it no more.
    expect(await noteSilence(api.database, receiver, terms)).toBe(false);
    const resume = () =>
      sql`update silent_receivers set paused_until = now() - interval '1 second'
        where organization_id = ${organizationId}`.execute(api.database);
    await resume();
    const [probe] = (await readDue(api.database, { each: 1, without: [stranger.organizationId] })).filter(
      (row) => row.id === id,
    );
    expect(probe).toMatchObject({ isProbe: true, isSuspect: true });
    expect(await claimDeliveries(api.database, [probe!])).toHaveLength(1);
    await releaseClaims(api.database, [id]);
    // Another process has the probe.
    expect(await claimDeliveries(api.database, [probe!])).toEqual([]);
    await resume();
    expect(await noteSilence(api.database, receiver, { ...terms, isProbe: true })).toBe(false);
    expect(await due()).toEqual([foreign]);
    expect(await noteResponse(api.database, { ...receiver, organizationId: stranger.organizationId })).toBe(
      false,
    );
    expect(await noteResponse(api.database, receiver)).toBe(true);
    expect(await noteResponse(api.database, receiver)).toBe(false);
    expect((await due()).toSorted()).toEqual([id, foreign].toSorted());
  });

  it('of an endpoint that falls silent and responds again notify the other endpoints', async () => {
    const [silent, witness, disabled] = [await endpoint(), await endpoint(), await endpoint()];
    await user.patch(`/webhooks/${disabled}`, { enabled: false });
    await endpoint(stranger);
    const receiver = { organizationId: user.organizationId, receiver: silent, endpointId: silent };
    const terms = { isProbe: false, firstPauseMilliseconds: 60_000 };
    for (let count = 1; count <= 3; count += 1) await noteSilence(api.database, receiver, terms);
    expect(await events()).toEqual([['webhook.paused', witness]]);
    await noteResponse(api.database, receiver);
    expect(await events()).toEqual([
      ['webhook.paused', witness],
      ['webhook.resumed', witness],
    ]);
    expect(await events(stranger)).toEqual([]);
  });

  it('are dropped when too many wait for one receiver, the oldest first, or too long', async () => {
    const [target, witness] = [await endpoint(), await endpoint()];
    const ids: string[] = [];
    for (let age = 5; age > 0; age -= 1)
      ids.push(await deliver({ endpoint_id: target, created_at: minutes(-age) }));
    const rest = [
      await deliver(),
      await deliver({}, stranger),
      await deliver({ endpoint_id: target, status: 'failed' }),
    ];
    expect(await dropExcess(api.database, 5)).toBe(0);
    expect(await dropExcess(api.database, 3)).toBe(2);
    const states = async (some: readonly string[]) => {
      const found: string[] = [];
      for (const id of some) found.push((await stored(id)).status);
      return found;
    };
    expect(await states(ids)).toEqual(['failed', 'failed', 'pending', 'pending', 'pending']);
    expect((await stored(ids[0]!)).last_error).toBe(
      'Dropped: more than 3 deliveries were waiting for this receiver',
    );
    expect(await states(rest)).toEqual(['pending', 'pending', 'failed']);
    expect(await events()).toEqual([['webhook.deliveries_dropped', witness]]);
    expect((await user.get(`/webhooks/${target}`)).data.dropped_deliveries).toBe(2);
    expect((await user.get(`/webhooks/${witness}`)).data.dropped_deliveries).toBe(0);
    const [late, young] = [ids[2]!, ids[3]!];
    await sql`update deliveries set queue_at = now() - interval '6 hours' where id in (${late}, ${rest[0]!})`.execute(
      api.database,
    );
    expect(await dropStale(api.database, 5)).toBe(0);
    const receiver = { organizationId: user.organizationId, receiver: target, endpointId: target };
    for (let count = 1; count <= 3; count += 1)
      await noteSilence(api.database, receiver, { isProbe: false, firstPauseMilliseconds: 60_000 });
    expect(await dropStale(api.database, 7)).toBe(0);
    expect(await dropStale(api.database, 5)).toBe(1);
    expect(await states([late, young, rest[0]!])).toEqual(['failed', 'pending', 'pending']);
  });

  it('disable an endpoint for which nothing got through for too long', async () => {
    const [id, neighbour] = [await endpoint(), await endpoint()];
    const shown = async (which = id) => (await user.get(`/webhooks/${which}`)).data;
    expect(await noteAttempt(api.database, id, false, 24)).toBe(false);
    const since = sql`update webhook_endpoints set failing_since = now() - interval '23 hours 1 second' where id = ${id}`;
    await since.execute(api.database);
    expect(await noteAttempt(api.database, id, false, 24)).toBe(false);
    expect(await noteAttempt(api.database, id, true, 23)).toBe(false);
    expect(await noteAttempt(api.database, id, false, 23)).toBe(false);
    await since.execute(api.database);
    expect(await noteAttempt(api.database, id, false, 23)).toBe(true);
    expect(await noteAttempt(api.database, id, false, 23)).toBe(false);
    expect(await shown()).toMatchObject({ enabled: false });
    expect(await shown(neighbour)).toMatchObject({ enabled: true });
  });
});

describe('old deliveries', () => {
  it('are deleted once they ended, after the shorter of both retentions', async () => {
    await sql`update organizations set call_retention_days = 10 where id = ${user.organizationId}`.execute(
      api.database,
    );
    const days = (count: number) => minutes(-count * 1_440);
    const done = { status: 'delivered' };
    const [own, fresh, pending] = [
      await deliver({ ...done, created_at: days(11) }),
      await deliver({ ...done, created_at: days(9) }),
      await deliver({ created_at: days(40) }),
    ];
    const [strange, old] = [
      await deliver({ ...done, created_at: days(29) }, stranger),
      await deliver({ ...done, created_at: days(31) }, stranger),
    ];
    const left = async () => {
      const found: string[] = [];
      for (const id of [own, fresh, pending, strange, old]) {
        const row = await api.database
          .selectFrom('deliveries')
          .select('id')
          .where('id', '=', id)
          .executeTakeFirst();
        if (row !== undefined) found.push(id);
      }
      return found;
    };
    await deleteOldDeliveries(api.database, 0);
    expect(await left()).toEqual([fresh, pending, strange, old]);
    await deleteOldDeliveries(api.database, 30);
    expect(await left()).toEqual([fresh, pending, strange]);
    for (const [id, age] of [
      [fresh, 8],
      [strange, 6],
    ] as const)
      await api.database
        .insertInto('delivery_attempts')
        .values({
          delivery_id: id,
          attempted_at: days(age),
          status: 200,
          error: null,
          milliseconds: 5,
          request_head: 'POST',
          response_head: 'HTTP',
          response_body: 'x',
        } as never)
        .execute();
    await deleteOldExchanges(api.database);
    expect(await readAttempts(api.database, fresh)).toMatchObject([
      { request_head: null, response_body: null, status: 200 },
    ]);
    expect(await readAttempts(api.database, strange)).toMatchObject([
      { request_head: 'POST', response_body: 'x' },
    ]);
  });

  it('are stored once for a subject and a recipient, those that cannot be sent as failed', async () => {
    const order = {
      organizationId: user.organizationId,
      event: 'alert.fired' as const,
      subject: 'alt_once',
      channel: 'email' as const,
      target: 'a@b.example',
      content: null,
    };
    await addDeliveries(api.database, []);
    await addDeliveries(api.database, [
      order,
      { ...order, target: 'c@d.example', impossible: 'No mail server' },
    ]);
    await addDeliveries(api.database, [order]);
    const { deliveries } = (await user.get('/webhooks/deliveries?subject=alt_once')).data;
    expect(
      deliveries.map(({ status, last_error }: Record<string, unknown>) => [status, last_error]).toSorted(),
    ).toEqual([
      ['failed', 'No mail server'],
      ['pending', null],
    ]);
  });
});

describe('the queue of deliveries', () => {
  const failure = (fields: Partial<Extract<Outcome, { kind: 'failed' }>> = {}): Outcome => ({
    kind: 'failed',
    status: 500,
    error: 'Refused',
    isFinal: false,
    ...fields,
  });

  it('sends what is due and stores how each attempt went', async () => {
    const sent: string[] = [];
    const outcomes = new Map<string, () => Outcome | Promise<Outcome>>();
    const sender: Sender = {
      send: async ({ id }: Delivery) => {
        sent.push(id);
        const outcome = outcomes.get(id);
        if (outcome === undefined) throw new Error(`${id} was not expected`);
        return outcome();
      },
    };
    const target = await endpoint();
    const [good, later, final, broken] = [
      await deliver({ endpoint_id: target }),
      await deliver({ target: 'https://two.example.com' }),
      await deliver({ target: 'https://three.example.com' }),
      await deliver({ channel: 'sms', target: '+14155550100' }),
    ];
    const dropped: number[] = [];
    outcomes.set(good, () => ({ kind: 'delivered', status: 200 }));
    outcomes.set(later, () => failure());
    outcomes.set(final, () => failure({ isFinal: true, error: 'Gone', status: 410 }));
    outcomes.set(broken, () => {
      throw new Error('PostgreSQL is down');
    });
    const future = await deliver({ queue_at: minutes(5) });
    const queue = new DeliveryQueue({
      database: api.database,
      settings: { ...api.settings.notices.delivery, attempts: 3, retryMilliseconds: 600_000 },
      senders: { webhook: sender, email: sender, sms: sender },
      retentionDays: 30,
      dropped: (count) => dropped.push(count),
      log: pino({ level: 'silent' }),
    });
    await queue.start();
    try {
      const status = async (id: string) => (await stored(id)).status;
      await vi.waitFor(
        async () => {
          expect([await status(good), await status(final), (await stored(later)).attempts]).toEqual([
            'delivered',
            'failed',
            1,
          ]);
          expect(dropped.length).toBeGreaterThanOrEqual(2);
        },
        { timeout: 60_000, interval: 20 },
      );
    } finally {
      await queue.stop();
    }
    expect(sent.toSorted()).toEqual([good, later, final, broken].toSorted());
    expect(await stored(good)).toMatchObject({ attempts: 1, last_status: 200, last_error: null });
    expect((await stored(good)).delivered_at).not.toBeNull();
    expect(await stored(later)).toMatchObject({
      status: 'pending',
      last_error: 'Refused',
      delivered_at: null,
    });
    expect((await stored(later)).next_attempt_at!.getTime()).toBeGreaterThan(minutes(5).getTime());
    expect(await stored(final)).toMatchObject({
      last_status: 410,
      last_error: 'Gone',
      next_attempt_at: null,
    });
    expect(await stored(broken)).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await stored(future)).toMatchObject({ attempts: 0 });
    expect(await readAttempts(api.database, final)).toMatchObject([{ status: 410, error: 'Gone' }]);
    expect(queue.state()).toMatchObject({ ready: true });
  });

  it('releases what it could not finish when it stops', async () => {
    const id = await deliver();
    let isSending = false;
    const sender: Sender = {
      send: (_delivery, signal) =>
        new Promise((resolve) => {
          isSending = true;
          signal.addEventListener('abort', () => resolve({ kind: 'interrupted' }));
        }),
    };
    const queue = new DeliveryQueue({
      database: api.database,
      settings: api.settings.notices.delivery,
      senders: { webhook: sender, email: sender, sms: sender },
      retentionDays: 30,
      dropped: () => {},
      log: pino({ level: 'silent' }),
    });
    await queue.start();
    await vi.waitFor(() => expect(isSending).toBe(true), { timeout: 60_000, interval: 20 });
    expect((await stored(id)).queue_at.getTime()).toBeGreaterThan(Date.now());
    await queue.stop();
    const { status, attempts, queue_at: at } = await stored(id);
    expect([status, attempts, at.getTime() <= Date.now()]).toEqual(['pending', 0, true]);
  });
});
