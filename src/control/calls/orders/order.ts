import type { Insertable, Kysely } from 'kysely';
import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import type { ControlSettings } from '../../../config/control-settings.js';
import {
  agentReferenceSchema,
  type CallCommand,
  dtmfSequenceSchema,
  maximumTools,
  orderSeconds,
} from '../../../contract/commands.js';
import type { SecretBox } from '../../../contract/secret.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { checkWebhookUrl, webhookUrlSchema } from '../../deliveries/webhook/webhook-url.js';
import { e164 } from '../../http/phone-number.js';
import { InvalidRequest } from '../../http/validation.js';
import { voiceField } from '../../http/voice.js';
import {
  type AgentForEdges,
  type AgentRequest,
  agentForEdges,
  agentSchema,
  checkAgentReachable,
  storedAgent,
} from '../../numbers/agent-streams.js';
import { requirePhoneNumber } from '../../numbers/number-access.js';
import { readSigningSecrets } from '../../numbers/stream-secrets.js';
import { pathwayFields } from '../../pathways/index.js';
import { type AgentOfOrder, checkAgents, withLiveAgents } from '../../personas/index.js';
import { giveToEdges } from './order-stream.js';
import { orderVariables, readVariableNames } from './order-variables.js';
import type { OrderedCallsTable, PendingCommand } from './tables.js';

const minutesOfDay = 1_440;

const freeObject = z.record(z.string().max(200), z.unknown());

/** How far ahead a call can be scheduled. */
const maximumDaysAhead = 30;

/** A moment within the next thirty days. */
export const scheduledAtSchema = z.iso
  .datetime({ offset: true, error: 'Must be ISO 8601 with a time zone, such as 2026-11-20T15:04:05Z' })
  .meta({
    description: `Earliest time to dial, at most ${maximumDaysAhead} days ahead`,
    examples: ['2026-11-20T15:04:05Z'],
  })
  .transform((text) => new Date(text));

/** Fields that a batch can set for all its calls. */
export const sharedOrderFields = {
  task: z
    .string()
    .min(1)
    .max(50_000)
    .meta({ description: 'Instructions for the agent, which reads them with the call' }),
  tools: z
    .array(agentReferenceSchema)
    .max(maximumTools)
    .optional()
    .meta({
      description: `Ids of knowledge bases (UUIDs) and of tools, in any order; at most ${maximumTools}. Knowledge bases add to those of the persona; ids of tools are passed to the agent unchecked`,
      examples: [['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d']],
    }),
  persona_id: agentReferenceSchema.optional().meta({
    description:
      'Id of the agent’s persona, which must have a live version. The call gets the version that is live when an edge takes it',
  }),
  ...pathwayFields,
  voice: voiceField.optional().meta({
    description: 'Voice that the agent speaks with, passed on to it unchecked. Default: that of the persona',
  }),
  agent: agentSchema.optional().meta({
    description:
      'Agent of the call: a SIP URI, a wss:// URL, or an object for a WebSocket server. Default: the agent of the number',
  }),
  max_duration: z
    .number()
    .positive()
    .max(minutesOfDay)
    .default(30)
    .meta({ description: 'Maximum duration in minutes from the answer' }),
  precall_dtmf_sequence: dtmfSequenceSchema.optional().meta({
    description: 'DTMF sent to the callee before it hears the agent: 0-9, *, #; w waits half a second',
  }),
  webhook: webhookUrlSchema
    .optional()
    .meta({ description: 'URL that receives the result when the call has ended' }),
};

/** Fields of a single call. */
export const ownOrderFields = {
  phone_number: z
    .string()
    .max(64)
    .meta({ description: 'The called number, E.164', examples: ['+14155550100'] }),
  request_data: freeObject
    .optional()
    .meta({ description: 'Data for the agent, and variables for the trunk’s header mappings' }),
  metadata: freeObject.optional().meta({ description: 'Your data, returned unchanged' }),
};

export const orderSchema = z.strictObject({
  ...ownOrderFields,
  from: z.string().max(64).meta({ description: 'One of your numbers, with an outbound direction' }),
  ...sharedOrderFields,
  scheduled_at: scheduledAtSchema.optional(),
});
export type Order = z.infer<typeof orderSchema>;

