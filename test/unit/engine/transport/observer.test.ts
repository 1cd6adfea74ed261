import { expect, it } from 'vitest';
import { sampled } from '../../../../src/engine/transport/observer.js';

it('reports ten notices of a second, and in the next one how many more there were', () => {
  const texts: string[] = [];
  let now = 5_000;
  const report = sampled(
    ({ kind, text }) => texts.push(`${kind}: ${text}`),
    () => now,
  );
  const notices = (count: number): void => {
    for (let index = 0; index < count; index++) report({ kind: 'malformed', text: `${now}` });
  };
  notices(13);
  expect(texts).toHaveLength(10);
  now += 999;
  notices(1);
  expect(texts).toHaveLength(10);
  now += 1;
  notices(2);
  expect(texts.slice(10)).toEqual([
    'suppressed: 4 more transport notices were not reported',
    'malformed: 6000',
    'malformed: 6000',
  ]);
  now += 1_000;
  notices(1);
  expect(texts.slice(13)).toEqual(['malformed: 7000']);
});
