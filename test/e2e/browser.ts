import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Git-ignored; pictures of the last run stay there. */
const pictures = join(import.meta.dirname, '..', '..', 'test-artifacts', 'dashboard');
/** A picture alone proves nothing and takes a quarter of a second of CPU, so `npm test` takes none. */
const arePicturesTaken = process.env.DEMARC_TEST_PICTURES !== '0';

const require = createRequire(import.meta.url);

/** An import would search its megabytes for the names of exports, a third of the time that loading takes. */
const { chromium } = require('playwright-core') as typeof import('playwright-core');

/** Less than half of what the module has; each page gets it over two WebSockets. */
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const desktop = { width: 1_440, height: 900 } as const;
export const phone = { width: 360, height: 740 } as const;

const options = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
    // A process less to start and to send pictures to: a tenth of what Chromium takes beside its pages.
    '--in-process-gpu',
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    // A page is used for seconds: V8 takes more time to optimize its code than the optimized code saves, also to forget code that is not
    // in use and to hand its work to other threads.
    '--js-flags=--no-opt --single-threaded --no-flush-bytecode',
  ],
};

/**
 * A start takes a quarter of a second of processor time. One browser for all files would have to be driven through a WebSocket, which takes
 * more than that of each file.
 */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(options);
}

/** All pages of a browser share one clipboard, so each remembers what it wrote there itself. */
const rememberCopies = `{
  const write = navigator.clipboard?.writeText.bind(navigator.clipboard);
  if (write !== undefined) {
    navigator.clipboard.writeText = async (text) => {
      await write(text);
      window.copied = text;
    };
  }
}`;

/** Pages take their time on a busy machine. */
const timeoutMilliseconds = 60_000;

