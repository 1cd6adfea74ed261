import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserServer, chromium, type Page } from 'playwright-core';
import { findBinary } from '../setup/system-packages.mjs';
import { CpuMeter } from './cpu.js';
import type { DemarcSystem } from './demarc-system.js';
import { startLoad } from './load.js';
import type { Options } from './options.js';
import { Session } from './session.js';
import type { Setting } from './step.js';

/** A line of 1.6 Mbit/s and a processor of a quarter of the speed, as Lighthouse emulates a phone. */
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const slowdown = 4;

/** Each new call is an event when it starts, rings, is answered and ends. */
const eventsPerCall = 4;
const newCallsPerSecond = 10;
const heldCallsPerSecond = 50;

const settleMilliseconds = 5_000;
const observeMilliseconds = 20_000;
/** For all measurements while the calls are held. */
const holdMilliseconds = 180_000;

const watchedPages = [
  { name: 'overview', path: '/' },
  { name: 'calls', path: '/calls' },
] as const;

type Print = (line: string) => void;
type Paint = { readonly milliseconds: number; readonly kilobytes: number };

/**
 * What the dashboard costs its users: the largest contentful paint of a first load on a slow line and processor, and the processor
 * time of the browser with so many live calls.
 */
export async function measureDashboard(
  options: Options,
  setting: Setting,
  calls: number,
  print: Print,
): Promise<void> {
  const session = new Session(setting, options);
  const server = await chromium.launchServer({
    executablePath:
      process.env.CHROMIUM ?? findBinary('chromium-headless-shell') ?? 'chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    host: '127.0.0.1',
  });
  try {
    for (const [i, clone] of options.clones.entries()) {
      const name = i === 0 ? 'demarc' : `system ${i + 1}`;
      const system = await session.add(name, clone, (plan) => session.startClone(plan, clone));
      print(`${name}: ${system.description}`);
      await measureSystem({ system, server, session, calls, print });
      await session.remove(system);
    }
  } finally {
    await server.close();
    await session.stop();
  }
}

interface Measured {
  readonly system: DemarcSystem;
  readonly server: BrowserServer;
  readonly session: Session;
  readonly calls: number;
  readonly print: Print;
}

async function measureSystem({ system, server, session, calls, print }: Measured): Promise<void> {
  const { name, target, number, api } = system;
  const browser = await chromium.connect(server.wsEndpoint());
  try {
    await session.warmUp(system, 100);
    const paints = await measurePaints(browser, api);
    for (const [page, { milliseconds, kilobytes }] of Object.entries(paints))
      print(
        `${name.padEnd(10)}  ${page}: largest contentful paint after ${(milliseconds / 1_000).toFixed(2)} s, ${kilobytes.toFixed(0)} KB in all`,
      );
    const { directory, keys, generatorCore: core } = session.setting;
    const order = { directory, keys, core, target, number };
    const held = await startLoad({
      ...order,
      load: { callsPerSecond: heldCallsPerSecond, seconds: calls / heldCallsPerSecond, holdMilliseconds },
    });
    await sleep((calls / heldCallsPerSecond) * 1_000 + settleMilliseconds);
    const seconds = (watchedPages.length * (2 * settleMilliseconds + observeMilliseconds)) / 1_000;
    const load = { callsPerSecond: newCallsPerSecond, seconds, holdMilliseconds: 1_000 };
    const changing = await startLoad({ ...order, load });
    try {
      for (const watched of watchedPages) {
        const share = await measureLivePage(browser, server, api, watched.path);
        print(
          `${name.padEnd(10)}  ${watched.name} with ${calls} calls and ${newCallsPerSecond * eventsPerCall} events a second: ${share.toFixed(0)} % of a core for the whole browser`,
        );
      }
    } finally {
      changing.stop();
      held.stop();
    }
  } finally {
    await browser.close();
  }
}

/** Of the first page without a session, and of the overview with one, both with an empty cache. */
async function measurePaints(
  browser: Browser,
  api: DemarcSystem['api'],
): Promise<Readonly<Record<'sign-in' | 'overview', Paint>>> {
  const page = await openPage(browser);
  const slow = await page.context().newCDPSession(page);
  await slow.send('Network.enable');
  await slow.send('Network.setCacheDisabled', { cacheDisabled: true });
  await slow.send('Network.emulateNetworkConditions', line);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(api.url);
  await page.getByLabel('API key').waitFor();
  const signIn = await readPaint(page);
  await signInto(page, api);
  await page.goto(api.url);
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  const overview = await readPaint(page);
  await page.context().close();
  return { 'sign-in': signIn, overview };
}

async function readPaint(page: Page): Promise<Paint> {
  // A later, larger element counts in place of the first one.
  await sleep(settleMilliseconds);
  const [milliseconds, octets] = await page.evaluate<[number, number]>(`[
    window.largestPaint,
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  ]`);
  return { milliseconds, kilobytes: octets / 1_000 };
}

/** Per cent of a core. */
async function measureLivePage(
  browser: Browser,
  server: BrowserServer,
  api: DemarcSystem['api'],
  path: string,
): Promise<number> {
  const page = await openPage(browser);
  await page.goto(api.url);
  await signInto(page, api);
  await page.goto(api.url + path);
  await page.locator('h1').first().waitFor();
  await sleep(settleMilliseconds);
  const meter = new CpuMeter([{ name: 'browser', pid: server.process().pid! }]);
  const begun = performance.now();
  await sleep(observeMilliseconds);
  const spent = [...meter.read().values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
  const share = (100 * spent) / (performance.now() - begun);
  await page.context().close();
  return share;
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(`new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.largestPaint = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true })`);
  return context.newPage();
}

async function signInto(page: Page, { apiKey }: DemarcSystem['api']): Promise<void> {
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}
