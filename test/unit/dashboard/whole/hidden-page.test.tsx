import { afterEach, expect, it, vi } from 'vitest';
import { LoadTestPage } from '../../../../src/dashboard/pages/testing/load-test-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

afterEach(() => {
  closePages();
  vi.useRealTimers();
});

it('a page that is not visible asks for nothing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const api = await ExampleApi.open();
  signInAs();
  const page = await OpenedPage.open(api, '/testing/load/:id', LoadTestPage);
  Object.assign(document, { visibilityState: 'hidden' });
  const { length: before } = api.sent;
  await page.wait(20_000);
  expect(api.sent).toHaveLength(before);
  Object.assign(document, { visibilityState: 'visible' });
  await page.wait(20_000);
  expect(api.sent.length).toBeGreaterThan(before);
});
