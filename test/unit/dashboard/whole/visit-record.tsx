import type { FunctionComponent } from 'preact';
import { afterEach, expect, it, vi } from 'vitest';
import { changeScope, forgetEverything, startListening } from '../../../../src/dashboard/api/live.js';
import type { Scope } from '../../../../src/dashboard/api/noc.js';
import app from '../../../../src/dashboard/app/app.tsx?raw';
import * as lazyPages from '../../../../src/dashboard/app/pages.js';
import { CallsPage } from '../../../../src/dashboard/pages/calls/calls-page.js';
import { OverviewPage } from '../../../../src/dashboard/pages/overview/overview-page.js';
import { zone } from '../../../../src/dashboard/parts/format.js';
import { now } from '../../../../src/dashboard/parts/time.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';
import { PageElement } from './page-document.js';
import { changedLines, PageVisit } from './page-visit.js';

const pages: Readonly<Record<string, FunctionComponent>> = { ...lazyPages, CallsPage, OverviewPage };

/** The event stream of the browser, which brings what a test gives it. */
class PageStream extends EventTarget {
  static readonly CLOSED = 2;
  static latest: PageStream | undefined;
  readyState = 1;

  constructor(readonly url: string) {
    super();
    PageStream.latest = this;
  }

  close(): void {
    this.readyState = PageStream.CLOSED;
  }

  bring(event: string, data: unknown): void {
    this.dispatchEvent(Object.assign(new Event(event), { data: JSON.stringify(data) }));
  }
}

interface VisitedRoute {
  readonly path: string;
  readonly name: string;
}

/** Pages behind a link with a token are not among them. */
export const visitedRoutes: readonly VisitedRoute[] = [
  ...app.matchAll(/<Route path="([^"]+)" component=\{(\w+)\}/g),
]
  .map(([, path, name]) => ({ path: path!, name: name! }))
  .filter(({ path }) => !/^\/(?:join|reset|shared-call)$/.test(path));

/** A pathway whose nodes lead to each other, as that of the schema's texts do not. */
const pathwayDocument = {
  start_node_id: 'greeting',
  nodes: [
    { id: 'greeting', name: 'Greeting', type: 'default', prompt: 'Greet the caller.' },
    {
      id: 'lookup',
      name: 'Lookup',
      type: 'webhook',
      webhook: { url: 'https://example.com', method: 'POST' },
    },
    { id: 'goodbye', name: 'Goodbye', type: 'end', text: 'Goodbye.' },
    { id: 'lost', name: 'Lost', type: 'transfer', transfer_to: '+14155550199' },
  ],
  edges: [
    { id: 'e1', source: 'greeting', target: 'lookup', label: 'Wants an appointment' },
    { id: 'e2', source: 'lookup', target: 'goodbye', label: 'Done' },
    { id: 'e3', source: 'lookup', target: 'greeting', label: 'Again' },
  ],
  settings: { global_prompt: 'Be brief.' },
};

interface Visitor {
  readonly answers?: Pick<ExampleApi, 'amount'> & Partial<Pick<ExampleApi, 'shift'>>;
  /** Absent: all. */
  readonly scopes?: readonly string[];
  readonly isDown?: boolean;
  readonly of?: Scope;
}

/** The events that a page with live state gets first. */
async function listen(api: ExampleApi, of: Scope): Promise<void> {
  vi.stubGlobal('EventSource', PageStream);
  // Without it each tab has a separate stream.
  vi.stubGlobal('BroadcastChannel', undefined);
  if (of === 'fleet') changeScope(of);
  else startListening();
  const dataOf = async (url: string): Promise<object> => (await (await api.fetch(url)).json()).data;
  const snapshot = { summary: await dataOf('/v1/noc/summary'), live: await dataOf('/v1/noc/calls/live') };
  PageStream.latest!.bring('snapshot', snapshot);
}

/** With a clock that stands still unless the visit lets time pass. */
async function open(
  { name, path }: VisitedRoute,
  { answers, scopes, isDown, of = 'organization' }: Visitor,
): Promise<{ api: ExampleApi; page: OpenedPage }> {
  closePages();
  forgetEverything();
  signInAs({ operator: true, ...(scopes === undefined ? {} : { scopes: [...scopes] as never }) });
  const api = await ExampleApi.open();
  Object.assign(api, answers);
  if (answers?.amount === 'full')
    api.answer('getPathwayVersion', (data) => ({ ...data, document: pathwayDocument }));
  if (isDown) api.refuse(undefined, 503, 'SERVICE_UNAVAILABLE', 'PostgreSQL is down.');
  vi.useFakeTimers({
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    now: new Date('2026-11-21T12:00:00Z'),
  });
  vi.stubEnv('TZ', 'UTC');
  now.value = Date.now();
  zone.value = 'utc';
  const component = pages[name] as FunctionComponent & { preload?: () => Promise<unknown> };
  await component.preload?.();
  vi.stubGlobal('HTMLSelectElement', PageElement);
  vi.stubGlobal('getComputedStyle', () => ({ lineHeight: '20px' }));
  if (!isDown) await listen(api, of);
  return { api, page: await OpenedPage.open(api, path, component) };
}

/** Pages that can show the calls of all organizations. */
const isOfFleet = /^\/(?:calls)?$/;

/** What the page shows for several answers of the API, and what comes of using everything on it. */
async function recordOf(route: VisitedRoute): Promise<string> {
  const lines: string[] = [];
  const chapter = (title: string, text: readonly string[]): void => {
    if (text.length > 0) lines.push(`=== ${title}`, ...text);
  };
  const first = await open(route, { answers: { amount: 'full' } });
  const { outline } = first.page;
  chapter('Full answers', outline);
  const visit = new PageVisit(first.api, first.page);
  await visit.step('after 20 s', () => first.page.wait(20_000));
  chapter('What a visitor does', await visit.useAll(80));

  const second = (await open(route, { answers: { amount: 'full', shift: 1 } })).page.outline;
  chapter('Second alternatives', changedLines(outline, second));
  const third = await open(route, { answers: { amount: 'full', shift: 2 } });
  chapter('Third alternatives', changedLines(second, third.page.outline));
  third.api.refuseChanges(409, 'CONFLICT', 'It was changed.');
  chapter('What is refused', await new PageVisit(third.api, third.page, true).useAll(40));

  if (isOfFleet.test(route.path)) {
    const fleet = (await open(route, { answers: { amount: 'full' }, of: 'fleet' })).page;
    chapter('Of all organizations', changedLines(outline, fleet.outline));
  }
  const restricted = (await open(route, { answers: { amount: 'full' }, scopes: ['calls:read'] })).page;
  chapter('Without scopes', changedLines(outline, restricted.outline));
  const bare = (await open(route, { answers: { amount: 'bare' } })).page.outline;
  chapter('Bare answers', bare);
  const down = (await open(route, { answers: { amount: 'bare' }, isDown: true })).page;
  chapter('Without answers', changedLines(bare, down.outline));
  return `${lines.join('\n')}\n`;
}

/** Compares what is seen and done on each page with its record, which a reviewer reads; `vitest -u` writes it again. */
export function visit(isVisited: (path: string) => boolean): void {
  afterEach(() => {
    closePages();
    forgetEverything();
    vi.useRealTimers();
    vi.unstubAllEnvs();
    zone.value = 'local';
  });
  it.each(visitedRoutes.filter(({ path }) => isVisited(path)))(
    '$path reads and does what its record says',
    async (route) => {
      await expect(await recordOf(route)).toMatchFileSnapshot(`visits/${route.name}.txt`);
    },
  );
}
