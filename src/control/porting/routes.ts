import { sql } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { ApiServer } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { mailLimits } from '../http/mail-limits.js';
import { e164, readPhoneNumber } from '../http/phone-number.js';
import { pageLimit } from '../http/query.js';
import { InvalidRequest } from '../http/validation.js';
import { beginRequest, checkNumbers, findRequest, renewLink } from './begin-request.js';
import { checkSchema, checkViews } from './check-view.js';
import { makeMoves } from './make-moves.js';
import { maximumNumbers, portOrderSchema } from './port-order.js';
import { lockRequest, numbersOf } from './port-rows.js';
import { isFinal } from './port-status.js';
import { portDetail, portDetailSchema, portRequestSchema, portStatusSchema, portView } from './port-view.js';
import type { PortingDeps } from './porting-deps.js';
import { hashOf, signatureUrl, tokenWith } from './signing/link.js';

export const portingTags = ['Number porting'];
const tags = portingTags;

export const portListQuery = z.strictObject({
  limit: pageLimit(100, 50),
  after: z.string().max(64).optional().meta({ description: '`next` of the previous page.' }),
  status: portStatusSchema.optional().meta({ description: 'Only requests in this state.' }),
});

export const portPath = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the port request.' }),
});
export const unknownPort = (id: string): DemarcError =>
  new DemarcError('NOT_FOUND', `Port request ${id} not found`);

const checkQuery = z.strictObject({
  'phone_numbers[]': z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(z.string().max(32)).min(1).max(maximumNumbers),
    )
    .meta({
      description: `Numbers to check, E.164 with +; repeat the parameter. At most ${maximumNumbers}.`,
    }),
});

const example = {
  phone_numbers: ['+14155550100', '+14155550101'],
  pin: '4321',
  losing_carrier_information: {
    customer_type: 'business',
    business_name: 'Acme Corp',
    first_name: 'Jane',
    last_name: 'Doe',
    account_number: '998877',
    authorized_representative_email: 'jane.doe@example.com',
    notification_emails: ['phones@example.com'],
    address: {
      street: '101 Spear St',
      street2: 'Floor 5',
      city: 'San Francisco',
      state: 'CA',
      zip: '94105',
      country: 'US',
    },
  },
  documents: ['doc_0123456789abcdef01234567'],
};

/** Port requests per day whose emails go to one address: one person may authorize those of a whole company. */
const portsToAddress = 50;

