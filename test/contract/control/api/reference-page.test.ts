import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, Visitor } from '../../../e2e/browser.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

let bench: ControlBench;
let api: ApiUnderTest;
let browser: Browser;
beforeAll(async () => {
  bench = await ControlBench.start();
  [api, browser] = await Promise.all([startApi(bench), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await api?.stop();
  await bench?.stop();
});

it('the reference of the API shows its operations in a browser within its security policy', async () => {
  const reader = await Visitor.arrive(browser, api.url);
  await reader.open('/docs');
  await reader.page.locator('.opblock-tag').first().click();
  await reader.page.locator('.opblock').first().click();
  await reader.page.locator('.opblock-body').first().waitFor();
  expect(reader.problems).toEqual([]);
});
