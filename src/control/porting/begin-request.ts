import { Readable } from 'node:stream';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { addDeliveries } from '../deliveries/delivery-storage.js';
import type { ControlDeps } from '../http/api-server.js';
import { e164 } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import { type Carrier, CarrierUnavailable, type NumberCheck } from './carriers/carrier.js';
import {
  addDocument,
  type DocumentStorage,
  informationPlace,
  type KeptDocument,
} from './documents/document-storage.js';
import { audit } from './make-moves.js';
import { noticesOf } from './notices.js';
import { readPortNumbers, refuseUnportable, withForeign } from './port-checks.js';
import { readPortDay } from './port-date.js';
import type { LosingCarrierInformation, PortOrder } from './port-order.js';
import type { PortRequest } from './port-rows.js';
import { letterText } from './signing/letter-text.js';
import type { Letters } from './signing/letters.js';
import { hashOf, newToken } from './signing/link.js';
import { linkSubject } from './signing/mail-texts.js';

export interface BeginDeps extends Pick<ControlDeps, 'database' | 'settings' | 'secrets'> {
  readonly carrier: Carrier;
  readonly documents: DocumentStorage;
  readonly letters: Letters;
}

export interface Asker {
  readonly organizationId: string;
  readonly keyId: string;
  readonly operationId: string;
}

/**
 * What the carrier and we know of numbers that an organization may want to port. Throws `DemarcError` `CARRIER_UNAVAILABLE`.
 * @param numbers E.164 digits without plus
 */
export async function checkNumbers(
  { database, carrier, settings }: Pick<BeginDeps, 'database' | 'carrier' | 'settings'>,
  organizationId: string,
  numbers: readonly string[],
): Promise<readonly NumberCheck[]> {
  const foreign = await database
    .selectFrom('numbers')
    .select('number')
    .where('number', 'in', numbers)
    .where('organization_id', '<>', organizationId)
    .execute();
  try {
    const timeout = AbortSignal.timeout(settings.porting.carrierTimeoutMilliseconds);
    const checks = await carrier.check(numbers, timeout);
    return withForeign(checks, new Set(foreign.map(({ number }) => number)));
  } catch (error) {
    if (error instanceof CarrierUnavailable)
      throw new DemarcError('CARRIER_UNAVAILABLE', { detail: error.message, cause: error });
    throw error;
  }
}

/**
 * Stores a port request with its letter, and queues the mail that asks for the signature. Repeated with the same operation
 * id, it is there once. Throws `InvalidRequest`, or `DemarcError` `SECRET_KEY_MISSING`, `CARRIER_UNAVAILABLE`,
 * `DOCUMENTS_UNAVAILABLE`, `NUMBER_PORTING`.
 */
