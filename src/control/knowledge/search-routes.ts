import { z } from 'zod';
import type { ApiServer, Caller } from '../http/api-server.js';
import { enforce } from '../http/enforce.js';
import { answers, success } from '../http/envelope.js';
import { InvalidRequest } from '../http/validation.js';
import type { Chat } from '../models/chat-model.js';
import { resolveBases, unknownBase } from './bases.js';
import { answerChat, contextOf } from './chat.js';
import { type KnowledgeDeps, knowledgeTags as tags } from './routes.js';
import type { FoundPassage, KnowledgeSearch } from './search.js';

export interface SearchRouteDeps extends KnowledgeDeps {
  readonly search: KnowledgeSearch;
  /** Undefined: chats get passages alone. */
  readonly chat: Chat | undefined;
}

const maximumBases = 50;
const maximumQuestion = 2_000;
const maximumResults = 50;
/** Passages that an answer is made of. */
const chatPassages = 6;

const baseIdSchema = z.string().min(1).max(64);

const sourceSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the passage: its knowledge base and its position.' }),
    content: z.string().meta({ description: 'The passage.' }),
    metadata: z
      .object({
        knowledge_base_id: z.string().meta({ description: 'Id of its knowledge base.' }),
        name: z.string().meta({ description: 'Name of its knowledge base.' }),
        heading: z.string().meta({ description: 'Headings above it, separated by ›; empty: none.' }),
        position: z.int().meta({ description: 'Position in the text, from 0.' }),
        score: z.number().meta({
          description: 'Fused rank, 0–1; 1: first in every index. Comparable within one answer only.',
        }),
        word_rank: z
          .int()
          .nullable()
          .meta({ description: 'Rank by words, from 1; null: not found by words.' }),
        vector_rank: z.int().nullable().meta({
          description:
            'Rank in the semantic search (1 = best); null: not found by it, or there are no vectors.',
        }),
      })
      .meta({ description: 'Where it comes from, and how it was found.' }),
  })
  .meta({ id: 'KnowledgePassage' });

const noteSchema = z
  .string()
  .nullable()
  .meta({ description: 'What the answer lacks and why; null: nothing.' });

const sourceView = (found: FoundPassage): z.output<typeof sourceSchema> => ({
  id: `${found.baseId}:${found.position}`,
  content: found.content,
  metadata: {
    knowledge_base_id: found.baseId,
    name: found.baseName,
    heading: found.heading,
    position: found.position,
    score: Math.round(found.score * 1e4) / 1e4,
    word_rank: found.wordRank ?? null,
    vector_rank: found.vectorRank ?? null,
  },
});

/** The bases that a request may search. */
interface Chosen {
  /** UUIDs; undefined: all of the organization. */
  readonly ids: readonly string[] | undefined;
  readonly notes: readonly string[];
}

