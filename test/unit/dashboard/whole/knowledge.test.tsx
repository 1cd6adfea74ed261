import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KnowledgePage } from '../../../../src/dashboard/pages/knowledge/knowledge-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/knowledge', KnowledgePage);
const bases = (list: readonly object[], total = list.length): void =>
  api.answer('listKnowledge', (data) => {
    const { description: _, error_message: __, progress: ___, ...base } = data.kbs[0];
    return { kbs: list.map((each, index) => ({ ...base, id: `k${index + 1}`, ...each })), total };
  });

describe('knowledge bases', () => {
  it('show their state, language and size', async () => {
    bases([
      { name: 'Hours', status: 'COMPLETED', language: 'de', passages: 1_234, text_size: 2_048 },
      { name: 'Returns', status: 'PROCESSING', progress: 0.426, language: 'und', description: 'For buyers' },
      { name: 'Prices', status: 'FAILED', error_message: 'The model is down.', language: undefined },
    ]);
    const page = await open();
    const [, hours, returns, prices] = page.all('tr');
    expect(hours).toMatch(/^Hours\s*k1 /);
    expect(hours).toMatch(/German 1.234 2(?:\.0)? KB/i);
    expect(returns).toMatch(/^Returns\s*For buyers\s*k2 /);
    expect(returns).toContain('43 %');
    expect(returns).toContain('Not detected');
    expect(prices).toContain('The model is down.');
    expect(prices).toContain('–');
    expect(page.elements('progress')).toHaveLength(1);
    expect(page.text).not.toContain('The newest');
  });

  it('are explained where there are none', async () => {
    bases([]);
    const page = await open();
    expect(page.all('.empty-title')).toEqual(['No knowledge bases']);
    expect(page.all('h2')).toEqual(['Knowledge bases']);
  });

  it('are searched once one of them is complete', async () => {
    bases([{ status: 'PROCESSING' }]);
    expect((await open()).all('h2')).toEqual(['Knowledge bases']);
    bases([{ status: 'PROCESSING' }, { status: 'COMPLETED' }]);
    expect((await open()).all('h2')).toHaveLength(2);
  });

  it('say how many more there are than the page lists', async () => {
    bases([{}, {}], 2);
    expect((await open()).text).not.toContain('The newest');
    bases([{}, {}], 30);
    expect((await open()).text).toContain('The newest 2 of 30; the API lists all.');
  });

  it('are deleted one at a time, at the second click', async () => {
    bases([{ name: 'Hours' }, { name: 'Returns' }]);
    const page = await open();
    await page.press('Delete Returns');
    await page.press('Keep');
    expect(api.changesSent).toEqual([]);
    await page.press('Delete Returns');
    await page.press('Delete for good');
    expect(api.changesSent).toMatchObject([{ operation: 'deleteKnowledge', url: '/v1/knowledge/k2' }]);
    expect(api.sent.at(-1)!.operation).toBe('listKnowledge');
    api.refuse('deleteKnowledge', 409, 'KB_IN_USE', 'A persona has it.');
    await page.press('Delete Hours');
    await page.press('Delete for good');
    expect(page.all('.problem')).toEqual(['Not deleted A persona has it.']);
  });

  it('are added by a form, which stays while the text is refused', async () => {
    bases([]);
    const page = await open();
    await page.press('Add text');
    expect(page.all('h2')).toEqual(['Add text', 'Knowledge bases']);
    await page.press('Cancel');
    expect(page.all('h2')).toEqual(['Knowledge bases']);
    await page.press('Add text');
    await page.fill('Name', 'Hours');
    await page.fill('Text', 'Open at nine.');
    api.refuse('learnKnowledge', 409, 'TOO_MANY_KBS', 'You have too many.');
    await page.press('Learn this text');
    expect(page.all('.problem')).toEqual(['Text not added You have too many.']);
    await page.fill('Description', ' For buyers ');
    api.answer('learnKnowledge', (data) => data);
    await page.press('Learn this text');
    const text = { type: 'text', name: 'Hours', text: 'Open at nine.' };
    expect(api.changesSent.map(({ body }) => body)).toEqual([text, { ...text, description: 'For buyers' }]);
    expect(page.all('h2')).toEqual(['Knowledge bases']);
  });

  it('take texts of at most 1 MB, counted as they are sent', async () => {
    bases([]);
    const page = await open();
    await page.press('Add text');
    await page.fill('Text', 'é'.repeat(512 * 1_024));
    expect(page.text).not.toContain('split it');
    expect(page.button('Learn this text').getAttribute('disabled')).toBeNull();
    await page.fill('Text', `${'é'.repeat(512 * 1_024)}x`);
    expect(page.text).toContain(': split it into several texts');
    expect(page.button('Learn this text').getAttribute('disabled')).not.toBeNull();
  });
});

