import type { z } from 'zod';
import { whole } from './environment.js';

/** Variables of knowledge bases; each default with its reason. */
export const knowledgeVariables = {
  /** Of one organization. Half of the searches of a thousand of 100 KB each take less than a tenth of a second (docs/knowledge.md). */
  DEMARC_KNOWLEDGE_BASES: whole(1, 1_000_000).default(5_000),
  /** Texts of one organization: embeddings cost money, and a loop that uploads is a mistake. */
  DEMARC_KNOWLEDGE_LEARNS_PER_MINUTE: whole(1, 100_000).default(60),
  /** Answers of the language model to one organization: each costs money. */
  DEMARC_KNOWLEDGE_CHATS_PER_MINUTE: whole(1, 100_000).default(60),
  /** Searches with the token of one call: an agent asks once or twice in a turn. */
  DEMARC_KNOWLEDGE_CALL_SEARCHES_PER_MINUTE: whole(1, 100_000).default(120),
  /** Texts that one control process learns at a time. */
  DEMARC_KNOWLEDGE_WORKERS: whole(1, 64).default(4),
  /** A process renews it while it learns a text: after this long without, it is dead and another one continues. */
  DEMARC_KNOWLEDGE_LEASE_SECONDS: whole(1, 600).default(20),
} as const;

type Read = z.output<z.ZodObject<typeof knowledgeVariables>>;

export interface KnowledgeSettings {
  readonly maximumBases: number;
  readonly learnsPerMinute: number;
  readonly chatsPerMinute: number;
  readonly callSearchesPerMinute: number;
  readonly workers: number;
  readonly leaseMilliseconds: number;
}

export const knowledgeSettings = (read: Read): KnowledgeSettings => ({
  maximumBases: read.DEMARC_KNOWLEDGE_BASES,
  learnsPerMinute: read.DEMARC_KNOWLEDGE_LEARNS_PER_MINUTE,
  chatsPerMinute: read.DEMARC_KNOWLEDGE_CHATS_PER_MINUTE,
  callSearchesPerMinute: read.DEMARC_KNOWLEDGE_CALL_SEARCHES_PER_MINUTE,
  workers: read.DEMARC_KNOWLEDGE_WORKERS,
  leaseMilliseconds: read.DEMARC_KNOWLEDGE_LEASE_SECONDS * 1_000,
});
