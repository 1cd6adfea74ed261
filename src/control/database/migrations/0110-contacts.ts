import { type Kysely, type Migration, sql } from 'kysely';

/**
 * The people that an organization talks to: their identifiers, what agents remember of them, and what became of merged and
 * deleted ones. The organization leads every key, so that no query reads another one's rows.
 */
export const contacts: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table contacts (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      name text not null default '',
      metadata jsonb not null default '{}',
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (organization_id, id)
    )`.execute(database);
    await sql`create index contacts_page on contacts (organization_id, created_at desc, id desc)`.execute(
      database,
    );
    // Every id of a contact: its own, those of its numbers, those of contacts merged into it.
    await sql`create table contact_ids (
      organization_id text not null,
      id uuid not null,
      contact_id uuid not null,
      primary key (organization_id, id),
      foreign key (organization_id, contact_id) references contacts (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create index contact_ids_of on contact_ids (organization_id, contact_id)`.execute(database);
    await sql`create table contact_identifiers (
      organization_id text not null,
      id uuid not null default gen_random_uuid(),
      contact_id uuid not null,
      identifier_type text not null check (identifier_type in ('phone_number', 'email', 'external_id')),
      identifier_value text not null,
      is_primary boolean not null,
      created_at timestamptz(3) not null default now(),
      primary key (organization_id, identifier_type, identifier_value),
      foreign key (organization_id, contact_id) references contacts (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create index contact_identifiers_of on contact_identifiers (organization_id, contact_id)`.execute(
      database,
    );
    // Bytewise order, so that a prefix is a range of the index.
    await sql`create table contact_terms (
      organization_id text not null,
      term text collate "C" not null,
      contact_id uuid not null,
      primary key (organization_id, term, contact_id),
      foreign key (organization_id, contact_id) references contacts (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create index contact_terms_of on contact_terms (organization_id, contact_id, term)`.execute(
      database,
    );
    await sql`create table contact_memories (
      organization_id text not null,
      id uuid not null default gen_random_uuid(),
      contact_id uuid not null,
      persona_id text not null,
      agent_number text,
      summary text not null default '',
      facts jsonb not null default '{}',
      open_items jsonb not null default '[]',
      entities jsonb not null default '[]',
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, contact_id) references contacts (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create unique index contact_memories_of on contact_memories
      (organization_id, contact_id, persona_id, coalesce(agent_number, ''))`.execute(database);
    await sql`create table contact_messages (
      organization_id text not null,
      id bigint generated always as identity,
      memory_id uuid not null,
      call_id text,
      role text not null check (role in ('user', 'assistant')),
      content text not null,
      channel text not null check (channel in ('call', 'sms')),
      sent_at timestamptz(3) not null,
      primary key (organization_id, id),
      foreign key (organization_id, memory_id) references contact_memories (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create index contact_messages_page on contact_messages
      (organization_id, memory_id, sent_at desc, id desc)`.execute(database);
    // A repeated request adds nothing.
    await sql`create unique index contact_messages_once on contact_messages
      (organization_id, memory_id, sent_at, role, md5(content))`.execute(database);
    await sql`create table contact_merges (
      organization_id text not null,
      id uuid not null default gen_random_uuid(),
      contact_id uuid not null,
      merged_contact_id uuid not null,
      merged_by text not null,
      merged_at timestamptz(3) not null default now(),
      merged jsonb not null,
      primary key (organization_id, id),
      foreign key (organization_id, contact_id) references contacts (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create index contact_merges_of on contact_merges (organization_id, contact_id, merged_at)`.execute(
      database,
    );
    // That a contact was deleted, by whom and how much of it, without what would name it.
    await sql`create table contact_deletions (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null default gen_random_uuid(),
      deleted_by text not null,
      deleted_at timestamptz(3) not null default now(),
      removed jsonb not null,
      primary key (organization_id, id)
    )`.execute(database);
    await sql`create index contact_deletions_page on contact_deletions
      (organization_id, deleted_at desc, id desc)`.execute(database);
    // For a while: calls of deleted contacts whose records have not arrived.
    await sql`create table contact_erasures (
      organization_id text not null references organizations (id) on delete cascade,
      contact_id uuid not null,
      erased_at timestamptz(3) not null,
      call_ids jsonb not null,
      primary key (organization_id, contact_id)
    )`.execute(database);
    // Parties with URI parameters or visual separators, as newer records store them: by number.
    for (const column of ['caller', 'called'] as const) {
      const party = sql.ref(column);
      await sql`update calls
        set ${party} = regexp_replace(regexp_replace(${party}, ';.*$', ''), '[-.()]', '', 'g')
        where ${party} ~ '[-.();]' and ${party} ~ '^[+]?[0-9][-0-9.()]*(;[^%]*)?$'`.execute(database);
    }
  },
};