describe('a question', () => {
  const passage = (fields: object, metadata: object) => ({
    id: JSON.stringify(metadata),
    content: 'We open at nine.',
    ...fields,
    metadata: { name: 'Hours', heading: '', score: 0.5, word_rank: null, vector_rank: null, ...metadata },
  });
  beforeEach(() =>
    bases([
      { name: 'Hours', status: 'COMPLETED' },
      { name: 'Returns', status: 'PROCESSING' },
    ]),
  );

  it('is searched in all knowledge bases, or in the chosen one', async () => {
    const page = await open();
    expect(page.all('option')).toEqual(['All knowledge bases', 'Hours']);
    await page.fill('Question', ' When? ');
    await page.press('Search');
    await page.fill('In', 'k1');
    await page.press('Search');
    const [inAll, inChosen] = api.changesSent.map(({ body }) => body);
    expect(inAll).toMatchObject({ query: 'When?' });
    expect(JSON.stringify(inAll)).not.toContain('k1');
    expect(JSON.stringify(inChosen)).toContain('k1');
  });

  it('finds passages, with their ranks by words and by meaning', async () => {
    api.answer('searchKnowledge', (data) => ({
      ...data,
      note: 'By words alone.',
      results: [
        passage({}, { heading: 'Saturdays', score: 0.912, word_rank: 1, vector_rank: 22 }),
        passage({}, { word_rank: 3 }),
        passage({}, { vector_rank: 11 }),
      ],
    }));
    const page = await open();
    await page.fill('Question', 'When?');
    await page.press('Search');
    const found = page.all('.passages')[0]!;
    expect(found).toMatch(/^By words alone\. 3 passages in .*, best first/);
    expect(found).toContain('Hours › Saturdays 0.911st by words, 22nd by meaning We open at nine.');
    expect(found).toContain('Hours 0.503rd by words We');
    expect(found).toContain('Hours 0.5011th by meaning We');
  });

  it('without passages says so, and a failure hides what was found before', async () => {
    const page = await open();
    api.answer('searchKnowledge', (data) => ({ ...data, note: null, results: [] }));
    await page.fill('Question', 'When?');
    await page.press('Search');
    expect(page.all('.passages')).toEqual(['No passages found No text has a word of “When?”.']);
    api.refuse('searchKnowledge', 503, 'MODEL_UNAVAILABLE', 'The model is down.');
    await page.press('Search');
    expect(page.all('.problem')).toEqual(['Search failed The model is down.']);
    expect(page.all('.passages')).toEqual([]);
  });

  it('is answered from one knowledge base, in place of the passages', async () => {
    api.answer('searchKnowledge', (data) => ({ ...data, note: null, results: [passage({}, {})] }));
    api.answer('chatWithKnowledge', (data) => ({
      ...data,
      response: 'At nine.',
      note: null,
      sources: [passage({}, {})],
    }));
    const page = await open();
    await page.fill('Question', ' When? ');
    await page.press('Search');
    expect(page.all('.passages')[0]).toContain('1 passage in ');
    await expect(page.press('Answer')).rejects.toThrow('disabled');
    await page.fill('In', 'k1');
    await page.press('Answer');
    expect(page.all('.passages')).toEqual([expect.stringMatching(/^At nine\. From 1 passage Hours 0\.50 /)]);
    expect(JSON.stringify(api.changesSent.at(-1)!.body)).toMatch(/k1.*When\?|When\?.*k1/);
    api.answer('chatWithKnowledge', (data) => ({ ...data, response: null, note: 'No model.', sources: [] }));
    await page.press('Answer');
    expect(page.all('.passages')).toEqual(['No model. No answer.']);
  });
});
