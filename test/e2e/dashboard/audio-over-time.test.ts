import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Visitor } from '../browser.js';
import { inbound, Visit } from './visit.js';

const number = '+12155550101';

let visit: Visit;
let visitor: Visitor;
beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  await visit.attach(number, inbound());
  visitor = await visit.visitor();
});
afterAll(() => visit?.end());

/** Where a chart's first and last values are, as shares of its width. */
const extentOf = async (name: RegExp): Promise<readonly [first: number, last: number]> => {
  const path = visitor.page.getByRole('img', { name }).first().locator('path.values').first();
  const data = (await path.getAttribute('d')) ?? '';
  const xs = [...data.matchAll(/[ML](\d+\.\d) /g)].map(([, x]) => Number(x) / 400);
  return [Math.min(...xs), Math.max(...xs)];
};

it('draws the audio of an open call on the time of its ladder, and keeps it in the record', async () => {
  const { page } = visitor;
  const phone = visit.system.phone(number, 60);
  await visitor.open('/calls');
  await page.getByRole('region', { name: 'Active calls' }).getByRole('row').getByRole('link').first().click();
  await visitor.heading(/^Call from /);
  await page.getByText('No reply heard yet.').waitFor();
  const audio = page.getByRole('region', { name: 'Audio over the call' });
  await audio.getByRole('img', { name: /^Packets\/s, from the agent: worst (4|5)\d/ }).waitFor();
  await audio.getByRole('img', { name: /^MOS, from the trunk: worst 4\.\d, last 4\.\d$/ }).waitFor();
  await audio.getByRole('img', { name: /^Jitter, from the agent/ }).waitFor();
  await visitor.expectAccessible('call with audio charts');
  await visitor.picture('call-audio-live');
  phone.signal('SIGINT');
  await phone.exit(30_000);
  await page.getByRole('region', { name: 'Outcome' }).getByText('Completed').waitFor();
  await audio.getByText('Sampled every 5 s while the call was watched or bad').waitFor();
  const [first, last] = await extentOf(/^Packets\/s, from the trunk/);
  // The first interval ends some seconds after the call began: the charts have the time of the whole call.
  expect(first).toBeGreaterThan(0.2);
  expect(last).toBeLessThanOrEqual(1);
  await page.getByText('It is measured while a call’s page is open.').waitFor();
  const table = audio.getByText('As a table').first();
  await table.click();
  await audio.getByRole('columnheader', { name: 'Round trip' }).waitFor();
  await audio
    .getByRole('row', { name: /From the trunk .*4\.\d/ })
    .first()
    .waitFor();
  await visitor.picture('call-audio');
  expect(visitor.problems).toEqual([]);
});
