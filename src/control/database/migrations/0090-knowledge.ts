import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Knowledge bases: records, passages, the word index and vectors. Every key begins with the organization, as its id or, in the
 * large tables, as a number of four octets.
 */
export const knowledge: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table knowledge_organizations (
      organization_id text primary key references organizations (id) on delete cascade,
      organization_key integer generated always as identity unique
    )`.execute(database);
    await sql`create table knowledge_bases (
      organization_id text not null references knowledge_organizations (organization_id) on delete cascade,
      id uuid not null,
      base_key integer generated always as identity,
      name text not null,
      description text,
      type text not null check (type in ('TEXT')),
      status text not null check (status in ('PROCESSING', 'COMPLETED', 'FAILED', 'DELETED')),
      error_message text,
      text_octets integer not null,
      language text,
      passage_count integer,
      word_count integer,
      embedding_model text,
      embedding_dimensions integer,
      embedded_count integer not null default 0,
      due_at timestamptz(3),
      lease_until timestamptz(3),
      attempts integer not null default 0,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (organization_id, id),
      unique (organization_id, base_key),
      check (status <> 'FAILED' or error_message is not null),
      check (status <> 'PROCESSING' or due_at is not null)
    )`.execute(database);
    await sql`create index knowledge_bases_page on knowledge_bases (organization_id, created_at desc, id desc)
      where status <> 'DELETED'`.execute(database);
    await sql`create index knowledge_bases_due on knowledge_bases (organization_id, due_at)
      where due_at is not null`.execute(database);
    await sql`create table knowledge_former_ids (
      organization_id text not null,
      former_id text not null check (former_id like 'KB-%'),
      id uuid not null,
      primary key (organization_id, former_id),
      foreign key (organization_id, id) references knowledge_bases (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create table knowledge_texts (
      organization_key integer not null references knowledge_organizations (organization_key) on delete cascade,
      base_key integer not null,
      text text,
      lexemes text[],
      primary key (organization_key, base_key)
    )`.execute(database);
    await sql`create table knowledge_passages (
      organization_key integer not null references knowledge_organizations (organization_key) on delete cascade,
      base_key integer not null,
      position integer not null,
      heading text not null,
      content text not null,
      primary key (organization_key, base_key, position)
    )`.execute(database);
    await sql`create table knowledge_postings (
      organization_key integer not null references knowledge_organizations (organization_key) on delete cascade,
      base_key integer not null,
      language text not null,
      lexeme text not null,
      postings bytea not null,
      primary key (organization_key, language, lexeme, base_key)
    )`.execute(database);
    await sql`create table knowledge_vectors (
      organization_key integer not null references knowledge_organizations (organization_key) on delete cascade,
      base_key integer not null,
      position integer not null,
      signature bit varying not null,
      embedding real[] not null,
      primary key (organization_key, base_key, position)
    )`.execute(database);
    // Vectors do not compress, and scans of the signatures must not read them.
    await sql`alter table knowledge_vectors alter column embedding set storage external`.execute(database);
  },
};
