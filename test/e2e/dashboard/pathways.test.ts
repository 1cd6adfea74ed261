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

describe('a pathway', () => {
  it('is created, edited beside its graph, corrected, promoted, forked and compared', async () => {
    const { page } = noc;
    await noc.open('/pathways');
    await page.getByText('No pathways').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Appointments');
    await page.getByRole('button', { name: 'Create' }).click();
    await noc.heading('Appointments, version 1');
    const graph = page.getByRole('region', { name: 'Graph of the document' });
    await graph.getByRole('button', { name: /^Greeting/ }).press('Enter');
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Booking');
    await page.getByLabel('Prompt', { exact: true }).fill('Ask for the day and confirm {{day}}.');
    await graph.getByRole('button', { name: /^Booking/ }).waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    const refusal = page.getByRole('alert');
    await refusal.getByRole('button', { name: /uses day, but no node/ }).click();
    const text = page.getByLabel('Document as JSON');
    expect(
      await text.evaluate((area) => {
        const { value, selectionStart } = area as unknown as { value: string; selectionStart: number };
        return value.slice(selectionStart);
      }),
    ).toMatch(/^"Ask for the day and confirm/);
    await graph.locator('.faulty .node-name').getByText('Booking').waitFor();
    await noc.expectAccessible('pathway editor with a fault');
    await noc.picture('pathway-editor');
    await noc.onPhone(async () => {
      await noc.expectAccessible('pathway editor on a phone');
      await noc.picture('pathway-editor-phone');
    });
    await text.fill('{');
    await page.getByText('Line 1: expected a field name in double quotes.').waitFor();
    expect(await page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await graph.getByRole('button', { name: /^Greeting/ }).click();
    const prompt = page.getByLabel('Prompt', { exact: true });
    const before = await prompt.inputValue();
    await prompt.fill('Greet the caller by name.');
    await prompt.press('Control+z');
    await expect.poll(() => prompt.inputValue()).toBe(before);
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    await expect.poll(() => prompt.inputValue()).toBe('Greet the caller by name.');
    const greeting = graph.getByRole('button', { name: /^Greeting/ });
    await greeting.press('ArrowRight');
    const right = page.getByLabel('Right, in pixels of the graph');
    const moved = Number(await right.inputValue());
    const { x, y, width, height } = (await greeting.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 120, y + height / 2 + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Number(await right.inputValue())).toBeGreaterThan(moved + 50);
    await greeting.press('Control+z');
    await expect.poll(() => right.inputValue()).toBe(String(moved));
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Promote version 1' }).click();
    await page.locator('.page-aside').getByText('Live').waitFor();
    await page.getByLabel('Reason').fill('Try a question first');
    await page.getByRole('button', { name: 'Fork version 1' }).click();
    await noc.heading('Appointments, version 2');
    await page.getByText('No changes since version 1').waitFor();
    await graph.getByRole('button', { name: /^Goodbye/ }).click();
    await page.getByLabel('Exact words', { exact: true }).fill('Thank you for your patience. Goodbye.');
    await page.getByRole('button', { name: 'Save fork' }).click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.locator('ins').getByText('patience').waitFor();
    await page.getByRole('link', { name: 'Appointments' }).click();
    await noc.heading('Appointments');
    await page.getByRole('region', { name: 'Versions' }).getByText('Try a question first').waitFor();
    await noc.expectPageAccessible('pathway', new URL(page.url()).pathname);
    await noc.expectPageAccessible('pathways', '/pathways');
    expect(noc.problems).toEqual([]);
  });
});
