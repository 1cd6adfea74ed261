import { type Kysely, sql } from 'kysely';
import { TimedCache } from '../../base/timed-cache.js';
import type { ControlSettings } from '../../config/control-settings.js';
import type { Database } from '../database/tables.js';
import type { EmbeddingModel } from '../models/embedding-model.js';
import { ModelFailure } from '../models/model-failure.js';
import { readScope, type ScopedBase } from './scope.js';
import { type Hit, searchWords } from './text-search.js';
import { searchVectors, type VectorQuestion } from './vector-search.js';
import { hasPgvector } from './vectors.js';

export interface SearchDeps {
  readonly database: Kysely<Database>;
  readonly settings: Pick<ControlSettings, 'models'>;
  readonly embeddings: EmbeddingModel | undefined;
}

export interface FoundPassage {
  /** UUID of its base. */
  readonly baseId: string;
  readonly baseName: string;
  readonly position: number;
  readonly heading: string;
  readonly content: string;
  /** 0 to 1: 1 is first in every index that was searched. */
  readonly score: number;
  /** From 1; undefined: not among the first found by words. */
  readonly wordRank: number | undefined;
  /** From 1; undefined: not among the first found by meaning, or there are no vectors. */
  readonly vectorRank: number | undefined;
}

export interface Found {
  readonly passages: readonly FoundPassage[];
  /** Why less was searched than could be; undefined: nothing is missing. */
  readonly note: string | undefined;
}

/** Which indexes are searched; both unless quality is measured. */
export type Indexes = 'both' | 'words' | 'vectors';

/** Of each index, before fusion. */
const candidates = 50;
/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): how little the first ranks stand out. */
const fusionConstant = 60;

/** Questions of callers repeat, and agents search twice in a turn. */
const questionMilliseconds = 60_000;

/** Searches the passages of an organization by words and, where there are vectors, by meaning. */
export class KnowledgeSearch {
  private readonly questions = new TimedCache<Float32Array>(questionMilliseconds);

  constructor(private readonly deps: SearchDeps) {}

  /** @param ids UUIDs of bases; undefined: all of the organization */
  async search(
    organizationId: string,
    ids: readonly string[] | undefined,
    question: string,
    limit: number,
    indexes: Indexes = 'both',
  ): Promise<Found> {
    const { vector, problem } = indexes === 'words' ? {} : await this.questionVector(question);
    const isPrecise = vector !== undefined && (await hasPgvector(this.deps.database));
    const { scope, byWords, byVectors, contents } = await this.deps.database
      .transaction()
      .execute(async (read) => {
        // A small table would be read whole, with the rows of other organizations.
        await sql`select set_config('enable_seqscan', 'off', true)`.execute(read);
        const scope = await readScope(read, organizationId, ids);
        const byWords = indexes === 'vectors' ? [] : await searchWords(read, scope, question, candidates);
        const byVectors =
          vector === undefined ? [] : await searchVectors(read, scope, vector, candidates, isPrecise);
        const lists = [
          ...(indexes === 'vectors' ? [] : [byWords]),
          ...(vector === undefined ? [] : [byVectors]),
        ];
        const ranked = fuse(lists).slice(0, limit);
        const contents = await readContents(read, scope.organizationKey, ranked);
        return { scope, byWords, byVectors, contents };
      });
    const bases = new Map(scope.bases.map((base) => [base.baseKey, base]));
    const rankIn = (hits: readonly Hit[], wanted: Hit): number | undefined => {
      const at = hits.findIndex((hit) => isSame(hit, wanted));
      return at === -1 ? undefined : at + 1;
    };
    const passages = contents.map((found) => ({
      baseId: bases.get(found.baseKey)!.id,
      baseName: bases.get(found.baseKey)!.name,
      position: found.position,
      heading: found.heading,
      content: found.content,
      score: found.score,
      wordRank: rankIn(byWords, found),
      vectorRank: rankIn(byVectors, found),
    }));
    return { passages, note: vectorNote(scope.bases, this.deps.embeddings?.name, problem) };
  }

