import type { ExampleApi, Sent } from './example-api.js';
import type { OpenedPage } from './opened-page.js';
import type { PageElement } from './page-document.js';
import { nameOf } from './page-outline.js';

const isField = /^(?:input|select|textarea)$/;
/** Of a text that is entered, as much as is written. */
const longest = 40;
/** Of one name: of the rows of a list the first, and what comes of a second press. */
const mostOfName = 2;

/** The lines that are on one side alone. */
export function changedLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) + 1);
  const added: string[] = [];
  for (const line of after) {
    const left = counts.get(line) ?? 0;
    if (left === 0) added.push(`  + ${line}`);
    else counts.set(line, left - 1);
  }
  const removed: string[] = [];
  for (const line of before.toReversed()) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    removed.unshift(`  - ${line}`);
  }
  return [...removed, ...added];
}

/** Uses everything on a page once, and writes down what comes of it. */
export class PageVisit {
  readonly report: string[] = [];
  private readonly used = new Set<PageElement>();
  private readonly names = new Map<string, number>();
  /** After the last step: nothing happens between two. */
  private outline: readonly string[] | undefined;

  constructor(
    private readonly api: ExampleApi,
    private readonly page: OpenedPage,
    /** Whether only steps are written that send a change. */
    private readonly isOfChangesAlone = false,
  ) {}

  /** @param mostSteps after which the rest of the page stays as it is */
  async useAll(mostSteps: number): Promise<readonly string[]> {
    for (let step = 0; step < mostSteps; step++) {
      const control = this.next();
      if (control === undefined) break;
      this.used.add(control);
      const name = nameOf(control);
      const key = `${control.localName} ${name.replaceAll(/\d+/g, '')}`;
      const times = (this.names.get(key) ?? 0) + 1;
      this.names.set(key, times);
      if (times > mostOfName) continue;
      await this.use(control, name);
    }
    return this.report;
  }

  /** Fields before buttons, which send them. */
  private next(): PageElement | undefined {
    const left = this.page.controls.filter((each) => !this.used.has(each));
    return left.find(({ localName }) => isField.test(localName)) ?? left[0];
  }

  private async use(control: PageElement, name: string): Promise<void> {
    const type = control.getAttribute('type') ?? 'text';
    if (control.localName === 'details')
      await this.step('open', async () => {
        control.open = true;
        await this.page.dispatch(control, 'toggle');
      });
    else if (control.getAttribute('class')?.includes('handle'))
      await this.step(`arrow down on ${name}`, () =>
        this.page.dispatch(control, 'keydown', { key: 'ArrowDown' }),
      );
    else if (control.localName === 'g') {
      await this.step(`select ${name}`, () => this.page.dispatch(control, 'click'));
      await this.step(`arrow right on ${name}`, () =>
        this.page.dispatch(control, 'keydown', { key: 'ArrowRight' }),
      );
    } else if (control.localName === 'button')
      await this.step(`press ${name}`, () => this.page.pressButton(control));
    else if (type === 'checkbox' || type === 'radio')
      await this.step(`toggle ${name}`, () => this.page.toggle(control));
    else if (type !== 'file' && type !== 'hidden') {
      const text = textFor(control, type);
      const shown = text.length > longest ? `… ${text.slice(-longest)}` : text;
      await this.step(`enter ${name} "${shown}"`, () => this.page.type(control, text));
    }
  }

  /** Of a step without a request or a link, only what changed beside the control itself is written. */
  async step(title: string, act: () => Promise<void>): Promise<void> {
    const before = this.outline ?? this.page.outline;
    const { length: sent } = this.api.sent;
    const { length: led } = this.page.led;
    await act();
    const requests = this.api.sent.slice(sent);
    this.outline = this.page.outline;
    const changes = changedLines(before, this.outline);
    const isQuiet = requests.length === 0 && /^(?:enter|toggle)/.test(title) && changes.length <= 2;
    if (this.isOfChangesAlone && !requests.some((each) => this.api.isChange(each))) return;
    this.report.push(
      title,
      ...counted(requests.map((each) => `  > ${requestText(this.api, each)}`)),
      ...this.page.led.slice(led).map((address) => `  = ${address}`),
      ...(isQuiet ? [] : changes),
    );
  }
}

function textFor(control: PageElement, type: string): string {
  if (control.localName === 'select') {
    const options = control.within.filter(({ localName }) => localName === 'option');
    return options.findLast(({ value }) => value !== control.value)?.value ?? '';
  }
  const before = control.value;
  switch (type) {
    case 'number':
      return before === '7' ? '8' : '7';
    case 'email':
      return 'bob@example.com';
    case 'tel':
      return '+14155550123';
    case 'date':
      return '2026-11-25';
    case 'datetime-local':
      return '2026-11-25T10:00';
    case 'time':
      return '10:00';
    default:
      return `${before === '' ? 'Typed' : before} x`;
  }
}

/** The same line again and again, as one. */
const counted = (lines: readonly string[]): readonly string[] =>
  [...new Set(lines)].map((line) => {
    const { length } = lines.filter((each) => each === line);
    return length === 1 ? line : `${line}, ${length} times`;
  });

const requestText = (api: ExampleApi, sent: Sent): string => {
  const query = sent.url.includes('?') ? ` ${sent.url.slice(sent.url.indexOf('?'))}` : '';
  const path = api.isChange(sent) ? ` ${sent.url.split('?')[0]}` : '';
  const body = sent.body === undefined || sent.body === null ? '' : ` ${JSON.stringify(sent.body)}`;
  return `${sent.operation}${path}${query}${body}`;
};