/** Each stop takes tenths of a second on a busy machine. */
const walkMilliseconds = 60_000;
/** A row that appears during a walk adds a stop. */
const spareStops = 5;
/** Without Playwright, whose next key waits for the end of the one before: Chromium keeps the order as well. */
const tab = [
  'Input.dispatchKeyEvent',
  { type: 'rawKeyDown', key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
] as const;

/**
 * Starts to note what gets the focus, from the top of the page. `keyboardWalk` lists the controls that got none, and those that look
 * the same with and without it.
 */
const beginKeyboardWalk = `{
  const kinds = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]';
  const groups = new Set();
  const isStop = (element) => {
    if (element.tabIndex < 0 || element.disabled || element.closest('[inert]') !== null) return false;
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if (element.type !== 'radio') return true;
    const isFirst = !groups.has(element.name);
    groups.add(element.name);
    return isFirst;
  };
  const stops = [...document.querySelectorAll(kinds)].filter(isStop);
  const describe = (element) => element.outerHTML.slice(0, 200);
  const styleOf = ({ outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor, stroke, strokeWidth }) =>
    [outlineStyle === 'none' ? '' : outlineWidth, boxShadow, borderColor, backgroundColor, stroke, strokeWidth];
  // A node of a drawing shows it by its shape.
  const look = (element) => [element, ...element.children].flatMap((part) => styleOf(getComputedStyle(part))).join();
  const looks = new Map(stops.map((element) => [element, look(element)]));
  const reached = new Set();
  const unseen = new Map();
  window.endKeyboardWalk?.();
  const walk = new AbortController();
  window.endKeyboardWalk = () => walk.abort();
  const note = ({ target }) => {
    reached.add(target.type === 'radio' ? target.name : target);
    if (looks.get(target) === look(target)) unseen.set(target, 'focus is not seen: ' + describe(target));
  };
  document.addEventListener('focusin', note, { signal: walk.signal });
  const top = document.createElement('span');
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus();
  top.remove();
  window.keyboardWalk = () => [
    ...stops
      .filter((element) => element.isConnected && !reached.has(element.type === 'radio' ? element.name : element))
      .map((element) => 'not reached: ' + describe(element)),
    ...unseen.values(),
  ];
  stops.length;
}`;

/**
 * Follows a link by way of a path without a page, as clicks of a visitor do; false: no page of the dashboard is shown. Runs in the
 * browser as a whole, because each look of Playwright at a page takes several messages.
 */
const follow = (path: string): string => `(async () => {
  if (document.querySelector('nav[aria-label="Main"]') === null) return false;
  const click = (href) => {
    const link = document.createElement('a');
    link.href = href;
    document.body.append(link);
    link.click();
    link.remove();
  };
  const isBetween = () => document.querySelector('h1')?.textContent === 'Page not found';
  const until = (isThere) =>
    new Promise((resolve, reject) => {
      const observer = new MutationObserver(check);
      const timer = setTimeout(end, ${timeoutMilliseconds}, () => reject(new Error(document.body.innerText)));
      function end(settle) {
        observer.disconnect();
        clearTimeout(timer);
        settle();
      }
      function check() {
        if (isThere()) end(resolve);
      }
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      check();
    });
  click('/no-page');
  await until(isBetween);
  click(${JSON.stringify(path)});
  await until(() => !isBetween());
  window.copied = undefined;
  return true;
})()`;

interface Found {
  readonly violations: readonly string[];
  readonly tooWide: number;
}

/** Rules whose result depends on the colours and on the width of the window: all others find the same on a phone. */
const rulesOfLook = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/**
 * Asks axe, false: it is not loaded. By default axe also fetches style sheets, which only an experimental rule reads, makes a selector
 * for each element, and leaves out the one rule of WCAG 2.2.
 * @param rules absent: all
 */
const findFaults = (rules?: readonly string[]): string => `'axe' in window && axe
  .run(document, {
    resultTypes: ['violations'],
    ${rules === undefined ? '' : `runOnly: ${JSON.stringify(rules)},`}
    rules: { 'target-size': { enabled: true } },
    selectors: false,
    iframes: false,
    preload: { assets: ['media'] },
  })
  .then(({ violations }) => ({
    violations: violations.map(
      ({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join('\\n'),
    ),
    tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))`;

/** A user with an isolated browser context; errors of its pages are collected. */
export class Visitor {
  /** Errors of scripts, refusals by the content security policy, requests to other hosts. */
  readonly problems: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {}

  static async arrive(browser: Browser, url: string): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: desktop,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    context.setDefaultTimeout(timeoutMilliseconds);
    await context.addInitScript(rememberCopies);
    const visitor = new Visitor(context, await context.newPage(), url);
    visitor.watch();
    return visitor;
  }

  private watch(): void {
    this.page.on('pageerror', (error) => this.problems.push(error.stack ?? error.message));
    this.page.on('console', (message) => {
      // A failed request is a console error too; what it leads to is what tests look at.
      const isRequest = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRequest) this.problems.push(message.text());
    });
    this.page.on('dialog', (dialog) => {
      this.problems.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.page.on('request', (request) => {
      if (!request.url().startsWith(this.url)) this.problems.push(`a request to ${request.url()}`);
    });
  }

  /**
   * Leads to a page of the dashboard. Where one is shown already, its router does: a load takes several times the processor time.
   * Between them comes a page without content, so that nothing of the one before is taken for the next.
   */
  async open(path: string): Promise<void> {
    if (!(await this.page.evaluate(follow(path)))) await this.load(path);
  }

  /** Loads a page into an empty document, as a visitor who enters its address does. */
  async load(path: string): Promise<void> {
    const url = this.url + path;
    // Tests with network namespaces beside this one add interfaces, at which Chromium ends its requests.
    await this.page.goto(url).catch((error: Error) => {
      if (!error.message.includes('ERR_NETWORK_CHANGED')) throw error;
      return this.page.goto(url);
    });
  }

  /** Gives the browser a session as the sign-in page does, which would be one more page to load. */
  async signIn(key: string): Promise<void> {
    const answer = await this.context.request.post(`${this.url}/v1/session`, { data: { api_key: key } });
    if (!answer.ok()) throw new Error(await answer.text());
  }

  /** Rejects with what the page shows instead. */
  async heading(name: string | RegExp): Promise<void> {
    try {
      await this.page.getByRole('heading', { level: 1, name }).waitFor();
    } catch (error) {
      const shown = (await this.page.locator('#page').textContent({ timeout: 5_000 })) ?? '';
      throw new Error(`No heading ${name} at ${this.page.url()}, which shows:\n${shown.slice(0, 1_500)}`, {
        cause: error,
      });
    }
  }

  /** No rule of WCAG 2.2 AA that axe knows is broken, and nothing is wider than the window. @param rules absent: all */
  async expectAccessible(what: string, rules?: readonly string[]): Promise<void> {
    // A page that is still loading has none.
    await this.page.locator('h1').first().waitFor({ state: 'attached' });
    const find = findFaults(rules);
    let found = await this.page.evaluate<Found | false>(find);
    if (found === false) {
      await this.page.evaluate(axeSource);
      found = await this.page.evaluate<Found>(find);
    }
    expect(found.violations, what).toEqual([]);
    expect(found.tooWide, `${what}: pixels wider than the window`).toBe(0);
  }

  /** The page as it is now, on a desk in light colours and on a phone in dark ones. @param name also of its pictures */
  async expectAccessibleEverywhere(name: string): Promise<void> {
    await this.expectAccessible(name);
    await this.picture(name);
    await this.onPhone(async () => {
      await this.expectAccessible(`${name} on a phone`, rulesOfLook);
      await this.picture(`${name}-phone`);
    });
  }

  /**
   * The Tab key alone comes to each control of the page, shows where it is, and leaves each again. Controls that belong to a group
   * with one stop (`tabindex="-1"`, radio buttons) are reached from that stop.
   */
  private async expectKeyboardReaches(what: string): Promise<void> {
    const count = (await this.page.evaluate(beginKeyboardWalk)) as number;
    expect(count, `${what}: controls of the page`).toBeGreaterThan(0);
    const keyboard = await this.context.newCDPSession(this.page);
    await expect
      .poll(
        async () => {
          await Promise.all(Array.from({ length: count + spareStops }, () => keyboard.send(...tab)));
          return this.page.evaluate('window.keyboardWalk()');
        },
        {
          message: `${what}: controls that the keyboard does not reach, or without a visible focus`,
          timeout: walkMilliseconds,
        },
      )
      .toEqual([]);
    await keyboard.detach();
  }

  /** The page that is shown, with all that it loads: also by keyboard. */
  async expectPageAccessible(name: string): Promise<void> {
    await this.heading(/./);
    await expect.poll(() => this.page.locator('.loading').count()).toBe(0);
    await this.expectKeyboardReaches(name);
    await this.expectAccessibleEverywhere(name);
  }

  /** What the page has copied to the clipboard. */
  copied(): Promise<unknown> {
    return this.page.evaluate('window.copied');
  }

  /** The file that a click on that link saves. */
  async download(link: Locator): Promise<Buffer> {
    const downloading = this.page.waitForEvent('download');
    await link.click();
    return buffer(await (await downloading).createReadStream());
  }

  async picture(name: string): Promise<void> {
    if (!arePicturesTaken) return;
    // What sticks to the window's edge would stand in the middle of the picture.
    await this.page.evaluate('scrollTo(0, 0)');
    await this.page.screenshot({
      path: join(pictures, `${name}.png`),
      fullPage: true,
      animations: 'disabled',
    });
  }

  /** As a phone at night, then as before. */
  async onPhone(act: () => Promise<void>): Promise<void> {
    const be = (viewport: typeof desktop | typeof phone, colorScheme: 'light' | 'dark') =>
      Promise.all([this.page.setViewportSize(viewport), this.page.emulateMedia({ colorScheme })]);
    await be(phone, 'dark');
    try {
      await act();
    } finally {
      await be(desktop, 'light');
    }
  }
}
