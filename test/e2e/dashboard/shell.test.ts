import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Visitor } from '../browser.js';
import type { RunningSystem } from '../running-system.js';
import { Visit } from './visit.js';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  noc = await visit.stranger();
});
afterAll(() => visit?.end());

describe('signing in', () => {
  it('refuses a wrong key in words, takes the right one, and keeps nothing of it', async () => {
    const { page } = noc;
    await noc.load('/calls');
    await page.getByLabel('API key').fill('sk-demarc-wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unknown or revoked').waitFor();
    await page.getByLabel('API key').fill(system.ready.http.apiKey);
    await page.keyboard.press('Enter');
    await noc.heading('Calls');
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain('sk-demarc');
    await page.reload();
    await noc.heading('Calls');
  });
});

describe('every page', () => {
  it('loads at most 90 KB first, as phones on slow networks need, and is used by keyboard: skip link, focus on titles', async () => {
    const { page } = noc;
    await noc.load('/');
    await page.getByRole('region', { name: 'Verdict' }).waitFor();
    const sizes = await page.evaluate<[string, number][]>(`
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ name }) => !name.includes('/v1/'))
        .map(({ name, encodedBodySize }) => [name, encodedBodySize])`);
    // The formats of phone numbers come after the page.
    const first = sizes.filter(([name]) => !/\/min-/.test(name));
    expect(first.length).toBeGreaterThan(2);
    expect(first.reduce((sum, [, octets]) => sum + octets, 0)).toBeLessThan(90_000);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    await page.getByRole('link', { name: 'Trunks', exact: true }).focus();
    await page.keyboard.press('Enter');
    await noc.heading('Trunks');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Trunks');
    expect(await page.title()).toBe('Trunks · Demarc');
  });

  it('is loaded again when the network changes meanwhile, and says so when it cannot be loaded', async () => {
    const { page } = noc;
    const files = /\/assets\/(contacts|porting)-page-[^/]*\.js$/;
    let left = 1;
    await page.route(files, (route) => (left-- > 0 ? route.abort('connectionfailed') : route.continue()));
    await noc.load('/contacts');
    await noc.heading('Contacts');
    expect(left).toBeLessThan(0);
    left = Number.POSITIVE_INFINITY;
    await noc.load('/porting');
    await noc.heading('Page not loaded');
    left = 0;
    await page.getByRole('button', { name: 'Reload' }).click();
    await noc.heading('Porting');
    await page.unroute(files);
  });

  it('is shown live in seven tabs of one browser, which opens six connections', async () => {
    const tabs = await Promise.all(Array.from({ length: 7 }, () => noc.context.newPage()));
    try {
      const { url } = system.ready.http;
      for (const tab of tabs) await tab.goto(`${url}/trunks`);
      for (const tab of tabs) await tab.locator('.connection').getByText('Live').waitFor();
      const answer = (tab: (typeof tabs)[number]) =>
        tab.evaluate("fetch('/v1/noc/summary').then((answer) => answer.status)");
      expect(await Promise.all(tabs.map(answer))).toEqual(tabs.map(() => 200));
      // The tab that holds the stream is closed: another one takes over.
      await noc.page.goto('about:blank');
      await Promise.all(tabs.slice(0, 4).map((tab) => tab.close()));
      await expect.poll(() => answer(tabs[6]!)).toBe(200);
      await tabs[6]!.locator('.connection').getByText('Live').waitFor();
    } finally {
      await Promise.all(tabs.map((tab) => tab.close()));
    }
  });

  it('reaches every page of a phone from its menu, by keyboard as well', async () => {
    const { page } = noc;
    await noc.load('/');
    await noc.heading('Overview');
    await noc.onPhone(async () => {
      const bar = page.getByRole('navigation', { name: 'Main' });
      expect(await bar.getByRole('link').allTextContents()).toEqual([
        'Overview',
        'Calls',
        'Alerts',
        'Trunks',
      ]);
      await bar.getByRole('button', { name: 'Menu' }).press('Enter');
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await noc.expectAccessible('menu on a phone');
      await noc.picture('menu-phone');
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      await bar.getByRole('button', { name: 'Menu' }).click();
      await menu.getByRole('link', { name: 'Knowledge' }).press('Enter');
      await noc.heading('Knowledge');
      await menu.waitFor({ state: 'hidden' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Knowledge');
      await bar.getByRole('button', { name: 'Menu' }).click();
      await menu.locator('[aria-current=page]').getByText('Knowledge').waitFor();
    });
    expect(noc.problems).toEqual([]);
  });

  it('is light or dark as one likes, and remembers', async () => {
    const { page } = noc;
    const background = (): Promise<unknown> =>
      page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await noc.open('/calls');
    await noc.heading('Calls');
    const light = await background();
    await page.getByRole('button', { name: /^Colours: system/ }).click();
    await page.getByRole('button', { name: /^Colours: light/ }).click();
    await expect.poll(background).not.toBe(light);
    const dark = await background();
    await page.reload();
    await noc.heading('Calls');
    await expect.poll(background).toBe(dark);
    await noc.picture('calls-dark');
  });

  it('lets one out', async () => {
    const { page } = noc;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goBack();
    await noc.heading('Sign in to Demarc');
    expect(await page.evaluate("fetch('/v1/noc/summary').then((answer) => answer.status)")).toBe(401);
    expect(noc.problems).toEqual([]);
  });
});
