import type { FunctionComponent } from 'preact';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import app from '../../../../src/dashboard/app/app.tsx?raw';
import * as lazyPages from '../../../../src/dashboard/app/pages.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

const pages: Readonly<Record<string, FunctionComponent>> = lazyPages;
/** Pages behind a link with a token are not among them, nor those that wait for the event stream. */
const routes = [...app.matchAll(/<Route path="([^"]+)" component=\{(\w+)\}/g)]
  .map(([, path, name]) => ({ path: path!, name: name! }))
  .filter(({ path }) => !/^\/(?:join|reset|shared-call|screen|calls)?$/.test(path));

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs({ operator: true });
});
afterEach(closePages);

const open = async ({ path, name }: (typeof routes)[number]): Promise<OpenedPage> => {
  const component = pages[name] as FunctionComponent & { preload?: () => Promise<unknown> };
  await component.preload?.();
  return OpenedPage.open(api, path, component);
};

describe.each(routes)('the page at $path', (route) => {
  it('shows what the API answers, in whole sentences', async () => {
    const page = await open(route);
    expect(page.all('h1')).toHaveLength(1);
    expect(page.text).not.toMatch(/undefined|NaN|\[object|Invalid Date|Loading /);
    expect(page.text).not.toContain('not available');
  });

  it('shows why the API refuses', async () => {
    api.refuse(undefined, 503, 'SERVICE_UNAVAILABLE', 'PostgreSQL is down.');
    const page = await open(route);
    expect(page.all('h1')).toHaveLength(1);
    // Forms without their choices are left.
    if (api.sent.length > 0 && !/^\/testing\/(?:generate|new)$/.test(route.path))
      expect(page.text).toContain('PostgreSQL is down');
  });
});
