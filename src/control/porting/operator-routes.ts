import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { ApiServer } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { e164, readPhoneNumber } from '../http/phone-number.js';
import { requireOperator } from '../http/roles.js';
import { InvalidRequest } from '../http/validation.js';
import { informationPlace } from './documents/document-storage.js';
import { makeMoves } from './make-moves.js';
import type { LosingCarrierInformation } from './port-order.js';
import { lockRequest, numbersOf, type PortRequest } from './port-rows.js';
import { moveNames, movesFrom } from './port-status.js';
import { portDetail, portDetailSchema, portRequestSchema } from './port-view.js';
import type { PortingDeps } from './porting-deps.js';
import { portListQuery, portPath, readPage, portingTags as tags, unknownPort } from './routes.js';

const ownerFields = {
  organization_id: z.string().meta({ description: 'Organization that asks for the port.' }),
  organization: z.string().meta({ description: 'Its name.' }),
};

const text = (description: string) => z.string().nullable().meta({ description });

const operatorDetailSchema = portDetailSchema
  .extend({
    ...ownerFields,
    losing_carrier: z
      .object({
        customer_type: z.enum(['business', 'personal']).meta({ description: 'Kind of account.' }),
        business_name: text('Name of the business; null: none.'),
        first_name: text('First name of the authorized representative.'),
        last_name: text('Last name of the authorized representative.'),
        account_number: text('Account number; null: none was given.'),
        pin: text('Port-out PIN; null: none was given.'),
        address: z
          .record(z.string(), z.string())
          .meta({ description: 'Service address in the records of the losing carrier.' }),
      })
      .meta({ description: 'What the losing carrier compares. Each access is logged.' }),
    allowed_moves: z
      .array(z.enum(moveNames))
      .meta({ description: 'Moves that an operator can make now, for at least one number.' }),
  })
  .meta({ id: 'OperatorPort' });