export interface OrderDeps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly settings: Pick<ControlSettings, 'notices' | 'callQueue' | 'privateEndpoints' | 'privateNetworks'>;
  /** Seals the headers of WebSocket agents. */
  readonly secrets: SecretBox;
}

/** Throws `InvalidRequest` for an agent that may not be reached. */
export async function readOrderAgents(
  { database, settings, secrets }: Pick<OrderDeps, 'database' | 'settings' | 'secrets'>,
  organizationId: string,
  agents: readonly { readonly agent: AgentRequest | undefined; readonly path: string }[],
): Promise<readonly (AgentForEdges | undefined)[]> {
  const isAny = agents.some(({ agent }) => agent !== undefined);
  const signing = isAny ? await readSigningSecrets(database, [organizationId]) : undefined;
  return agents.map(({ agent, path }) => {
    if (agent === undefined) return undefined;
    checkAgentReachable(settings, agent, `${path}agent`);
    return agentForEdges(storedAgent(agent, secrets, organizationId), signing?.get(organizationId) ?? []);
  });
}

/**
 * Stores the order under the call's id and gives it to the edges. With the id of an order that is stored already, it is given
 * to them unless it was: however often a request is repeated, one call is dialled. A scheduled one is left to the feeder. Throws `InvalidRequest`, or `DemarcError`:
 * `NO_EDGE_READY`, `TOO_MANY_CALLS_WAITING`, `NUMBER_QUEUE_FULL`, or `CALLS_UNAVAILABLE` when Redis does not answer.
 */
