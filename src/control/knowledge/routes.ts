import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { enforce } from '../http/enforce.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { nameOf } from '../http/one-line.js';
import { pageLimit, wholeNumber } from '../http/query.js';
import { baseView, knowledgeBaseSchema } from './base-view.js';
import { createBase, deleteBase, listBases, requireBase, updateBase } from './bases.js';

export const knowledgeTags = ['Knowledge'];
const tags = knowledgeTags;

export const maximumTextOctets = 1024 * 1024;
/** JSON may write an octet as `\u001f`; and the other fields. */
const maximumBodyOctets = 6 * maximumTextOctets + 64 * 1024;
/** A slow mobile line. */
const slowestOctetsPerSecond = 16 * 1024;

const nameSchema = nameOf(200);
const descriptionSchema = z.string().max(2_000);

export const basePath = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: 'Id of the knowledge base: a UUID, or a `KB-…` id of an earlier system.' }),
});

const learnSchema = z.strictObject({
  type: z.literal('text').default('text').meta({ description: 'Must be text.' }),
  name: nameSchema,
  description: descriptionSchema.optional().meta({ description: 'What the text is about.' }),
  text: z.string().meta({
    description: 'The text, at most 1 MB (1,048,576 octets in UTF-8); Markdown headings are understood.',
  }),
});

const updateSchema = z.strictObject({
  name: nameSchema.optional(),
  description: descriptionSchema
    .nullable()
    .optional()
    .meta({ description: 'What the text is about; null clears it.' }),
});

/** What the area's routes work with. */
export interface KnowledgeDeps extends ControlDeps {
  /** Learns new texts at once, instead of within a second. */
  wake(): void;
}

/** `/knowledge`: learn, list, read, change, delete. */
export function knowledgeRoutes(server: ApiServer, deps: KnowledgeDeps): void {
  const { database, settings } = deps;
  const learnLimit = server.createRateLimit({
    max: settings.knowledge.learnsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ caller }) => `knowledge learn ${caller.organizationId}`,
  });

  server.post(
    '/knowledge/learn',
    {
      bodyLimit: maximumBodyOctets,
      config: { slowestOctetsPerSecond },
      schema: {
        operationId: 'learnKnowledge',
        errors: ['INVALID_INPUT', 'KB_UPLOAD_LIMIT_EXCEEDED'],
        tags,
        summary: 'Create a knowledge base from a text',
        description:
          'Returns immediately with the record in state PROCESSING; poll `GET /v1/knowledge/{id}` until it is COMPLETED or FAILED. The text is split at headings, paragraphs and sentences, and indexed by the words of its language; with an embeddings endpoint also by meaning.',
        body: learnSchema,
        example: {
          type: 'text',
          name: 'Opening hours',
          description: 'Questions that callers ask most',
          text: '# Opening hours\n\nWe are open Monday to Friday from 9 to 18.',
        },
        response: answers(knowledgeBaseSchema),
      },
    },
    async (request, reply) => {
      const { body, caller, operationId } = request;
      const octets = Buffer.byteLength(body.text);
      if (octets > maximumTextOctets) {
        throw new DemarcError(
          'INVALID_INPUT',
          `text has ${octets} octets in UTF-8 and the limit is ${maximumTextOctets}; split it into several knowledge bases`,
        );
      }
      if (!/[\p{L}\p{N}]/u.test(body.text))
        throw new DemarcError('INVALID_INPUT', 'text has no words; send the text to learn');
      await enforce(learnLimit, request, reply);
      const base = await createBase(
        database,
        caller.organizationId,
        { id: operationId, name: body.name, description: body.description ?? null, text: body.text },
        settings.knowledge.maximumBases,
      );
      deps.wake();
      return success(baseView(base));
    },
  );

  server.get(
    '/knowledge',
    {
      schema: {
        operationId: 'listKnowledge',
        tags,
        summary: 'List knowledge bases',
        description: 'Newest first, without deleted ones.',
        querystring: z.strictObject({
          limit: pageLimit(100, 20),
          page: wholeNumber(1, 1_000_000)
            .default(1)
            .meta({ description: 'Page, from 1. `after` is faster for long lists, and goes before it.' }),
          after: z.string().min(1).max(64).optional().meta({ description: '`next` of the previous page.' }),
        }),
        response: listAnswers(
          z.object({
            kbs: z.array(knowledgeBaseSchema).meta({ description: 'The knowledge bases.' }),
            total: z.int().meta({ description: 'Number of knowledge bases of the organization.' }),
          }),
        ),
      },
    },
    async ({ query, caller }) => {
      const { bases, total, next } = await listBases(database, caller.organizationId, query);
      return listed({ kbs: bases.map(baseView), total }, next);
    },
  );

  server.get(
    '/knowledge/:id',
    {
      schema: {
        operationId: 'getKnowledge',
        errors: ['KB_ERROR'],
        tags,
        summary: 'Get a knowledge base',
        description: 'Also shows how far learning is. A deleted one is shown with status DELETED.',
        params: basePath,
        response: answers(knowledgeBaseSchema),
      },
    },
    async ({ params, caller }) =>
      success(baseView(await requireBase(database, caller.organizationId, params.id))),
  );

  server.put(
    '/knowledge/:id',
    {
      schema: {
        operationId: 'updateKnowledge',
        errors: ['KB_ERROR'],
        tags,
        summary: 'Rename or describe a knowledge base',
        description:
          'Omitted fields keep their value; null clears the description. The text cannot be changed: learn a new one and delete this one.',
        params: basePath,
        body: updateSchema,
        example: { name: 'Opening hours 2027', description: null },
        response: answers(knowledgeBaseSchema),
      },
    },
    async ({ params, body, caller }) =>
      success(baseView(await updateBase(database, caller.organizationId, params.id, body))),
  );

  server.delete(
    '/knowledge/:id',
    {
      schema: {
        operationId: 'deleteKnowledge',
        errors: ['KB_ERROR'],
        tags,
        summary: 'Delete a knowledge base',
        description:
          'Deletes its text and its index for good; searches no longer find it. The record stays, with status DELETED. Deleting again changes nothing.',
        params: basePath,
        response: answers(
          z.object({
            success: z.literal(true).meta({ description: 'Always true.' }),
            message: z.string().meta({ description: 'What was done.' }),
            knowledge_base_id: z.string().meta({ description: 'Id of the knowledge base.' }),
          }),
        ),
      },
    },
    async ({ params, caller }) => {
      const { id, name } = await deleteBase(database, caller.organizationId, params.id);
      const message = `Knowledge base ${name} deleted.`;
      return success({ success: true, message, knowledge_base_id: id } as const);
    },
  );
}
