import { describe, expect, it } from 'vitest';
import { baseView } from '../../../../src/control/knowledge/base-view.js';
import type { KnowledgeBase } from '../../../../src/control/knowledge/bases.js';
import { answerChat, contextOf } from '../../../../src/control/knowledge/chat.js';
import { configurationOf, detectLanguage, searchText } from '../../../../src/control/knowledge/language.js';
import { afterFailure } from '../../../../src/control/knowledge/learn-work.js';
import { type Posting, writePostings } from '../../../../src/control/knowledge/postings.js';
import { namesKnowledge } from '../../../../src/control/knowledge/references.js';
import type { ScopedBase } from '../../../../src/control/knowledge/scope.js';
import { type FoundPassage, vectorNote } from '../../../../src/control/knowledge/search.js';
import { rankPassages } from '../../../../src/control/knowledge/text-search.js';
import { arrayText, signatureOf } from '../../../../src/control/knowledge/vectors.js';
import type { Chat } from '../../../../src/control/models/chat-model.js';
import { ModelRefusal, ModelUnavailable } from '../../../../src/control/models/model-failure.js';

const base = (baseKey: number, passages: number, fields: Partial<ScopedBase> = {}): ScopedBase => ({
  baseKey,
  id: `id-${baseKey}`,
  name: `Base ${baseKey}`,
  language: 'en',
  passages,
  words: passages * 40,
  embeddingModel: null,
  embeddingDimensions: null,
  ...fields,
});

/** The postings of one word, as the query returns them. */
const word = (...bases: [baseKey: number, postings: Posting[]][]): Buffer =>
  Buffer.concat(
    bases.flatMap(([baseKey, postings]) => {
      const octets = writePostings(postings);
      const head = Buffer.alloc(8);
      head.writeInt32BE(baseKey, 0);
      head.writeInt32BE(octets.length, 4);
      return [head, octets];
    }),
  );
const posting = (position: number, count = 1, length = 40): Posting => ({ position, count, length });
const places = (bases: ScopedBase[], words: Buffer[], limit = 10) =>
  rankPassages({ organizationKey: 1, bases }, words, limit).map(
    ({ baseKey, position }) => `${baseKey}/${position}`,
  );

describe('the rank of passages by words', () => {
  const single = [base(7, 10)];

  it('is of passages that have a word, and of no others', () => {
    expect(places(single, [word([7, [posting(3)]])])).toEqual(['7/3']);
    expect(places(single, [])).toEqual([]);
    expect(places([], [word([7, [posting(3)]])])).toEqual([]);
  });

  it('is higher for a word that is repeated, but ever less', () => {
    const [twice, once] = [rankOf(posting(0, 2)), rankOf(posting(0, 1))];
    const [tenth, ninth] = [rankOf(posting(0, 10)), rankOf(posting(0, 9))];
    expect(twice).toBeGreaterThan(once);
    expect(tenth - ninth).toBeLessThan(twice - once);
  });

  it('is lower in a long passage', () => {
    expect(rankOf(posting(0, 1, 20))).toBeGreaterThan(rankOf(posting(0, 1, 40)));
    expect(rankOf(posting(0, 1, 40))).toBeGreaterThan(rankOf(posting(0, 1, 80)));
  });

  it('of a word in a passage of mean length is its rarity', () => {
    // ln(1 + (10 - 1 + 0.5) / (1 + 0.5)), as Okapi BM25 has it.
    expect(rankOf(posting(0, 1, 40))).toBeCloseTo(Math.log(1 + 9.5 / 1.5), 5);
  });

  function rankOf(only: Posting): number {
    return rankPassages({ organizationKey: 1, bases: single }, [word([7, [only]])], 1)[0]!.score;
  }

  it('is higher for a rare word than for a frequent one', () => {
    const frequent = word([7, [0, 1, 2, 3, 4].map((position) => posting(position))]);
    const rare = word([7, [posting(9)]]);
    expect(places(single, [frequent, rare])[0]).toBe('7/9');
  });

  it('adds the words of a question', () => {
    const first = word([7, [posting(1), posting(2)]]);
    const second = word([7, [posting(2), posting(3)]]);
    expect(places(single, [first, second])[0]).toBe('7/2');
  });

  it('spans the bases of the search, and leaves out others', () => {
    const bases = [base(3, 2), base(5, 4), base(9, 1)];
    const found = word(
      [3, [posting(1, 1)]],
      [4, [posting(0, 9)]],
      [5, [posting(0, 2), posting(3, 3)]],
      [9, [posting(0, 4)]],
    );
    expect(places(bases, [found])).toEqual(['9/0', '5/3', '5/0', '3/1']);
  });

  it('counts as having the word only what is searched', () => {
    const postings = Array.from({ length: 50 }, (_, position) => posting(position));
    const alone = rankPassages({ organizationKey: 1, bases: single }, [word([7, [posting(0)]])], 1)[0]!.score;
    const beside = rankPassages(
      { organizationKey: 1, bases: single },
      [word([6, postings], [7, [posting(0)]])],
      1,
    );
    expect(beside[0]!.score).toBe(alone);
  });

  it('keeps the best of very many', () => {
    const many = [base(7, 1_000, { words: 1_000 * 40 })];
    const found = Array.from({ length: 1_000 }, (_, position) => posting(position, 1 + (position % 200)));
    const best = places(many, [word([7, found])], 5);
    expect(best).toEqual(['7/199', '7/399', '7/599', '7/799', '7/999']);
  });
});

