import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { nameOf } from '../http/one-line.js';
import { pageLimit, pageStart } from '../http/query.js';
import { InvalidRequest } from '../http/validation.js';
import { maximumNumbersAtOnce } from '../numbers/inbound-numbers.js';
import { maximumDocumentOctets, pathwayDocumentSchema } from './document.js';
import { checkedDocument, refuseInvalidNodes } from './document-input.js';
import { pathwayFields } from './followed-pathways.js';
import {
  attachNumbers,
  detachNumbers,
  readFollowingNumbers,
  requireUnused,
  shownPathway,
} from './followers.js';
import { changePathway, createPathway, maximumPathways, pathways } from './pathway-storage.js';
import { changedPathwaySchema, pathwaySchema, pathwayView } from './pathway-view.js';

export const pathwayTags = ['Pathways'];
const tags = pathwayTags;

/** For a document with its envelope. */
export const pathwayBodyLimit = maximumDocumentOctets + 16_384;

const name = nameOf(200).meta({ description: 'Its name, at most 200 characters.' });
const description = z
  .string()
  .max(2_000)
  .nullable()
  .optional()
  .meta({ description: 'Free text; null clears it.' });
const document = pathwayDocumentSchema.meta({
  description: `What a conversation follows, at most ${maximumDocumentOctets} octets of JSON.`,
});
export const revisionField = z.int().min(1).optional().meta({
  description:
    'The revision that you changed; if it is no longer the present one, the request is refused. Default: not checked.',
});

export const pathwayPath = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the pathway.' }),
});

/** A document that books an appointment. */
export const exampleDocument = {
  start_node_id: 'greeting',
  nodes: [
    {
      id: 'greeting',
      name: 'Greeting',
      type: 'default',
      prompt: 'Greet the caller, and ask for the day of the appointment.',
      extract: [{ name: 'day', type: 'string', description: 'The day that the caller wants.' }],
    },
    { id: 'goodbye', name: 'Goodbye', type: 'end', text: 'We will see you on {{day}}. Goodbye.' },
  ],
  edges: [{ id: 'booked', source: 'greeting', target: 'goodbye', label: 'The caller named a day' }],
};

