import { type Kysely, sql, type Transaction } from 'kysely';
import { within } from '../../base/within.js';
import { DemarcError } from '../../errors.js';
import { lockForOrganization } from '../database/lock.js';
import type { Database } from '../database/tables.js';
import type { NewDelivery } from '../deliveries/delivery-storage.js';
import { shownTarget } from '../deliveries/delivery-view.js';
import { type Delivery, failed, type Outcome } from '../deliveries/sender.js';
import type { Senders } from '../deliveries/senders.js';
import { type Channel, channels } from '../deliveries/tables.js';
import type { ControlDeps } from '../http/api-server.js';
import { e164 } from '../http/phone-number.js';
import { publicUrl } from '../http/public-url.js';
import { readConfigurations } from '../numbers/number-access.js';
import type { Direction, StoredAlerts } from '../numbers/tables.js';
import { newId } from '../organizations/identifiers.js';
import { type AlertView, dashboardUrl } from './alert-view.js';
import { type Contacts, noContacts, readContacts } from './contacts.js';
import { contactTestDeliveries, noticeDeliveries } from './notices.js';

export interface TestResult {
  readonly channel: Channel;
  readonly target: string | null;
  readonly status: 'delivered' | 'failed' | 'not_configured';
  readonly detail: string;
  readonly last_status: number | null;
  readonly milliseconds: number;
}

/** Test notices go to arbitrary addresses: enough to test a configuration, too few to be used for spam. */
const testsOfWindow = 10;
const windowMinutes = 15;
/** Short, because a user waits for the response. */
const patienceMilliseconds = 20_000;

/** Test limit reached; says when the next test is possible. */
export class TooManyTests extends DemarcError {
  constructor(readonly retryAfterSeconds: number) {
    super('TOO_MANY_REQUESTS');
  }
}

/**
 * Sends one notice to every recipient of the direction's channels immediately, without retries, and returns the outcomes.
 * Throws `DemarcError` `NOT_FOUND` if the direction is not configured, and `TooManyTests`.
 */
export async function sendTestNotice(
  { database, settings, senders }: ControlDeps & { readonly senders: Senders },
  organizationId: string,
  { number, direction }: { readonly number: string; readonly direction: Direction },
): Promise<TestResult[]> {
  const configurations = await readConfigurations(database, organizationId, number);
  if (!configurations.some((row) => row.direction === direction)) {
    throw new DemarcError('NOT_FOUND', `the number has no ${direction} configuration`);
  }
  const alerts = await readAlertConfig(database, number, direction);
  const contacts = (await readContacts(database, [organizationId])).get(organizationId) ?? noContacts;
  const alert = testAlert(number, direction, dashboardUrl(settings, number));
  const wanted = noticeDeliveries('alert.test', alert, {
    organizationId,
    channels: alerts?.channels ?? {},
    contacts,
  });
  const deliveries = await reserve(database, organizationId, wanted);
  const results = await Promise.all(deliveries.map((delivery) => attempt(database, senders, delivery)));
  const silent = channels.filter((channel) => !wanted.some((delivery) => delivery.channel === channel));
  return [...results, ...silent.map(notConfigured)];
}

/**
 * Sends a test notice to one of the organization's contacts immediately, without retries, and returns the outcome.
 * Throws `DemarcError` `NOT_FOUND` for an address that is no contact, and `TooManyTests`.
 */
export async function sendContactTest(
  { database, settings, senders }: ControlDeps & { readonly senders: Senders },
  organizationId: string,
  wanted: Contacts,
): Promise<TestResult> {
  const stored = (await readContacts(database, [organizationId])).get(organizationId) ?? noContacts;
  const contacts: Contacts = {
    emails: wanted.emails.filter((email) => stored.emails.includes(email)),
    phoneNumbers: wanted.phoneNumbers.filter((phoneNumber) => stored.phoneNumbers.includes(phoneNumber)),
  };
  const deliveries = contactTestDeliveries(newId('alt'), `${publicUrl(settings)}/alerts`, {
    organizationId,
    contacts,
  });
  if (deliveries.length === 0) {
    throw new DemarcError('NOT_FOUND', 'not an alert contact: add it with PATCH /v1/sip/alerts/contacts');
  }
  const [delivery] = await reserve(database, organizationId, deliveries);
  return attempt(database, senders, delivery!);
}

const notConfigured = (channel: Channel): TestResult => ({
  channel,
  target: null,
  status: 'not_configured',
  detail: 'The alert_config of this direction does not enable this channel',
  last_status: null,
  milliseconds: 0,
});

async function readAlertConfig(
  database: Kysely<Database>,
  number: string,
  direction: Direction,
): Promise<StoredAlerts | null> {
  const row = await database
    .selectFrom('direction_settings')
    .select('alerts')
    .where('number', '=', number)
    .where('direction', '=', direction)
    .executeTakeFirst();
  return row?.alerts ?? null;
}