/** `/knowledge/search` and `/knowledge/chat`. */
export function knowledgeSearchRoutes(server: ApiServer, deps: SearchRouteDeps): void {
  const { database, settings, search, chat, log } = deps;
  const chatLimit = server.createRateLimit({
    max: settings.knowledge.chatsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ caller }) => `knowledge chat ${caller.organizationId}`,
  });
  const callLimit = server.createRateLimit({
    max: settings.knowledge.callSearchesPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ caller }) => `knowledge search ${caller.keyId}`,
  });

  /** Throws `DemarcError` `KB_ERROR` for an id that the caller may not search. */
  const choose = async (caller: Caller, asked: readonly string[] | undefined): Promise<Chosen> => {
    const granted = caller.call?.knowledgeIds;
    const ids = asked ?? granted;
    if (ids === undefined) return { ids: undefined, notes: [] };
    const bases = await resolveBases(database, caller.organizationId, ids);
    const chosen: string[] = [];
    const notes: string[] = [];
    for (const id of new Set(ids)) {
      const base = bases.get(id);
      const isKnown = base !== undefined && base.status !== 'DELETED';
      if (asked !== undefined && (!isKnown || granted?.includes(base.id) === false)) throw unknownBase(id);
      // A base that was deleted during the call.
      if (!isKnown) continue;
      chosen.push(base.id);
      if (base.status === 'PROCESSING')
        notes.push(`${base.name} is not searched: it is still being learned.`);
      if (base.status === 'FAILED') notes.push(`${base.name} is not searched: it could not be learned.`);
    }
    if (granted?.length === 0) notes.push('The call has no knowledge bases.');
    return { ids: chosen, notes };
  };

  server.post(
    '/knowledge/search',
    {
      config: { access: 'read', acceptsCallToken: true, takesIdempotencyKey: false },
      schema: {
        operationId: 'searchKnowledge',
        errors: ['KB_ERROR'],
        tags,
        summary: 'Find passages that answer a question',
        description:
          'Ranks by words and, with an embeddings endpoint, by meaning, and fuses both. The agent of a call may search with the call’s token (`X-Demarc-Token`): then only the knowledge bases of that call.',
        body: z.strictObject({
          query: z
            .string()
            .trim()
            .min(1)
            .max(maximumQuestion)
            .meta({ description: 'The question, in plain words.' }),
          knowledge_base_ids: z.array(baseIdSchema).min(1).max(maximumBases).optional().meta({
            description:
              'Knowledge bases to search. Default: all of the organization; with a call token, all of the call.',
          }),
          limit: z
            .int()
            .min(1)
            .max(maximumResults)
            .default(5)
            .meta({ description: `Maximum passages. Default 5, range 1–${maximumResults}.` }),
        }),
        example: { query: 'When are you open on Saturdays?', limit: 3 },
        response: answers(
          z.object({
            results: z.array(sourceSchema).meta({ description: 'The passages, best first.' }),
            note: noteSchema,
          }),
        ),
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      if (caller.call !== undefined) await enforce(callLimit, request, reply);
      const { ids, notes } = await choose(caller, body.knowledge_base_ids);
      const { passages, note } = await search.search(caller.organizationId, ids, body.query, body.limit);
      return success({ results: passages.map(sourceView), note: noteOf([...notes, note]) });
    },
  );

  server.post(
    '/knowledge/chat',
    {
      config: { access: 'read', takesIdempotencyKey: false },
      schema: {
        operationId: 'chatWithKnowledge',
        errors: ['KB_ERROR'],
        tags,
        summary: 'Answer a question from a knowledge base',
        description:
          'Finds passages for the last message and lets the language model answer from them alone. Without a language model, or when it fails, `response` is null and `note` says why.',
        body: z.strictObject({
          knowledge_base_id: baseIdSchema.meta({ description: 'Knowledge base to answer from.' }),
          messages: z
            .array(
              z.strictObject({
                role: z.enum(['user', 'assistant']).meta({ description: 'Who said it.' }),
                content: z.string().trim().min(1).max(8_000).meta({ description: 'What was said.' }),
              }),
            )
            .min(1)
            .max(50)
            .meta({ description: 'The conversation; its last message is the user’s question.' }),
        }),
        example: {
          knowledge_base_id: '3f0e6f7e-58a5-4f57-9e8a-0a5b7f7a6f10',
          messages: [{ role: 'user', content: 'When are you open on Saturdays?' }],
        },
        response: answers(
          z.object({
            response: z.string().nullable().meta({ description: 'The answer; null: there is none.' }),
            context: z
              .string()
              .meta({ description: 'The passages as the language model got them, numbered.' }),
            sources: z.array(sourceSchema).meta({ description: 'The passages, best first.' }),
            note: noteSchema,
          }),
        ),
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      if (body.messages.at(-1)?.role !== 'user')
        throw InvalidRequest.at('messages', 'The last of messages must have the role user.');
      if (chat !== undefined) await enforce(chatLimit, request, reply);
      const { ids, notes } = await choose(caller, [body.knowledge_base_id]);
      const question = questionOf(body.messages);
      const { passages, note } = await search.search(caller.organizationId, ids, question, chatPassages);
      const context = contextOf(passages);
      const { organizationId } = caller;
      const answer = await answerChat({ chat, log, organizationId }, body.messages, context);
      return success({
        response: answer.response,
        context,
        sources: passages.map(sourceView),
        note: noteOf([...notes, note, answer.note]),
      });
    },
  );
}

/** `And on Sundays?` means nothing without the question before it. */
const fewWords = 5;

function questionOf(messages: readonly { readonly role: string; readonly content: string }[]): string {
  const [last = '', before = ''] = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .reverse();
  const question = last.split(/\s+/).length < fewWords ? `${before} ${last}` : last;
  return question.trim().slice(-maximumQuestion);
}

const noteOf = (notes: readonly (string | undefined)[]): string | null =>
  notes.filter((note) => note !== undefined).join(' ') || null;
