import { expect, it } from 'vitest';
import { fuzz } from '../../../dev/fuzz/fuzz.js';

/** It found stuck calls in builds that gave two dialogs one name; `npm run fuzz` takes other seeds. */
const seed = 1;

it('leaves nothing behind and reports no fault after many dialogs with odd peers on both sides', async () => {
  const { stories, records, problems, histories } = await fuzz({
    seed,
    seconds: 25,
    parallel: 12,
    most: 70,
  });
  if (problems.length > 0) console.log(histories.join('\n'));
  expect(problems).toEqual([]);
  expect(stories).toBeGreaterThan(50);
  expect(records).toBeGreaterThan(stories / 2);
}, 300_000);
