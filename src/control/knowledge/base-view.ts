import { z } from 'zod';
import type { KnowledgeBase } from './bases.js';
import { knowledgeStatuses } from './tables.js';

export const knowledgeBaseSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the knowledge base, a UUID.' }),
    name: z.string(),
    description: z.string().optional().meta({ description: 'Present if provided.' }),
    status: z.enum(knowledgeStatuses).meta({
      description:
        'PROCESSING: it is being learned. COMPLETED: it can be searched. FAILED: error_message says what to do. DELETED: its text is deleted.',
    }),
    type: z.enum(['TEXT']).meta({ description: 'TEXT.' }),
    created_at: z.string(),
    updated_at: z.string().meta({ description: 'Time of the last change, ISO 8601 in UTC.' }),
    error_message: z
      .string()
      .optional()
      .meta({ description: 'Why learning failed, and what to do; only with FAILED.' }),
    progress: z
      .number()
      .optional()
      .meta({ description: 'Share that is learned, 0–1; only with PROCESSING.' }),
    text_size: z.int().meta({ description: 'Octets of the text in UTF-8.' }),
    language: z
      .string()
      .optional()
      .meta({ description: 'Detected language, ISO 639-1; und: not detected. Present once it is split.' }),
    passages: z
      .int()
      .optional()
      .meta({ description: 'Passages that the text was split into. Present once it is split.' }),
    embedding_model: z
      .string()
      .optional()
      .meta({ description: 'Model of its vectors; absent: it is searched by words alone.' }),
  })
  .meta({ id: 'KnowledgeBase' });

/** Splitting and indexing the words takes about as long as a tenth of the embeddings. */
const indexedShare = 0.1;

export function baseView(base: KnowledgeBase): z.output<typeof knowledgeBaseSchema> {
  const { passage_count: passages } = base;
  const progress =
    passages === null ? 0 : indexedShare + (1 - indexedShare) * (base.embedded_count / Math.max(1, passages));
  return {
    id: base.id,
    name: base.name,
    ...(base.description === null ? {} : { description: base.description }),
    status: base.status,
    type: base.type,
    created_at: base.created_at.toISOString(),
    updated_at: base.updated_at.toISOString(),
    ...(base.error_message === null ? {} : { error_message: base.error_message }),
    ...(base.status === 'PROCESSING' ? { progress: Math.round(Math.min(1, progress) * 100) / 100 } : {}),
    text_size: base.text_octets,
    ...(base.language === null ? {} : { language: base.language }),
    ...(passages === null ? {} : { passages }),
    ...(base.embedding_model === null ? {} : { embedding_model: base.embedding_model }),
  };
}