export async function placeOrder(
  deps: OrderDeps,
  organizationId: string,
  order: Order,
  callId: string,
): Promise<void> {
  const { database, redis, settings } = deps;
  const number = requirePhoneNumber(order.from, 'from');
  checkWebhookUrl(settings.notices, order.webhook, 'webhook');
  const [agent] = await readOrderAgents(deps, organizationId, [{ agent: order.agent, path: '' }]);
  await requireOutbound(database, organizationId, number);
  const [knowledgeIds] = await checkAgents(database, organizationId, [agentNamedBy(order, '')]);
  const names = await readVariableNames(database, number);
  const { row, command } = prepareOrder({
    callId,
    organizationId,
    number,
    variableNames: names,
    order,
    knowledgeIds,
    agent,
  });
  const { scheduled_at: at } = order;
  if (at !== undefined) {
    requireAhead(at);
    const seconds = Math.max(orderSeconds, settings.callQueue.seconds);
    const until = new Date(at.getTime() + seconds * 1_000);
    await requireRoom(database, organizationId, 1);
    await database
      .insertInto('ordered_calls')
      .values({ ...row, ...pendingColumns(command, at, until), scheduled_at: at })
      .onConflict((conflict) => conflict.column('call_id').doNothing())
      .execute();
    return;
  }
  const isLimited = await hasLimits(database, number);
  // Stored before the order is sent, because an edge may call the agent within a millisecond.
  if (!(await storeOrder(database, row))) return;
  const waitSeconds = Math.max(orderSeconds, settings.callQueue.seconds);
  try {
    const [live = command] = await withLiveAgents(database, [command]);
    await giveToEdges(redis, timedCommand(live, row.created_at, waitSeconds), {
      lineLength: isLimited ? settings.callQueue.length : undefined,
    });
  } catch (error) {
    // After a lost reply the call may have been ordered; after any other error it was not.
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
    // Locked, so that a concurrent sweep cannot give it up as lost.
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

export interface OrderToPrepare {
  readonly callId: string;
  readonly organizationId: string;
  readonly number: string;
  readonly variableNames: readonly string[];
  readonly order: Omit<Order, 'from' | 'scheduled_at'>;
  /** Knowledge bases among the tools. */
  readonly knowledgeIds?: readonly string[] | undefined;
  /** Absent: the number's. */
  readonly agent?: AgentForEdges | undefined;
  /** Of the order within the request, with a dot at its end; absent: the request itself. */
  readonly path?: string;
}

/** What an order says of its agent. @param path of the order within the request, with a dot at its end; empty: the request itself */
export const agentNamedBy = (
  order: Pick<Order, 'persona_id' | 'pathway_id' | 'pathway_version' | 'tools'>,
  path: string,
): AgentOfOrder => ({
  personaId: order.persona_id,
  pathwayId: order.pathway_id,
  pathwayVersion: order.pathway_version,
  tools: order.tools,
  path,
});

/** The row of an order, and the order that edges get. Throws `InvalidRequest`. */
export function prepareOrder({
  callId,
  organizationId,
  number,
  variableNames,
  order,
  knowledgeIds = [],
  agent,
  path = '',
}: OrderToPrepare) {
  const phoneNumber = requirePhoneNumber(order.phone_number, `${path}phone_number`);
  const variables = orderVariables(variableNames, order.request_data ?? {}, path);
  const { precall_dtmf_sequence: digits, persona_id: personaId, tools, voice } = order;
  const { pathway_id: pathwayId, pathway_version: pathwayVersion } = order;
  const command: PendingCommand = {
    version: 1,
    call_id: callId,
    organization: organizationId,
    number,
    phone_number: phoneNumber,
    max_duration_seconds: Math.max(1, Math.round(order.max_duration * 60)),
    ...(digits === undefined ? {} : { precall_dtmf_sequence: digits }),
    ...(personaId === undefined ? {} : { persona_id: personaId }),
    ...(pathwayId === undefined ? {} : { pathway_id: pathwayId.toLowerCase() }),
    ...(pathwayVersion === undefined ? {} : { pathway_version: pathwayVersion }),
    ...(voice === undefined ? {} : { voice }),
    ...(tools === undefined ? {} : { tools }),
    ...(knowledgeIds.length === 0 ? {} : { knowledge_ids: [...knowledgeIds] }),
    ...agent,
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
  };
  const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  const row = {
    call_id: callId,
    organization_id: organizationId,
    number,
    phone_number: phoneNumber,
    task: order.task,
    tools: json(tools),
    persona_id: personaId ?? null,
    pathway_id: pathwayId ?? null,
    pathway_version: pathwayVersion ?? null,
    voice: voice ?? null,
    request_data: json(order.request_data),
    metadata: json(order.metadata),
    max_duration_minutes: order.max_duration,
    created_at: new Date(),
    webhook: order.webhook ?? null,
  };
  return { row, command };
}

/** @param waitSeconds how long the call may stay queued */
export function timedCommand(command: PendingCommand, from: Date, waitSeconds: number): CallCommand {
  const inSeconds = (seconds: number): string => new Date(from.getTime() + seconds * 1_000).toISOString();
  return { ...command, expires_at: inSeconds(orderSeconds), wait_until: inSeconds(waitSeconds) };
}

/** Leaves an order to the feeder. */
export const pendingColumns = (command: PendingCommand, takeAt: Date, until: Date) => ({
  pending: JSON.stringify(command),
  take_at: takeAt,
  pending_until: until,
});

/** Throws `InvalidRequest`. */
export function requireAhead(at: Date, path = 'scheduled_at', now = Date.now()): void {
  const days = (at.getTime() - now) / 86_400_000;
  if (days > 0 && days <= maximumDaysAhead) return;
  throw InvalidRequest.at(path, `${path} must be in the future, at most ${maximumDaysAhead} days ahead.`);
}

/** Upcoming calls of one organization. */
const maximumPending = 50_000;

/** Throws `DemarcError` `TOO_MANY_UPCOMING_CALLS`. */
export async function requireRoom(
  database: Kysely<Database>,
  organizationId: string,
  wanted: number,
): Promise<void> {
  const { count } = await database
    .selectFrom('ordered_calls')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('pending', 'is not', null)
    .executeTakeFirstOrThrow();
  if (Number(count) + wanted > maximumPending) throw new DemarcError('TOO_MANY_UPCOMING_CALLS');
}

/**
 * Throws `InvalidRequest`, with the same error for another organization's number and an unassigned one.
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
  throw InvalidRequest.at(path, `${e164(number)} is not one of your numbers with an outbound direction`);
}

/** True when calls from the number can be queued. */
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
