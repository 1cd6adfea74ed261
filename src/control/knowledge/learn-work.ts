import { type Kysely, sql, type Updateable } from 'kysely';
import { backoff } from '../../base/backoff.js';
import type { Logger } from '../../base/log.js';
import type { ControlSettings } from '../../config/control-settings.js';
import type { Database } from '../database/tables.js';
import type { EmbeddingModel } from '../models/embedding-model.js';
import { ModelFailure, ModelRefusal } from '../models/model-failure.js';
import { deleteContents, type KnowledgeBase } from './bases.js';
import { indexWords } from './index-words.js';
import type { ReadText } from './read-text.js';
import type { KnowledgeBasesTable } from './tables.js';
import { storeVectors } from './vectors.js';

export interface LearnDeps {
  readonly database: Kysely<Database>;
  readonly settings: Pick<ControlSettings, 'knowledge' | 'models'>;
  /** Undefined: bases are searched by words alone. */
  readonly embeddings: EmbeddingModel | undefined;
  /** `readText` in a worker thread. */
  readonly readText: (organizationId: string, text: string, signal: AbortSignal) => Promise<ReadText>;
  readonly log: Logger;
}

/** A base whose turn it is; `attempt` tells attempts apart. */
export interface DueBase {
  readonly organizationId: string;
  readonly id: string;
  readonly attempt: number;
}

/** After so many attempts that failed or died, the text itself is taken for the cause. */
const maximumAttempts = 5;
const retry = { first: 5_000, longest: 300_000, jitter: 0.25 } as const;

/** What becomes of a base whose attempt failed. */
export type AfterFailure =
  /** An interrupted attempt does not count; the next process begins at once. */
  | { readonly action: 'uncount' }
  /** Not the model's failure: the base is soon due again. */
  | { readonly action: 'rethrow' }
  | { readonly action: 'fail'; readonly problem: string }
  | { readonly action: 'retry'; readonly milliseconds: number };

/** @param attempts this one included */
export function afterFailure(error: Error, attempts: number, isStopping: boolean): AfterFailure {
  if (isStopping) return { action: 'uncount' };
  if (!(error instanceof ModelFailure)) return { action: 'rethrow' };
  if (error instanceof ModelRefusal || attempts >= maximumAttempts) {
    const advice = 'Ask the operator of this service to correct it, then learn the text again.';
    return { action: 'fail', problem: `${error.message} ${advice}` };
  }
  return { action: 'retry', milliseconds: backoff(retry, attempts) };
}

/** Bases whose turn it is and that no process learns, the organizations taking turns. */
export async function dueBases(database: Kysely<Database>, limit: number): Promise<DueBase[]> {
  const { rows } = await sql<DueBase>`
    select organization_id as "organizationId", id, attempts as attempt from (
      select organization_id, id, attempts, due_at,
        row_number() over (partition by organization_id order by due_at, base_key) as turn
      from knowledge_bases
      where due_at <= now() and (lease_until is null or lease_until < now())) due
    order by turn, due_at limit ${limit}`.execute(database);
  return rows;
}

/** The record is no longer this process's to learn: deleted, or taken over. */
class LostBase extends Error {}

/**
 * Learns a text: splits it, indexes its words, gets vectors of its passages. Each step is committed, so that any process can
 * continue after any crash; the remaining work follows from the stored state alone.
 */
export class LearnWork {
  constructor(private readonly deps: LearnDeps) {}

  /** Rejects when PostgreSQL fails; another attempt follows. */
  async run({ organizationId, id }: Omit<DueBase, 'attempt'>, stopping: AbortSignal): Promise<void> {
    const base = await this.claim(organizationId, id);
    if (base === undefined) return;
    if (base.attempts > maximumAttempts) {
      const problem = `Learning was interrupted ${maximumAttempts} times. Learn a smaller part of the text.`;
      await this.fail(base, problem);
      return;
    }
    const { leaseMilliseconds } = this.deps.settings.knowledge;
    const renewal = setInterval(() => {
      this.owned(base)
        .set({ lease_until: this.leaseEnd() })
        .execute()
        .catch(() => {});
    }, leaseMilliseconds / 3);
    try {
      const organizationKey = await this.organizationKey(base);
      const passages = base.passage_count ?? (await this.split(base, organizationKey, stopping));
      await this.embed(base, organizationKey, passages, stopping);
      await this.change(base, { status: 'COMPLETED', due_at: null, lease_until: null });
    } catch (error) {
      if (!(error instanceof LostBase)) await this.failed(base, error as Error, stopping);
    } finally {
      clearInterval(renewal);
    }
  }

  private async organizationKey({ organization_id: id }: KnowledgeBase): Promise<number> {
    const row = await this.deps.database
      .selectFrom('knowledge_organizations')
      .select('organization_key')
      .where('organization_id', '=', id)
      .executeTakeFirstOrThrow();
    return row.organization_key;
  }

  /** Passages and their words, in one transaction. */
  private async split(base: KnowledgeBase, organizationKey: number, stopping: AbortSignal): Promise<number> {
    const { database, readText } = this.deps;
    const text = await this.textOf(base, organizationKey);
    const { language, passages } = await readText(base.organization_id, text, stopping);
    return database.transaction().execute(async (transaction) => {
      // The record first, as a deletion does: in another order the two could wait for each other.
      await this.change(base, {}, transaction);
      const indexed = { organizationKey, baseKey: base.base_key, language };
      const words = await indexWords(transaction, indexed, passages);
      await this.change(base, { language, passage_count: passages.length, word_count: words }, transaction);
      return passages.length;
    });
  }