/** `/operator/ports`: the queue of those who carry requests to a carrier by hand. */
export function operatorRoutes(server: ApiServer, deps: PortingDeps): void {
  const { database, documents, secrets, log } = deps;

  const find = async (id: string): Promise<PortRequest & { organization: string }> => {
    const found = await database
      .selectFrom('port_requests')
      .innerJoin('organizations', 'organizations.id', 'port_requests.organization_id')
      .selectAll('port_requests')
      .select('organizations.name as organization')
      .where('port_requests.id', '=', id)
      .executeTakeFirst();
    if (found === undefined) throw unknownPort(id);
    return found;
  };

  const view = async (id: string): Promise<z.infer<typeof operatorDetailSchema>> => {
    const request = await find(id);
    const numbers = await numbersOf(database, id);
    const { address, ...information } = JSON.parse(
      secrets.open(request.information, informationPlace(request)),
    ) as LosingCarrierInformation;
    const given = Object.entries(address).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return {
      ...(await portDetail(database, request, numbers)),
      organization_id: request.organization_id,
      organization: request.organization,
      losing_carrier: {
        customer_type: information.customer_type,
        business_name: information.business_name ?? null,
        first_name: information.first_name,
        last_name: information.last_name,
        account_number: information.account_number ?? null,
        pin: information.pin ?? null,
        address: Object.fromEntries(given),
      },
      allowed_moves: moveNames.filter((move) =>
        numbers.some(({ status }) => movesFrom(status, 'operator').includes(move)),
      ),
    };
  };

  server.get(
    '/operator/ports',
    {
      schema: {
        operationId: 'listOperatorPorts',
        errors: ['OPERATOR_ONLY'],
        tags,
        summary: 'Port requests of all organizations',
        description: 'For operators. Newest first.',
        querystring: portListQuery,
        response: listAnswers(
          z.object({
            port_requests: z
              .array(portRequestSchema.extend(ownerFields).meta({ id: 'QueuedPort' }))
              .meta({ description: 'The requests.' }),
          }),
        ),
      },
    },
    async ({ query, caller }) => {
      requireOperator(caller);
      const { rows, requests, next } = await readPage(deps, query);
      const names = await database.selectFrom('organizations').select(['id', 'name']).execute();
      const nameOf = new Map(names.map(({ id, name }) => [id, name]));
      const owned = requests.map((request, at) => {
        const owner = rows[at]!.organization_id;
        return { ...request, organization_id: owner, organization: nameOf.get(owner) ?? '' };
      });
      return listed({ port_requests: owned }, next);
    },
  );

  server.get(
    '/operator/ports/:id',
    {
      schema: {
        operationId: 'getOperatorPort',
        errors: ['OPERATOR_ONLY', 'NOT_FOUND'],
        tags,
        summary: 'One port request with what the losing carrier compares',
        description: 'For operators: includes account number and PIN, which no other response contains.',
        params: portPath,
        response: answers(operatorDetailSchema),
      },
    },
    async ({ params, caller }) => {
      requireOperator(caller);
      log.info({ port: params.id, key: caller.keyId }, 'An operator opened a port request.');
      return success(await view(params.id));
    },
  );

  server.get(
    '/operator/ports/:id/documents/:document_id',
    {
      schema: {
        operationId: 'getOperatorPortDocument',
        errors: ['OPERATOR_ONLY', 'NOT_FOUND', 'DOCUMENTS_UNAVAILABLE'],
        tags,
        summary: 'A document of a port request',
        description: 'For operators. The file itself, with its media type.',
        params: portPath.extend({
          document_id: z.string().min(1).max(64).meta({ description: 'Id of the document.' }),
        }),
        response: {
          ...answers(z.string()),
          200: {
            description: 'The document',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
        },
      },
    },
    async ({ params, caller }, reply) => {
      requireOperator(caller);
      const request = await find(params.id);
      const row = await database
        .selectFrom('port_documents')
        .selectAll()
        .where('id', '=', params.document_id)
        .where('organization_id', '=', request.organization_id)
        .executeTakeFirst();
      if (row === undefined || (row.request_id !== request.id && !request.documents.includes(row.id)))
        throw new DemarcError('NOT_FOUND', `Document ${params.document_id} not found`);
      log.info({ document: row.id, key: caller.keyId }, 'An operator opened a document.');
      const extension = row.media_type.split('/')[1];
      return reply
        .type(row.media_type)
        .header('content-disposition', `attachment; filename="${row.id}.${extension}"`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send((await documents.read(row)) as never);
    },
  );

  server.post(
    '/operator/ports/:id/moves',
    {
      schema: {
        operationId: 'movePort',
        errors: ['OPERATOR_ONLY', 'NOT_FOUND', 'PORT_MOVE_NOT_ALLOWED'],
        tags,
        summary: 'Move a port request, or some of its numbers',
        description:
          'For operators, to record what happened at the carrier. Numbers for which the move is not possible keep their state; when it is possible for none, the answer is 409.',
        params: portPath,
        body: z.strictObject({
          move: z.enum(moveNames).meta({
            description:
              'sign: signed on paper; progress: the losing carrier works on it; complete: ported; fail: refused; cancel.',
          }),
          reason: z.string().trim().min(1).max(500).meta({ description: 'Why; customers read it.' }),
          phone_numbers: z
            .array(z.string().max(32))
            .min(1)
            .max(100)
            .optional()
            .meta({ description: 'Numbers that move. Default: all of the request.' }),
        }),
        example: { move: 'progress', reason: 'Accepted by the losing carrier for 1 December.' },
        response: answers(operatorDetailSchema),
      },
    },
    async ({ params, body, caller }) => {
      requireOperator(caller);
      const { move, reason, phone_numbers: only } = body;
      await database.transaction().execute(async (transaction) => {
        const request = await lockRequest(transaction, params.id);
        if (request === undefined) throw unknownPort(params.id);
        const ported = (await numbersOf(transaction, request.id)).map(({ number }) => number);
        const numbers = only?.map((given, place) => {
          const number = readPhoneNumber(given);
          if (number !== undefined && ported.includes(number)) return number;
          throw InvalidRequest.at(`phone_numbers.${place}`, `${given} is not a number of the request.`);
        });
        const wanted = numbers?.map((number) => ({ number, move, reason })) ?? [{ move, reason }];
        const mover = { actor: 'operator', name: caller.keyId } as const;
        const moved = await makeMoves(transaction, request, wanted, mover);
        if (moved.length === 0)
          throw new DemarcError('PORT_MOVE_NOT_ALLOWED', `the request is ${request.status}`);
        log.info(
          { port: request.id, move, numbers: moved.map(e164), key: caller.keyId },
          'An operator moved a port.',
        );
      });
      deps.wake();
      return success(await view(params.id));
    },
  );
}