/** `/pathways`: create, list, read, change, delete. */
export function pathwayRoutes(server: ApiServer, { database }: ControlDeps): void {
  const shown = async (organizationId: string, id: string) =>
    success(await shownPathway(database, organizationId, id));

  server.post(
    '/pathways',
    {
      bodyLimit: pathwayBodyLimit,
      preValidation: refuseInvalidNodes,
      schema: {
        operationId: 'createPathway',
        errors: ['TOO_MANY_PATHWAYS'],
        tags,
        summary: 'Create a pathway',
        description: `Stores it with a draft, which takes effect once it is promoted (POST /v1/pathways/{id}/versions/promote). At most ${maximumPathways} per organization.`,
        body: z.strictObject({ name, description, document }),
        example: { name: 'Appointments', document: exampleDocument },
        response: answers(pathwaySchema),
      },
    },
    async ({ body, caller, operationId }) => {
      const { organizationId } = caller;
      const checked = await checkedDocument(database, organizationId, body.document);
      await createPathway(database, organizationId, operationId, { ...body, document: checked });
      return shown(organizationId, operationId);
    },
  );

  server.get(
    '/pathways',
    {
      schema: {
        operationId: 'listPathways',
        tags,
        summary: 'List pathways',
        description: 'Newest first, each with its draft and its live version, without documents.',
        querystring: z.strictObject({ limit: pageLimit(100, 50), after: pageStart.after }),
        response: listAnswers(
          z.object({ pathways: z.array(pathwaySchema).meta({ description: 'The pathways.' }) }),
        ),
      },
    },
    async ({ query, caller }) => {
      const page = await pathways.page(database, caller.organizationId, query);
      if (page === undefined) throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
      const ids = page.subjects.map(({ subject }) => subject.id);
      const numbers = await readFollowingNumbers(database, caller.organizationId, ids);
      const views = page.subjects.map((pathway) =>
        pathwayView(pathway, numbers.get(pathway.subject.id) ?? []),
      );
      return listed({ pathways: views }, page.next);
    },
  );

  server.get(
    '/pathways/:id',
    {
      schema: {
        operationId: 'getPathway',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a pathway',
        description:
          'With its draft and its live version; their documents are at GET /v1/pathways/{id}/versions/{version_number}.',
        params: pathwayPath,
        response: answers(pathwaySchema),
      },
    },
    ({ params, caller }) => shown(caller.organizationId, params.id),
  );

  server.patch(
    '/pathways/:id',
    {
      bodyLimit: pathwayBodyLimit,
      preValidation: refuseInvalidNodes,
      schema: {
        operationId: 'updatePathway',
        errors: ['NOT_FOUND', 'PATHWAY_CHANGED'],
        tags,
        summary: 'Change a pathway',
        description:
          'The document replaces that of the draft, which is created if missing, and takes effect with the next promotion. Name and description change at once. Omitted fields keep their value.',
        params: pathwayPath,
        body: z.strictObject({
          name: name.optional(),
          description,
          document: document.optional(),
          revision: revisionField,
        }),
        example: { description: 'Books appointments.' },
        response: answers(pathwaySchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      const checked =
        body.document === undefined
          ? undefined
          : await checkedDocument(database, organizationId, body.document);
      await changePathway(database, organizationId, params.id, { ...body, document: checked });
      return shown(organizationId, params.id);
    },
  );

  server.delete(
    '/pathways/:id',
    {
      schema: {
        operationId: 'deletePathway',
        errors: ['NOT_FOUND', 'PATHWAY_IN_USE'],
        tags,
        summary: 'Delete a pathway',
        description:
          'Detach its numbers, and remove it from personas, first. Results of its tests stay, and calls that are ordered already keep its last live version.',
        params: pathwayPath,
        response: answers(z.object({ id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      await pathways.delete(database, caller.organizationId, params.id, requireUnused);
      return success({ id: params.id, deleted: true as const });
    },
  );

  const numbers = z
    .array(z.string().max(64))
    .min(1)
    .max(maximumNumbersAtOnce)
    .meta({
      description: `Your numbers, E.164; at most ${maximumNumbersAtOnce}.`,
      examples: [['+14155550100']],
    });

  server.post(
    '/pathways/:id/inbound/attach',
    {
      schema: {
        operationId: 'attachPathwayNumbers',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Let calls to numbers follow a pathway',
        description:
          'All of them or none. The numbers must have an inbound direction; a number of another pathway moves to this one. The agent of the next call gets the version; before the first promotion, none, unless you name one.',
        params: pathwayPath,
        body: z.strictObject({
          inbound_numbers: numbers,
          version_number: pathwayFields.pathway_version,
        }),
        example: { inbound_numbers: ['+14155550100'] },
        response: answers(changedPathwaySchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      await attachNumbers(database, organizationId, params.id, body.inbound_numbers, body.version_number);
      return success({ ...(await shownPathway(database, organizationId, params.id)), warnings: [] });
    },
  );

  server.post(
    '/pathways/:id/inbound/detach',
    {
      schema: {
        operationId: 'detachPathwayNumbers',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Detach numbers from a pathway',
        description:
          'The next call to them follows the pathway of their persona, or none. Numbers that do not follow the pathway are ignored.',
        params: pathwayPath,
        body: z.strictObject({ inbound_numbers: numbers }),
        example: { inbound_numbers: ['+14155550100'] },
        response: answers(changedPathwaySchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      await detachNumbers(database, organizationId, params.id, body.inbound_numbers);
      return success({ ...(await shownPathway(database, organizationId, params.id)), warnings: [] });
    },
  );
}
