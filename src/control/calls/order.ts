import type { Insertable, Kysely } from 'kysely';
import { z } from 'zod';
import type { ControlSettings } from '../../config/control-settings.js';
import { type CallCommand, dtmfSequenceSchema, orderSeconds } from '../../contract/commands.js';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';
import type { Redis } from '../redis.js';
import { requirePhoneNumber } from '../trunks/number-access.js';
import { e164 } from '../trunks/phone-number.js';
import { checkWebhookUrl, webhookUrlSchema } from '../webhooks/webhook-url.js';
import { giveToEdges } from './order-stream.js';
import { orderVariables } from './order-variables.js';
import type { OrderedCallsTable } from './tables.js';

const minutesOfDay = 1_440;

const freeObject = z.record(z.string().max(200), z.unknown());

export const orderSchema = z.strictObject({
  phone_number: z
    .string()
    .max(64)
    .meta({ description: 'Who is called, E.164', examples: ['+14155550100'] }),
  from: z.string().max(64).meta({ description: 'A number of yours with an outbound direction' }),
  task: z
    .string()
    .min(1)
    .max(50_000)
    .meta({ description: 'What the agent shall do; it reads it with the call' }),
  request_data: freeObject
    .optional()
    .meta({ description: 'Facts for the agent, and variables of the trunk’s header mappings' }),
  metadata: freeObject.optional().meta({ description: 'Yours, given back unchanged' }),
  max_duration: z
    .number()
    .positive()
    .max(minutesOfDay)
    .default(30)
    .meta({ description: 'Minutes from the answer' }),
  precall_dtmf_sequence: dtmfSequenceSchema.optional().meta({
    description: 'Digits for the callee before the agent is heard: 0-9, *, #; w waits half a second',
  }),
  webhook: webhookUrlSchema.optional().meta({ description: 'Gets the result when the call is over' }),
});
export type Order = z.infer<typeof orderSchema>;

interface Parts {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly settings: Pick<ControlSettings, 'notices' | 'callQueue'>;
}

/**
 * Stores the order under the call's id and gives it to the edges. With the id of an order that is stored already, it is given
 * to them unless it was: however often a request is repeated, one call is dialled. Throws `InvalidRequest`, or `DemarcError`:
 * `NO_EDGE_READY`, `TOO_MANY_CALLS_WAITING`, `NUMBER_QUEUE_FULL`, or `CALLS_UNAVAILABLE` when Redis does not answer.
 */
export async function placeOrder(
  { database, redis, settings }: Parts,
  organizationId: string,
  order: Order,
  callId: string,
): Promise<void> {
  const phoneNumber = requirePhoneNumber(order.phone_number);
  const number = requirePhoneNumber(order.from, 'from');
  checkWebhookUrl(settings.notices, order.webhook, 'webhook');
  await requireOutbound(database, organizationId, number);
  const variables = await orderVariables(database, number, order.request_data ?? {});
  const isLimited = await hasLimits(database, number);
  const createdAt = new Date();
  const inSeconds = (seconds: number): string =>
    new Date(createdAt.getTime() + seconds * 1_000).toISOString();
  const command: CallCommand = {
    version: 1,
    call_id: callId,
    organization: organizationId,
    number,
    phone_number: phoneNumber,
    max_duration_seconds: Math.max(1, Math.round(order.max_duration * 60)),
    ...(order.precall_dtmf_sequence === undefined
      ? {}
      : { precall_dtmf_sequence: order.precall_dtmf_sequence }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    expires_at: inSeconds(orderSeconds),
    wait_until: inSeconds(Math.max(orderSeconds, settings.callQueue.seconds)),
  };
  const json = (value: Record<string, unknown> | undefined): string | null =>
    value === undefined ? null : JSON.stringify(value);
  // Before the order, so that the agent, which may be called within a millisecond, finds it.
  const isOpen = await storeOrder(database, {
    call_id: callId,
    organization_id: organizationId,
    number,
    phone_number: phoneNumber,
    task: order.task,
    request_data: json(order.request_data),
    metadata: json(order.metadata),
    max_duration_minutes: order.max_duration,
    created_at: createdAt,
    webhook: order.webhook ?? null,
  });
  if (!isOpen) return;
  try {
    await giveToEdges(redis, command, { lineLength: isLimited ? settings.callQueue.length : undefined });
  } catch (error) {
    // After a lost answer nobody knows whether it was ordered; after any other it was not.
    if (!(error instanceof DemarcError) || error.code !== 'CALLS_UNAVAILABLE')
      await database.deleteFrom('ordered_calls').where('call_id', '=', callId).execute();
    throw error;
  }
}

/**
 * Stores an order, or finds it stored by an earlier attempt. False: it is over, or older than an order lives, so that it must
 * not be given to the edges any more.
 */
function storeOrder(database: Kysely<Database>, order: Insertable<OrderedCallsTable>): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const inserted = await transaction
      .insertInto('ordered_calls')
      .values(order)
      .onConflict((conflict) => conflict.column('call_id').doNothing())
      .returning('call_id')
      .executeTakeFirst();
    if (inserted !== undefined) return true;
    // Locked, so that nobody gives it up as lost meanwhile.
    const { settled, created_at } = await transaction
      .selectFrom('ordered_calls')
      .select(['settled', 'created_at'])
      .where('call_id', '=', order.call_id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (settled || order.created_at.getTime() - created_at.getTime() > orderSeconds * 1_000) return false;
    await transaction
      .updateTable('ordered_calls')
      .set({ created_at: order.created_at })
      .where('call_id', '=', order.call_id)
      .execute();
    return true;
  });
}

/**
 * Throws `InvalidRequest`; numbers of others are as unknown as those of nobody.
 * @param path of the field that names the number
 */
export async function requireOutbound(
  database: Kysely<Database>,
  organizationId: string,
  number: string,
  path = 'from',
): Promise<void> {
  const found = await database
    .selectFrom('configurations')
    .innerJoin('numbers', 'numbers.number', 'configurations.number')
    .select('configurations.id')
    .where('numbers.number', '=', number)
    .where('numbers.organization_id', '=', organizationId)
    .where('configurations.direction', '=', 'outbound')
    .limit(1)
    .executeTakeFirst();
  if (found !== undefined) return;
  throw InvalidRequest.at(path, `${e164(number)} is not a number of yours with an outbound direction`);
}

/** True when calls from the number may have to wait for each other. */
async function hasLimits(database: Kysely<Database>, number: string): Promise<boolean> {
  const rows = await database
    .selectFrom('direction_settings')
    .select(['direction', 'limits'])
    .where('number', '=', number)
    .execute();
  const of = (direction: 'inbound' | 'outbound') => rows.find((row) => row.direction === direction)?.limits;
  const limits = of('outbound') ?? of('inbound');
  return limits?.concurrent_calls !== undefined || limits?.calls_per_second !== undefined;
}
