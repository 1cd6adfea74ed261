import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, Visitor } from '../../../e2e/browser.js';
import { apiDocument } from '../../../support/api-document.js';
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

it('the description is what the routes say, made once for all who ask', async () => {
  const bodyOf = async (path: string, type: string): Promise<string> => {
    const answer = await fetch(api.url + path);
    expect(answer.headers.get('content-type')).toContain(type);
    return answer.text();
  };
  const [described, page, yaml] = await Promise.all([
    bodyOf('/openapi.json', 'application/json'),
    bodyOf('/docs/json', 'application/json'),
    bodyOf('/docs/yaml', 'application/x-yaml'),
  ]);
  const { servers, ...document } = await apiDocument();
  expect({ ...JSON.parse(described), servers }).toEqual({ servers, ...document });
  expect(page).toBe(described);
  expect(yaml).toBe(described);
});
