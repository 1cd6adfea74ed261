import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Visitor } from '../browser.js';
import { Visit } from './visit.js';

let visit: Visit;
let noc: Visitor;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  noc = await visit.visitor();
});
afterAll(() => visit?.end());

describe('knowledge', () => {
  it('adds a text, follows its progress, shows the passages that a question finds, and deletes it', async () => {
    const { page } = noc;
    await noc.open('/knowledge');
    await page.getByText('No knowledge bases').waitFor();
    await page.getByRole('button', { name: 'Add text' }).click();
    await page.getByLabel('Name').fill('Numbers of a customer');
    await page.getByLabel('Description').fill('How numbers are attached');
    await page.getByLabel('From a file').setInputFiles(join(import.meta.dirname, '../../../docs/numbers.md'));
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toContain('# ');
    await noc.expectAccessible('a text to add');
    await noc.picture('knowledge-add');
    await page.getByRole('button', { name: 'Learn this text' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Numbers of a customer' });
    await row.getByText('Learning').waitFor();
    const progress = row.getByRole('progressbar');
    await expect.poll(async () => Number(await progress.getAttribute('value'))).toBeGreaterThan(0.1);
    await row.getByText('Completed').waitFor();
    await row.getByText('English').waitFor();

    await page.getByLabel('Question', { exact: true }).fill('Which codecs are offered to a trunk?');
    await page.getByRole('button', { name: 'Search' }).click();
    const passages = page.getByRole('status').getByRole('listitem');
    await expect.poll(() => passages.count()).toBe(5);
    await passages.filter({ hasText: /codec/i }).first().waitFor();
    await passages
      .first()
      .getByText(/by words/)
      .waitFor();
    await noc.expectAccessible('passages');
    await noc.picture('knowledge-search');
    await noc.onPhone(async () => {
      await noc.expectAccessible('passages on a phone');
      await noc.picture('knowledge-search-phone');
    });

    await row.getByRole('button', { name: 'Delete Numbers of a customer' }).click();
    await row.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No knowledge bases').waitFor();
    expect(noc.problems).toEqual([]);
  });
});
