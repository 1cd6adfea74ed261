import { type FunctionComponent, render } from 'preact';
import { act } from 'preact/test-utils';
import { Route, Router } from 'preact-iso';
import { vi } from 'vitest';
import { session } from '../../../../src/dashboard/api/session.js';
import { PlotterLoader } from '../../../../src/dashboard/parts/plot.js';
import { contentsOf, textOf } from '../rendered.js';
import { at } from '../visitor.js';
import type { ExampleApi } from './example-api.js';
import { PageDocument, type PageElement, PageFormData } from './page-document.js';
import { outlineOf } from './page-outline.js';

/** Of Node.js, whose types the dashboard does not have. */
const { setImmediate } = globalThis as unknown as { setImmediate: (work: () => void) => void };
const opened: OpenedPage[] = [];

const noCanvas = (): Promise<never> => Promise.reject(new Error('The document has no canvas'));

/** A page as a visitor has it: drawn, loaded from the API, and changed by what the visitor does. */
export class OpenedPage {
  /** Addresses to which the page led. */
  readonly led: string[] = [];
  private readonly document = new PageDocument();
  private readonly window = new EventTarget();

  private constructor(
    private readonly api: ExampleApi,
    location: object,
  ) {
    vi.stubGlobal('document', this.document);
    vi.stubGlobal('window', Object.assign(this.window, { confirm: () => true }));
    vi.stubGlobal('location', location);
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => undefined,
      removeItem: () => undefined,
    });
    vi.stubGlobal('sessionStorage', {
      getItem: () => null,
      setItem: () => undefined,
      removeItem: () => undefined,
    });
    vi.stubGlobal('FormData', PageFormData);
    vi.stubGlobal('fetch', api.fetch);
  }

  /**
   * @param route of the page, as `/contacts/:id`
   * @param address path and query of the visit
   * @param ofBrowser the `location` that the page reads besides
   */
  static async open(
    api: ExampleApi,
    route: string,
    component: FunctionComponent,
    address: string = route.replaceAll(/:\w+/g, 'x1'),
    ofBrowser: object = { origin: 'https://demarc.example', pathname: '/', search: '', hash: '' },
    loadPlotter: () => Promise<never> = noCanvas,
  ): Promise<OpenedPage> {
    const page = new OpenedPage(api, ofBrowser);
    opened.push(page);
    const { pathname, searchParams } = new URL(address, 'https://demarc.example');
    const location = {
      path: pathname,
      query: Object.fromEntries(searchParams),
      route: (url: string) => void page.led.push(url),
    };
    const shown = (
      <PlotterLoader.Provider value={loadPlotter}>
        <Router>{[<Route key={route} path={route} component={component} />]}</Router>
      </PlotterLoader.Provider>
    );
    await page.after(() => render(at(location, shown), page.body as never));
    return page;
  }

  private get body(): PageElement {
    return this.document.body;
  }

  get title(): string {
    return this.document.title;
  }

  /** What a reader sees, with single spaces. */
  get text(): string {
    return textOf(this.body.html);
  }

  /** The texts of all elements of that name, or of that class where the name begins with a dot. */
  all(name: string): readonly string[] {
    return contentsOf(this.body.html, name).map(textOf);
  }

  /** The page line by line. */
  get outline(): readonly string[] {
    return outlineOf(this.body);
  }

  /** What a visitor can use now, in the order of the page. */
  get controls(): readonly PageElement[] {
    return this.body.within.filter(
      (each) =>
        (/^(?:button|details|input|select|textarea)$/.test(each.localName) ||
          each.getAttribute('role') === 'button') &&
        !each.attributes.has('disabled'),
    );
  }

  /** Types the text into the control, or selects the option that has it. */
  async type(control: PageElement, text: string): Promise<void> {
    control.value = text;
    await this.after(() => {
      control.dispatch('input');
      control.dispatch('change');
    });
  }

  async toggle(control: PageElement): Promise<void> {
    control.checked = !control.checked;
    await this.after(() => {
      control.dispatch('input');
      control.dispatch('change');
    });
  }

  async pressButton(button: PageElement): Promise<void> {
    await this.after(() => {
      button.dispatch('click');
      if (button.getAttribute('type') !== 'button') button.closest('form')?.dispatch('submit');
    });
  }

  /** Lets time pass, where the clock is not the machine's. */
  async wait(milliseconds: number): Promise<void> {
    await this.after(() => void vi.advanceTimersByTime(milliseconds));
  }

  elements(name: string): readonly PageElement[] {
    return this.body.within.filter(({ localName }) => localName === name);
  }

  /** The first control whose label begins with the words, or the one with an id, as `#name`. */
  field(label: string): PageElement {
    const isControl = ({ localName }: PageElement): boolean => /^(?:input|select|textarea)$/.test(localName);
    const labelled = this.elements('label').flatMap((each) =>
      each.within
        .filter(isControl)
        .slice(0, 1)
        .map((control) => [each.text, control] as const),
    );
    const named = this.body.within
      .filter(isControl)
      .flatMap((control) => [
        [control.getAttribute('aria-label') ?? '', control] as const,
        [`#${control.getAttribute('id')}`, control] as const,
      ]);
    const pointed = this.elements('label').flatMap((each) =>
      this.body.within
        .filter((control) => isControl(control) && control.getAttribute('id') === each.getAttribute('for'))
        .map((control) => [each.text, control] as const),
    );
    const all = [...labelled, ...pointed, ...named];
    const found = all.find(([text]) => text.startsWith(label));
    if (found === undefined)
      throw new Error(`no field ${label} in: ${all.map(([text]) => text).join(' | ')}`);
    return found[1];
  }

  /**
   * A button that has the words; they may be its label for screen readers.
   * @param index among those that have them
   */
  button(words: string, index = 0): PageElement {
    const found = this.elements('button').filter(
      (each) => each.text.startsWith(words) || each.getAttribute('aria-label') === words,
    )[index];
    if (found === undefined)
      throw new Error(
        `no button ${words} in: ${this.elements('button')
          .map(({ text }) => text)
          .join(' | ')}`,
      );
    return found;
  }

  async fill(label: string, text: string): Promise<void> {
    const field = this.field(label);
    field.value = text;
    await this.after(() => {
      field.dispatch('input');
      field.dispatch('change');
    });
  }

  async tick(label: string, isTicked: boolean): Promise<void> {
    const field = this.field(label);
    field.checked = isTicked;
    await this.after(() => {
      field.dispatch('input');
      field.dispatch('change');
    });
  }

  /** Clicks the button, which submits the form around it unless it has another type. */
  async press(words: string, index = 0): Promise<void> {
    const button = this.button(words, index);
    if (button.getAttribute('disabled') !== null) throw new Error(`The button ${words} is disabled`);
    await this.after(() => {
      button.dispatch('click');
      if (button.getAttribute('type') !== 'button') button.closest('form')?.dispatch('submit');
    });
  }

  /** What a browser does where the visitor uses an element. */
  async dispatch(element: PageElement, event: string, fields: object = {}): Promise<void> {
    await this.after(() => void element.dispatch(event, fields));
  }

  /** What a library does where the visitor points at what it drew. */
  async point(work: () => void): Promise<void> {
    await this.after(work);
  }

  /** What a browser does wherever the visitor is. */
  async dispatchAtWindow(event: string, fields: object = {}): Promise<void> {
    await this.after(() => void this.window.dispatchEvent(Object.assign(new Event(event), fields)));
  }

  close(): void {
    render(null, this.body as never);
  }

  /** Does it, and waits until the page has what it then loads. */
  private async after(work: () => void): Promise<void> {
    await act(work);
    for (let turn = 0, before = -1; turn < 40; turn++) {
      await act(async () => {
        await new Promise<void>((resolve) => setImmediate(resolve));
      });
      const now = this.api.sent.length + this.document.changes;
      if (turn > 1 && now === before) return;
      before = now;
    }
  }
}

/** After each test: ends what the pages watch. */
export function closePages(): void {
  for (const page of opened.splice(0)) page.close();
  session.value = undefined;
  vi.unstubAllGlobals();
}