describe('what a search by meaning lacks', () => {
  const learned = (key: number, embeddingModel: string | null) => base(key, 1, { embeddingModel });

  it.each<[string, ScopedBase[], string | undefined, string | undefined, string | undefined]>([
    ['no bases', [], 'm1', undefined, undefined],
    ['no bases, and no vector of the question', [], 'm1', 'Too slow.', undefined],
    ['all bases have vectors', [learned(1, 'm1')], 'm1', undefined, undefined],
    ['the question has no vector', [learned(1, 'm1'), learned(2, null)], 'm1', 'Too slow.', 'Too slow.'],
    ['neither has any', [learned(1, null)], 'm1', 'Too slow.', undefined],
    ['no model, and no vectors', [learned(1, null)], undefined, undefined, undefined],
    [
      'no model any more',
      [learned(1, null), learned(2, 'm1')],
      undefined,
      undefined,
      'Searched by words alone. No embeddings endpoint is configured.',
    ],
    [
      'a base without vectors',
      [learned(1, 'm1'), learned(2, null)],
      'm1',
      undefined,
      'Searched by words alone: Base 2. Learn these texts again to search them by meaning.',
    ],
    [
      'bases of another model',
      [1, 2, 3].map((key) => learned(key, 'm0')),
      'm1',
      undefined,
      'Searched by words alone: Base 1, Base 2, Base 3. Learn these texts again to search them by meaning.',
    ],
    [
      'many bases of another model',
      [1, 2, 3, 4, 5].map((key) => learned(key, 'm0')),
      'm1',
      undefined,
      'Searched by words alone: Base 1, Base 2, Base 3 and 2 more. Learn these texts again to search them by meaning.',
    ],
  ])('%s', (_, bases, model, problem, note) => {
    expect(vectorNote(bases, model, problem)).toBe(note);
  });
});

describe('a text that could not be learned', () => {
  const refusal = new ModelRefusal('The embeddings endpoint refused the request (400).', {
    remedy: '',
    status: 400,
  });
  const unavailable = new ModelUnavailable('The embeddings endpoint failed (503).', { remedy: '' });

  it('is learned by another process when this one stops', () => {
    expect(afterFailure(refusal, 5, true)).toEqual({ action: 'uncount' });
    expect(afterFailure(new Error('Connection terminated'), 1, true)).toEqual({ action: 'uncount' });
  });

  it('is due again soon when the cause is not the model', () => {
    expect(afterFailure(new Error('Connection terminated'), 5, false)).toEqual({ action: 'rethrow' });
  });

  it('fails when the endpoint refuses it', () => {
    expect(afterFailure(refusal, 1, false)).toEqual({
      action: 'fail',
      problem:
        'The embeddings endpoint refused the request (400). Ask the operator of this service to correct it, then learn the text again.',
    });
  });

  it.each([
    [1, 3_750, 5_000],
    [2, 7_500, 10_000],
    [4, 30_000, 40_000],
  ])('is tried again after attempt %d in %d to %d ms', (attempts, least, most) => {
    const step = afterFailure(unavailable, attempts, false);
    if (step.action !== 'retry') throw new Error(step.action);
    expect(step.milliseconds).toBeGreaterThanOrEqual(least);
    expect(step.milliseconds).toBeLessThanOrEqual(most);
  });

  it.each([5, 6])('fails after attempt %d', (attempts) => {
    expect(afterFailure(unavailable, attempts, false)).toMatchObject({ action: 'fail' });
  });
});

describe('a knowledge base in the API', () => {
  const row = (fields: Partial<KnowledgeBase> = {}): KnowledgeBase =>
    ({
      id: 'b1',
      name: 'Opening hours',
      description: null,
      status: 'PROCESSING',
      type: 'TEXT',
      created_at: new Date('2026-11-27T09:00:00Z'),
      updated_at: new Date('2026-11-27T09:01:00Z'),
      error_message: null,
      text_octets: 1_234,
      language: null,
      passage_count: null,
      embedded_count: 0,
      embedding_model: null,
      ...fields,
    }) as KnowledgeBase;

  it('leaves out what is not known yet', () => {
    expect(baseView(row())).toEqual({
      id: 'b1',
      name: 'Opening hours',
      status: 'PROCESSING',
      type: 'TEXT',
      created_at: '2026-11-27T09:00:00.000Z',
      updated_at: '2026-11-27T09:01:00.000Z',
      progress: 0,
      text_size: 1_234,
    });
  });

  it('has everything of a learned text', () => {
    const learned = row({
      status: 'COMPLETED',
      description: 'Of all shops',
      language: 'en',
      passage_count: 12,
      embedded_count: 12,
      embedding_model: 'm1',
    });
    expect(baseView(learned)).toMatchObject({
      status: 'COMPLETED',
      description: 'Of all shops',
      language: 'en',
      passages: 12,
      embedding_model: 'm1',
    });
    expect(baseView(learned)).not.toHaveProperty('progress');
    expect(baseView(row({ status: 'FAILED', error_message: 'Refused.' }))).toMatchObject({
      status: 'FAILED',
      error_message: 'Refused.',
    });
  });

  it.each([
    [null, 0, 0],
    [0, 0, 0.1],
    [10, 0, 0.1],
    [10, 5, 0.55],
    [3, 1, 0.4],
    [10, 10, 1],
    [10, 12, 1],
  ])('of %s passages of which %d are embedded has made the progress %d', (passages, embedded, progress) => {
    expect(baseView(row({ passage_count: passages, embedded_count: embedded })).progress).toBe(progress);
  });
});