/** `/sip/port`: check, initiate, list, read, cancel. */
export function portRoutes(server: ApiServer, deps: PortingDeps): void {
  const { database, settings } = deps;
  const countMails = mailLimits(server, portsToAddress);

  server.get(
    '/sip/port/check',
    {
      schema: {
        operationId: 'checkPortability',
        errors: ['CARRIER_UNAVAILABLE'],
        tags,
        summary: 'Check whether numbers can be ported',
        description:
          'Asks the carrier about each number; without a carrier’s API, the numbering plan, as `source` says.',
        querystring: checkQuery,
        response: answers(
          z.object({ results: z.array(checkSchema).meta({ description: 'One entry for each number.' }) }),
        ),
      },
    },
    async ({ query, caller }) => {
      const texts = query['phone_numbers[]'];
      const numbers = texts.map(readPhoneNumber).filter((number) => number !== undefined);
      const checks =
        numbers.length === 0 ? [] : await checkNumbers(deps, caller.organizationId, [...new Set(numbers)]);
      return success({ results: checkViews(texts, checks) });
    },
  );

  server.post(
    '/sip/port/initiate',
    {
      schema: {
        operationId: 'initiatePort',
        errors: ['SECRET_KEY_MISSING', 'CARRIER_UNAVAILABLE', 'DOCUMENTS_UNAVAILABLE', 'NUMBER_PORTING'],
        tags,
        summary: 'Port numbers to this service',
        description:
          'Sends the Letter of Authorization to the authorized representative for electronic signature. Once it is signed, the request goes to the carrier. A port takes 7 to 14 business days; keep the service at the losing carrier active until then.',
        body: portOrderSchema,
        example,
        response: answers(
          z.object({
            port_request_id: z.string().meta({ description: 'Id of the port request.' }),
            status: portStatusSchema,
            signature_url: z
              .string()
              .nullable()
              .meta({ description: 'Where the letter is signed; null: it is signed already.' }),
            phone_numbers: z.array(z.string()).meta({ description: 'Its numbers, E.164 with +.' }),
          }),
        ),
      },
    },
    async (request, reply) => {
      const { body, caller, operationId } = request;
      const { organizationId, keyId } = caller;
      const { authorized_representative_email: signer, notification_emails: notified } =
        body.losing_carrier_information;
      await countMails(request, reply, [...new Set([signer, ...notified])]);
      const id = await beginRequest(deps, { organizationId, keyId, operationId }, body);
      const found = (await findRequest(database, organizationId, id))!;
      return success({
        port_request_id: id,
        status: found.status,
        signature_url: await readSignatureUrl(deps, id),
        phone_numbers: (await numbersOf(database, id)).map(({ number }) => e164(number)),
      });
    },
  );

  server.get(
    '/sip/port',
    {
      schema: {
        operationId: 'listPorts',
        tags,
        summary: 'List port requests',
        description: 'Newest first, each with its numbers and their states.',
        querystring: portListQuery,
        response: listAnswers(
          z.object({
            port_requests: z.array(portRequestSchema).meta({ description: 'The requests.' }),
          }),
        ),
      },
    },
    async ({ query, caller }) => {
      const page = await readPage(deps, query, caller.organizationId);
      return listed({ port_requests: page.requests }, page.next);
    },
  );

  server.get(
    '/sip/port/:id',
    {
      schema: {
        operationId: 'getPort',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a port request with its history',
        description:
          'Every state change with time, actor and reason. Account number and PIN are not returned.',
        params: portPath,
        response: answers(portDetailSchema),
      },
    },
    async ({ params, caller }) => {
      const request = await findRequest(database, caller.organizationId, params.id);
      if (request === undefined) throw unknownPort(params.id);
      return success(await portDetail(database, request, await numbersOf(database, request.id)));
    },
  );

  server.post(
    '/sip/port/:id/signature',
    {
      schema: {
        operationId: 'resendPortSignature',
        errors: ['NOT_FOUND', 'PORT_MOVE_NOT_ALLOWED', 'SECRET_KEY_MISSING'],
        tags,
        summary: 'Send the Letter of Authorization again',
        description: 'Mails a new link to the authorized representative. The earlier link stops working.',
        params: portPath,
        response: answers(
          z.object({ signature_url: z.string().meta({ description: 'Where the letter is signed.' }) }),
        ),
      },
    },
    async ({ params, caller }) => {
      if (!deps.secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
      const token = await renewLink(deps, caller.organizationId, params.id);
      return success({ signature_url: signatureUrl(settings, token) });
    },
  );

  server.delete(
    '/sip/port/:id',
    {
      schema: {
        operationId: 'cancelPort',
        errors: ['NOT_FOUND', 'PORT_MOVE_NOT_ALLOWED'],
        tags,
        summary: 'Cancel a port request',
        description:
          'Allowed in any state before completed. Numbers that were ported already stay ported. Canceling again changes nothing.',
        params: portPath,
        response: answers(z.object({ canceled: z.literal(true).meta({ description: 'Always true.' }) })),
      },
    },
    async ({ params, caller }) => {
      await database.transaction().execute(async (transaction) => {
        const request = await lockRequest(transaction, params.id);
        if (request === undefined || request.organization_id !== caller.organizationId) {
          throw unknownPort(params.id);
        }
        if (request.status === 'canceled') return;
        if (isFinal(request.status))
          throw new DemarcError('PORT_MOVE_NOT_ALLOWED', `the request is ${request.status}`);
        const mover = { actor: 'customer', name: caller.keyId } as const;
        await makeMoves(transaction, request, [{ move: 'cancel', reason: 'Canceled on request.' }], mover);
      });
      deps.wake();
      return success({ canceled: true } as const);
    },
  );
}

async function readSignatureUrl({ database, settings }: PortingDeps, id: string): Promise<string | null> {
  const letter = await database
    .selectFrom('port_letters')
    .select(['link_number', 'token_hash', 'signed_at'])
    .where('request_id', '=', id)
    .executeTakeFirst();
  if (letter === undefined || letter.signed_at !== null) return null;
  const token = tokenWith(settings, id, letter.link_number, letter.token_hash);
  return token === undefined || !hashOf(token).equals(letter.token_hash)
    ? null
    : signatureUrl(settings, token);
}

interface PageQuery {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly status?: z.infer<typeof portStatusSchema> | undefined;
}

/** @param organizationId undefined: of all organizations */
export async function readPage(
  { database }: Pick<PortingDeps, 'database'>,
  { limit, after, status }: PageQuery,
  organizationId?: string,
) {
  let query = database.selectFrom('port_requests').selectAll();
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (after !== undefined) {
    const last = await database
      .selectFrom('port_requests')
      .select(['created_at', 'organization_id'])
      .where('id', '=', after)
      .executeTakeFirst();
    if (last === undefined || (organizationId ?? last.organization_id) !== last.organization_id)
      throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
    query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${after})`);
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const numbers =
    page.length === 0
      ? []
      : await database
          .selectFrom('port_numbers')
          .selectAll()
          .where(
            'request_id',
            'in',
            page.map(({ id }) => id),
          )
          .orderBy('position')
          .execute();
  return {
    rows: page,
    requests: page.map((request) =>
      portView(
        request,
        numbers.filter(({ request_id }) => request_id === request.id),
      ),
    ),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