  /** Throws `LostBase` when it was deleted. */
  private async textOf(base: KnowledgeBase, organizationKey: number): Promise<string> {
    const row = await this.deps.database
      .selectFrom('knowledge_texts')
      .select('text')
      .where('organization_key', '=', organizationKey)
      .where('base_key', '=', base.base_key)
      .executeTakeFirst();
    if (typeof row?.text !== 'string') throw new LostBase();
    return row.text;
  }

  private async embed(
    base: KnowledgeBase,
    organizationKey: number,
    passages: number,
    stopping: AbortSignal,
  ): Promise<void> {
    const { database, embeddings, settings } = this.deps;
    if (embeddings === undefined) return;
    const batch = settings.models.embeddings?.batch ?? 64;
    const key = { organizationKey, baseKey: base.base_key };
    if (base.embedding_model !== null && base.embedding_model !== embeddings.name) {
      await database
        .deleteFrom('knowledge_vectors')
        .where('organization_key', '=', organizationKey)
        .where('base_key', '=', base.base_key)
        .execute();
    }
    for (;;) {
      const { rows } = await sql<{ position: number; heading: string; content: string }>`
        select p.position, p.heading, p.content from knowledge_passages p
        where p.organization_key = ${organizationKey} and p.base_key = ${base.base_key}
          and not exists (select from knowledge_vectors v where v.organization_key = p.organization_key
            and v.base_key = p.base_key and v.position = p.position)
        order by p.position limit ${batch}`.execute(database);
      if (rows.length === 0) return;
      const texts = rows.map(({ heading, content }) =>
        heading === '' ? content : `${heading}\n\n${content}`,
      );
      const vectors = await embeddings.embed(texts, stopping);
      await database.transaction().execute(async (transaction) => {
        await storeVectors(
          transaction,
          key,
          rows.map(({ position }, index) => ({ position, vector: vectors[index]! })),
        );
        const embedded = Math.min(passages, (rows.at(-1)?.position ?? 0) + 1);
        await this.change(
          base,
          {
            embedding_model: embeddings.name,
            embedding_dimensions: vectors[0]!.length,
            embedded_count: embedded,
          },
          transaction,
        );
      });
    }
  }

  private async failed(base: KnowledgeBase, error: Error, stopping: AbortSignal): Promise<void> {
    const step = afterFailure(error, base.attempts, stopping.aborted);
    switch (step.action) {
      case 'uncount':
        await this.owned(base)
          .set({ lease_until: null, attempts: base.attempts - 1 })
          .execute();
        return;
      case 'rethrow':
        await this.owned(base)
          .set({ lease_until: null, due_at: sql<Date>`now() + interval '2 seconds'` })
          .execute();
        throw error;
      case 'fail':
        await this.fail(base, step.problem);
        return;
      case 'retry':
        await this.owned(base)
          .set({ lease_until: null, due_at: new Date(Date.now() + step.milliseconds) })
          .execute();
    }
  }

  /** Ends in FAILED, without anything of the text. */
  private async fail(base: KnowledgeBase, problem: string): Promise<void> {
    const { database, log } = this.deps;
    log.warn({ base: base.id, organization: base.organization_id, problem }, 'A text could not be learned.');
    await database.transaction().execute(async (transaction) => {
      await this.change(
        base,
        { status: 'FAILED', error_message: problem, due_at: null, lease_until: null },
        transaction,
      );
      await deleteContents(transaction, base.organization_id, base.base_key);
    });
  }

  /** Throws `LostBase`. */
  private async change(
    base: KnowledgeBase,
    values: Updateable<KnowledgeBasesTable>,
    database = this.deps.database,
  ): Promise<void> {
    const { numUpdatedRows } = await this.owned(base, database)
      .set({ ...values, updated_at: new Date() })
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new LostBase();
  }

  /** The record while this attempt has it. */
  private owned(base: KnowledgeBase, database = this.deps.database) {
    return database
      .updateTable('knowledge_bases')
      .where('organization_id', '=', base.organization_id)
      .where('id', '=', base.id)
      .where('status', '=', 'PROCESSING')
      .where('attempts', '=', base.attempts);
  }

  private leaseEnd() {
    const seconds = this.deps.settings.knowledge.leaseMilliseconds / 1_000;
    return sql<Date>`now() + make_interval(secs => ${seconds})`;
  }

  /** Takes the base for this process; undefined: another one has it, or nothing is owed. */
  private claim(organizationId: string, id: string): Promise<KnowledgeBase | undefined> {
    return this.deps.database
      .updateTable('knowledge_bases')
      .set({ lease_until: this.leaseEnd(), attempts: sql<number>`attempts + 1` })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('status', '=', 'PROCESSING')
      .where('due_at', '<=', sql<Date>`now()`)
      .where((where) =>
        where.or([where('lease_until', 'is', null), where('lease_until', '<', sql<Date>`now()`)]),
      )
      .returningAll()
      .executeTakeFirst();
  }
}