  /** Neither where no model is configured. */
  private async questionVector(question: string): Promise<{ vector?: VectorQuestion; problem?: string }> {
    const { embeddings, settings } = this.deps;
    if (embeddings === undefined) return {};
    const timeoutMilliseconds = settings.models.embeddings?.searchTimeoutMilliseconds ?? 1_500;
    try {
      const vector = await this.questions.get(question, async () => {
        const signal = AbortSignal.timeout(2 * timeoutMilliseconds);
        const [only] = await embeddings.embed([question], signal, { timeoutMilliseconds, retries: 0 });
        return only!;
      });
      return { vector: { vector, model: embeddings.name } };
    } catch (error) {
      if (!(error instanceof ModelFailure) && (error as Error).name !== 'TimeoutError') throw error;
      const reason = error instanceof ModelFailure ? error.message : 'The embeddings endpoint is too slow.';
      return { problem: `Searched by words alone. ${reason}` };
    }
  }
}

const namedAtMost = 3;

/**
 * What a search by meaning lacks; undefined: nothing, or there is nothing to search by meaning.
 * @param model the present one; undefined: none is configured
 * @param problem why the question has no vector
 */
export function vectorNote(
  bases: readonly ScopedBase[],
  model: string | undefined,
  problem: string | undefined,
): string | undefined {
  if (model === undefined) {
    const hasVectors = bases.some(({ embeddingModel }) => embeddingModel !== null);
    return hasVectors ? 'Searched by words alone. No embeddings endpoint is configured.' : undefined;
  }
  const byOtherModels = bases.filter(({ embeddingModel }) => embeddingModel !== model);
  if (problem !== undefined) return byOtherModels.length < bases.length ? problem : undefined;
  if (byOtherModels.length === 0) return undefined;
  const names = byOtherModels.slice(0, namedAtMost).map(({ name }) => name);
  const rest = byOtherModels.length > namedAtMost ? ` and ${byOtherModels.length - namedAtMost} more` : '';
  return `Searched by words alone: ${names.join(', ')}${rest}. Learn these texts again to search them by meaning.`;
}

const isSame = (left: Hit, right: Hit): boolean =>
  left.baseKey === right.baseKey && left.position === right.position;

/** Joins ranked lists into one: a passage scores by its rank in each. The best possible score is 1. */
export function fuse(lists: readonly (readonly Hit[])[]): Hit[] {
  const fused = new Map<string, Hit>();
  const most = lists.length / (fusionConstant + 1);
  for (const list of lists) {
    list.forEach((hit, index) => {
      const key = `${hit.baseKey}:${hit.position}`;
      const share = 1 / (fusionConstant + index + 1) / most;
      fused.set(key, { ...hit, score: (fused.get(key)?.score ?? 0) + share });
    });
  }
  return [...fused.values()].sort((left, right) => right.score - left.score);
}

/** In the order of the hits; one that was deleted meanwhile is missing. */
async function readContents(
  database: Kysely<Database>,
  organizationKey: number,
  hits: readonly Hit[],
): Promise<(Hit & { readonly heading: string; readonly content: string })[]> {
  if (hits.length === 0) return [];
  const { rows } = await contentsQuery(organizationKey, hits).execute(database);
  const found = new Map(rows.map((row) => [row.place, row]));
  return hits.flatMap((hit, index) => {
    const row = found.get(index + 1);
    return row === undefined ? [] : [{ ...hit, heading: row.heading, content: row.content }];
  });
}

/** Its rows are found by the key (organization, base, position). */
export const contentsQuery = (organizationKey: number, hits: readonly Hit[]) => sql<{
  place: number;
  heading: string;
  content: string;
}>`select h.place::int as place, p.heading, p.content
  from unnest(${hits.map(({ baseKey }) => baseKey)}::int[], ${hits.map(({ position }) => position)}::int[])
    with ordinality as h (base_key, position, place)
  join knowledge_passages p on p.organization_key = ${organizationKey}
    and p.base_key = h.base_key and p.position = h.position`;