describe('an answer from passages', () => {
  const passage = (fields: Partial<FoundPassage> = {}): FoundPassage => ({
    baseId: 'b1',
    baseName: 'Hours',
    position: 0,
    heading: 'Sundays',
    content: 'Closed.',
    score: 1,
    wordRank: 1,
    vectorRank: undefined,
    ...fields,
  });
  const log = { warn: () => {} } as never;
  const question = [{ role: 'user', content: 'Open on Sundays?' }] as const;
  const answered = (complete: Chat['complete'] | undefined, context = 'passages') =>
    answerChat(
      { chat: complete && ({ complete } as unknown as Chat), organizationId: 'acme', log },
      question,
      context,
    );

  it('has them numbered, with base and heading', () => {
    expect(contextOf([passage(), passage({ heading: '', content: 'Open.' })])).toBe(
      '[1] Hours › Sundays\nClosed.\n\n[2] Hours\nOpen.',
    );
    expect(contextOf([])).toBe('');
  });

  it('asks the model with the passages before the conversation', async () => {
    const asked: Parameters<Chat['complete']>[0][] = [];
    const answer = await answered(async (request) => {
      asked.push(request);
      return { content: 'No, closed [1].', usage: {} as never };
    });
    expect(answer).toEqual({ response: 'No, closed [1].' });
    expect(asked[0]).toMatchObject({ organizationId: 'acme', temperature: 0 });
    expect(asked[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(asked[0]!.messages[0]!.content).toContain('<passages>\npassages\n</passages>');
  });

  it.each<[string, Chat['complete'] | undefined, string, string]>([
    [
      'without a model',
      undefined,
      'passages',
      'No language model is configured: these are the passages alone.',
    ],
    [
      'without a passage',
      async () => ({ content: 'Guess', usage: {} as never }),
      '',
      'No passage was found.',
    ],
    [
      'when the model is down',
      async () => Promise.reject(new ModelUnavailable('The language model failed (503).', { remedy: '' })),
      'passages',
      'These are the passages alone. The language model failed (503).',
    ],
    [
      'when the model is too slow',
      async () => Promise.reject(new DOMException('late', 'TimeoutError')),
      'passages',
      'These are the passages alone. The language model is too slow.',
    ],
  ])('is none %s', async (_, complete, context, note) => {
    expect(await answered(complete, context)).toEqual({ response: null, note });
  });

  it('fails with what is a fault of the program', async () => {
    await expect(
      answered(async () => Promise.reject(new TypeError('undefined is not a function'))),
    ).rejects.toThrow(TypeError);
  });
});

describe('ids of tools and knowledge', () => {
  it.each([
    ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d', true],
    ['KB-17', true],
    ['kb-17', true],
    ['TL-KB-17', false],
    ['book-appointment', false],
    ['', false],
  ])('%j names knowledge: %s', (id, isKnowledge) => {
    expect(namesKnowledge(id)).toBe(isKnowledge);
  });
});

describe('vectors', () => {
  it('are written as PostgreSQL reads them', () => {
    const vector = Float32Array.from([0.5, -0.25, 0]);
    expect(arrayText(vector)).toBe('{0.5,-0.25,0}');
    expect(signatureOf(vector)).toBe('100');
  });
});

describe('the language of a short text', () => {
  it.each([
    ['What are your opening hours?', 'en'],
    ['Öffnungszeiten', 'und'],
    ['SKU 4711', 'und'],
    ['```\nthe end of it\n```', 'und'],
    ['https://example.com/the/and', 'und'],
    ['こんにちは、今日は営業していますか', 'ja'],
    ['Τι ώρα ανοίγετε;', 'el'],
    ['오늘 영업하나요', 'ko'],
  ])('%j is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it.each([
    ['en', 'english'],
    ['de', 'german'],
    ['ja', 'simple'],
    ['und', 'simple'],
    ['xx', 'simple'],
  ])('%s is searched with %s', (code, configuration) => {
    expect(configurationOf(code)).toBe(configuration);
  });

  it('is searched in lower case, and in one form of each character', () => {
    expect(searchText('ﬁNE ＡＢＣ')).toBe('fine abc');
  });
});
