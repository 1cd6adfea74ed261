import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { CreatedAt, UpdatedAt } from '../database/columns.js';

export const knowledgeStatuses = ['PROCESSING', 'COMPLETED', 'FAILED', 'DELETED'] as const;
export type KnowledgeStatus = (typeof knowledgeStatuses)[number];

/** A number for each organization that has knowledge: four octets in the large tables instead of its id. */
export interface KnowledgeOrganizationsTable {
  organization_id: string;
  organization_key: GeneratedAlways<number>;
}

export interface KnowledgeBasesTable {
  organization_id: string;
  id: string;
  base_key: GeneratedAlways<number>;
  name: string;
  description: string | null;
  type: 'TEXT';
  status: KnowledgeStatus;
  /** Null unless FAILED. */
  error_message: string | null;
  /** Of the text as it was sent, in UTF-8. */
  text_octets: number;
  /** Code of `language.ts`; null: not detected yet. */
  language: string | null;
  /** Null until the text is split. */
  passage_count: number | null;
  /** Indexed words of all passages. */
  word_count: number | null;
  /** The model of all its vectors; null: it has none. */
  embedding_model: string | null;
  embedding_dimensions: number | null;
  /** Passages that have a vector. */
  embedded_count: Generated<number>;
  /** When the next attempt to learn may begin; null: learned, failed or deleted. */
  due_at: Date | null;
  /** The process that learns it has it until then. */
  lease_until: Date | null;
  attempts: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** `KB-…` ids of an earlier system. */
export interface KnowledgeFormerIdsTable {
  organization_id: string;
  former_id: string;
  id: string;
}

export interface KnowledgeTextsTable {
  organization_key: number;
  base_key: number;
  /** Null once it is split into passages. */
  text: string | null;
  /** All words of its postings, by which they are deleted; null until it is indexed. */
  lexemes: string[] | null;
}

export interface KnowledgePassagesTable {
  organization_key: number;
  base_key: number;
  /** From 0. */
  position: number;
  /** `Chapter › Section`; empty: none. */
  heading: string;
  content: string;
}

/** One row for each word of a base: where it occurs (`postings.ts`). */
export interface KnowledgePostingsTable {
  organization_key: number;
  base_key: number;
  language: string;
  lexeme: string;
  postings: Buffer;
}

export interface KnowledgeVectorsTable {
  organization_key: number;
  base_key: number;
  position: number;
  /** The signs of the vector: 1 for a component above 0. */
  signature: string;
  /** Of length 1. */
  embedding: ColumnType<number[], string, string>;
}

declare module '../database/tables.js' {
  interface Database {
    knowledge_organizations: KnowledgeOrganizationsTable;
    knowledge_bases: KnowledgeBasesTable;
    knowledge_former_ids: KnowledgeFormerIdsTable;
    knowledge_texts: KnowledgeTextsTable;
    knowledge_passages: KnowledgePassagesTable;
    knowledge_postings: KnowledgePostingsTable;
    knowledge_vectors: KnowledgeVectorsTable;
  }
}