function testAlert(number: string, direction: Direction, url: string): AlertView {
  const now = new Date().toISOString();
  return {
    alert_id: newId('alt'),
    phone_number: e164(number),
    direction,
    kind: 'unreachable',
    state: 'closed',
    title: `${e164(number)} ${direction}: test`,
    summary: 'A test of this trunk’s alerts was requested. The trunk has no problem.',
    cause: 'None: this is a test.',
    advice: 'No action needed: alerts reach you.',
    since: now,
    fired_at: now,
    recovered_at: now,
    measured: null,
    threshold: 0,
    unit: 'minutes',
    dashboard_url: url,
    acknowledged_at: null,
    acknowledged_by: null,
    note: null,
    muted_until: null,
    muted_at: null,
    muted_by: null,
    maintenance: null,
    notices: [],
  };
}

type Reserved = Delivery & Pick<NewDelivery, 'impossible'>;

/**
 * Stores the attempts before making them, so that concurrent requests count too. Until an attempt ends, its row holds
 * the outcome to show if this process dies. Throws `TooManyTests`.
 */
async function reserve(
  database: Kysely<Database>,
  organizationId: string,
  wanted: readonly NewDelivery[],
): Promise<Reserved[]> {
  return database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'alert tests', organizationId);
    await requireTurn(transaction, organizationId);
    const reserved = wanted.map(
      ({ event, subject, channel, target, content, impossible }): Reserved => ({
        id: newId('dlv'),
        organization_id: organizationId,
        event,
        subject,
        channel,
        target,
        content,
        status: 'pending',
        attempts: 0,
        last_status: null,
        last_error: null,
        created_at: new Date(),
        last_attempt_at: null,
        next_attempt_at: null,
        delivered_at: null,
        endpoint_id: null,
        event_id: null,
        queue_at: new Date(),
        ...(impossible === undefined ? {} : { impossible }),
      }),
    );
    if (reserved.length === 0) return reserved;
    const rows = reserved.map(({ impossible, ...row }) => ({
      ...row,
      content: null,
      // Never `pending`: the queue would send it again.
      status: 'failed' as const,
      last_error: impossible ?? 'The test was interrupted',
    }));
    await transaction.insertInto('deliveries').values(rows).execute();
    return reserved;
  });
}

async function attempt(
  database: Kysely<Database>,
  senders: Senders,
  { impossible, ...delivery }: Reserved,
): Promise<TestResult> {
  const { id, channel, target } = delivery;
  const startedAt = performance.now();
  const outcome =
    impossible === undefined
      ? await inTime(senders[channel].send(delivery, AbortSignal.timeout(patienceMilliseconds)))
      : failed(impossible);
  const { isDelivered, lastStatus, error } = testOutcome(outcome);
  if (impossible === undefined) {
    const now = new Date();
    await database
      .updateTable('deliveries')
      .set({
        status: isDelivered ? 'delivered' : 'failed',
        attempts: 1,
        last_status: lastStatus,
        last_error: error,
        last_attempt_at: now,
        delivered_at: isDelivered ? now : null,
      })
      .where('id', '=', id)
      .execute();
  }
  return {
    channel,
    target: target === '' ? null : shownTarget(delivery),
    status: isDelivered ? 'delivered' : 'failed',
    detail: error ?? 'Delivered',
    last_status: lastStatus,
    milliseconds: Math.round(performance.now() - startedAt),
  };
}

/** What an attempt came to; an attempt without an end had no response. */
export function testOutcome(outcome: Outcome) {
  const isDelivered = outcome.kind === 'delivered';
  return {
    isDelivered,
    lastStatus: outcome.kind === 'interrupted' ? null : outcome.status,
    error:
      outcome.kind === 'failed'
        ? outcome.error
        : isDelivered
          ? null
          : `No response within ${patienceMilliseconds} ms`,
  };
}

/**
 * Seconds until the organization may test again; 0: now.
 * @param tests when each test of the window began, the oldest first
 */
export function secondsUntilTest(tests: readonly Date[], now: Date): number {
  const oldest = tests.at(-testsOfWindow);
  if (oldest === undefined) return 0;
  const milliseconds = oldest.getTime() + windowMinutes * 60_000 - now.getTime();
  return Math.max(1, Math.ceil(milliseconds / 1_000));
}

async function inTime(sending: Promise<Outcome>): Promise<Outcome> {
  return (await within(patienceMilliseconds + 500, sending)) ?? { kind: 'interrupted' };
}

/** Counted in the database, so that the limit applies across all processes. */
async function requireTurn(database: Transaction<Database>, organizationId: string): Promise<void> {
  const rows = await database
    .selectFrom('deliveries')
    .select(({ fn }) => ['subject', fn.min('created_at').as('at')])
    .where('organization_id', '=', organizationId)
    .where('event', '=', 'alert.test')
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${windowMinutes})`)
    .groupBy('subject')
    .orderBy('at')
    .execute();
  const wait = secondsUntilTest(
    rows.map(({ at }) => at),
    new Date(),
  );
  if (wait > 0) throw new TooManyTests(wait);
}