export async function beginRequest(
  deps: BeginDeps,
  { organizationId, keyId, operationId }: Asker,
  order: PortOrder,
): Promise<string> {
  const { database, settings, secrets, carrier, documents, letters } = deps;
  if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  const id = `port_${operationId.replaceAll('-', '')}`;
  // Already stored by an earlier attempt at the same request.
  if ((await findRequest(database, organizationId, id)) !== undefined) return id;
  const day = readPortDay(order.target_port_date, settings.porting.timeZone, new Date());
  if (!day.ok) throw InvalidRequest.at('target_port_date', day.problem);
  const numbers = readPortNumbers(order.phone_numbers);
  await requireDocuments(database, organizationId, order.documents);
  await refuseTaken(database, organizationId, numbers);
  const checks = await checkNumbers(deps, organizationId, numbers);
  refuseUnportable(checks, order);
  const { notification_emails: notificationEmails, ...given } = order.losing_carrier_information;
  const information: LosingCarrierInformation = { ...given, pin: order.pin };
  const madeAt = new Date();
  const text = letterText(id, information, numbers, day.day);
  const drawn = await letters.draw(organizationId, text, madeAt);
  const letter = await documents.keep(organizationId, Readable.from([drawn]));
  try {
    await database.transaction().execute(async (transaction) => {
      const request = await transaction
        .insertInto('port_requests')
        .values({
          id,
          organization_id: organizationId,
          status: 'waiting_for_signature',
          carrier: carrier.name,
          carrier_reference: null,
          information: secrets.seal(
            JSON.stringify(information),
            informationPlace({ organization_id: organizationId, id }),
          ),
          authorized_email: information.authorized_representative_email,
          notification_emails: JSON.stringify([...new Set(notificationEmails)]),
          documents: JSON.stringify([...new Set(order.documents)]),
          target_day: day.day,
          carrier_due_at: null,
          carrier_lease_until: null,
          carrier_problem: null,
          submission_begun_at: null,
          carrier_canceled_at: null,
          ended_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await addNumbers(transaction, request, checks);
      await addLetter(transaction, deps, request, letter);
      await transaction
        .updateTable('port_documents')
        .set({ request_id: id })
        .where('id', 'in', order.documents)
        .where('organization_id', '=', organizationId)
        .execute();
      const mover = { actor: 'customer', name: keyId } as const;
      await audit(transaction, {
        request,
        number: null,
        from: null,
        to: request.status,
        mover,
        reason: 'Requested.',
      });
      await noticesOf(transaction, request, 'Requested.');
    });
  } catch (error) {
    await documents.discard(letter.id).catch(() => {});
    // The same request at the same time, in another process.
    if (isViolation(error, 'port_requests_pkey')) return id;
    if (isViolation(error, 'port_numbers_active')) throw new DemarcError('NUMBER_PORTING', { cause: error });
    throw error;
  }
  return id;
}

const isViolation = (error: unknown, constraint: string): boolean =>
  (error as { constraint?: unknown }).constraint === constraint;

export const findRequest = (
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<PortRequest | undefined> =>
  database
    .selectFrom('port_requests')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

async function requireDocuments(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  const found = await database
    .selectFrom('port_documents')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'proof')
    .where('id', 'in', ids)
    .execute();
  const missing = ids.find((id) => !found.some((row) => row.id === id));
  if (missing !== undefined) {
    throw InvalidRequest.at(
      `documents.${ids.indexOf(missing)}`,
      'Document not found. Upload it with POST /v1/sip/port/document.',
    );
  }
}

async function refuseTaken(
  database: Kysely<Database>,
  organizationId: string,
  numbers: readonly string[],
): Promise<void> {
  const taken = await database
    .selectFrom('port_numbers')
    .select(['number', 'request_id'])
    .where('organization_id', '=', organizationId)
    .where('number', 'in', numbers)
    .where('status', 'in', ['waiting_for_signature', 'submitted', 'in_progress'])
    .executeTakeFirst();
  if (taken !== undefined)
    throw new DemarcError('NUMBER_PORTING', `${e164(taken.number)} is in ${taken.request_id}`);
}

async function addNumbers(
  transaction: Transaction<Database>,
  request: PortRequest,
  checks: readonly NumberCheck[],
): Promise<void> {
  await transaction
    .insertInto('port_numbers')
    .values(
      checks.map(({ number, numberType }, position) => ({
        request_id: request.id,
        organization_id: request.organization_id,
        number,
        position,
        status: request.status,
        number_type: numberType,
        reason: null,
        attached_at: null,
      })),
    )
    .execute();
}

async function addLetter(
  transaction: Transaction<Database>,
  { settings }: BeginDeps,
  request: PortRequest,
  letter: KeptDocument,
): Promise<void> {
  await addDocument(transaction, letter, {
    organization_id: request.organization_id,
    kind: 'letter',
    request_id: request.id,
  });
  await transaction
    .insertInto('port_letters')
    .values({
      request_id: request.id,
      link_number: 1,
      token_hash: hashOf(newToken(settings, request.id, 1)),
      expires_at: new Date(Date.now() + settings.porting.signingMilliseconds),
      letter_id: letter.id,
      signed_letter_id: null,
      signer_name: null,
      signer_address: null,
      signer_agent: null,
      shown_sha256: null,
      signed_at: null,
    })
    .execute();
  await queueLink(transaction, request, 1);
}

/** The mail is made when it is sent: the link is not stored. */
const queueLink = (
  transaction: Transaction<Database>,
  request: PortRequest,
  linkNumber: number,
): Promise<void> =>
  addDeliveries(transaction, [
    {
      organizationId: request.organization_id,
      event: 'port.signature_request',
      subject: linkSubject(request.id, linkNumber),
      channel: 'email',
      target: request.authorized_email,
      content: null,
    },
  ]);

/**
 * Sends a new link to sign; the earlier one stops working. Throws `DemarcError` `NOT_FOUND` or `PORT_MOVE_NOT_ALLOWED`.
 */
export async function renewLink(
  { database, settings }: Pick<BeginDeps, 'database' | 'settings'>,
  organizationId: string,
  id: string,
): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    const request = await transaction
      .selectFrom('port_requests')
      .selectAll()
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .forUpdate()
      .executeTakeFirst();
    if (request === undefined) throw new DemarcError('NOT_FOUND', `Port request ${id} not found`);
    if (request.status !== 'waiting_for_signature') {
      throw new DemarcError('PORT_MOVE_NOT_ALLOWED', `the request is ${request.status}`);
    }
    const { link_number: last } = await transaction
      .selectFrom('port_letters')
      .select('link_number')
      .where('request_id', '=', id)
      .executeTakeFirstOrThrow();
    const token = newToken(settings, id, last + 1);
    await transaction
      .updateTable('port_letters')
      .set({
        link_number: last + 1,
        token_hash: hashOf(token),
        expires_at: sql<Date>`now() + make_interval(secs => ${settings.porting.signingMilliseconds / 1_000})`,
      })
      .where('request_id', '=', id)
      .execute();
    await queueLink(transaction, request, last + 1);
    return token;
  });
}
