type Listener = (event: PageEvent) => void;

/** An event, as far as the dashboard reads it. */
export class PageEvent {
  currentTarget: PageElement | undefined;
  isPrevented = false;
  isStopped = false;

  constructor(
    readonly type: string,
    readonly target: PageElement,
  ) {}

  preventDefault(): void {
    this.isPrevented = true;
  }

  stopPropagation(): void {
    this.isStopped = true;
  }
}

export class PageNode {
  parentNode: PageElement | null = null;

  constructor(
    readonly ownerDocument: PageDocument,
    readonly nodeType: number,
  ) {}

  get nextSibling(): PageNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  remove(): void {
    this.ownerDocument.changes += 1;
    const siblings = this.parentNode?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }
}

class PageText extends PageNode {
  private shown: string;

  /** @param data Preact passes numbers as they are */
  constructor(document: PageDocument, data: unknown) {
    super(document, 3);
    this.shown = String(data);
  }

  get data(): string {
    return this.shown;
  }

  set data(data: unknown) {
    this.ownerDocument.changes += 1;
    this.shown = String(data);
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An element: its attributes, its children, its listeners, and what is typed into it. */
export class PageElement extends PageNode {
  readonly childNodes: PageNode[] = [];
  readonly attributes = new Map<string, string>();
  readonly style: Record<string, unknown> = { setProperty: () => undefined };
  private readonly listeners = new Map<string, Set<Listener>>();
  private typed: string | undefined;
  private ticked: boolean | undefined;

  constructor(
    document: PageDocument,
    readonly localName: string,
  ) {
    super(document, 1);
  }

  get firstChild(): PageNode | null {
    return this.childNodes[0] ?? null;
  }

  get children(): readonly PageElement[] {
    return this.childNodes.filter((node) => node instanceof PageElement);
  }

  /** All elements within it, in the order of the page. */
  get within(): readonly PageElement[] {
    const found: PageElement[] = [];
    const collect = (node: PageNode): void => {
      if (!(node instanceof PageElement)) return;
      found.push(node);
      node.childNodes.forEach(collect);
    };
    this.childNodes.forEach(collect);
    return found;
  }

  /** What a reader sees, with single spaces. */
  get text(): string {
    const texts = (node: PageNode): string =>
      node instanceof PageElement ? node.childNodes.map(texts).join('') : (node as PageText).data;
    return texts(this).replace(/\s+/g, ' ').trim();
  }

  /** What a reader sees of it beside the controls within. */
  get ownText(): string {
    const texts = (node: PageNode): string =>
      node instanceof PageElement
        ? /^(?:input|select|textarea|button)$/.test(node.localName)
          ? ''
          : node.childNodes.map(texts).join('')
        : (node as PageText).data;
    return texts(this).replace(/\s+/g, ' ').trim();
  }

  get root(): PageElement {
    return this.parentNode?.root ?? this;
  }

  get html(): string {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
    const inner = this.childNodes.map((node) =>
      node instanceof PageElement ? node.html : escaped(String((node as PageText).data)),
    );
    const end = /^(?:br|col|hr|img|input)$/.test(this.localName) ? '' : `</${this.localName}>`;
    return `<${this.localName}${attributes}>${inner.join('')}${end}`;
  }

  get value(): string {
    if (this.typed !== undefined) return this.typed;
    if (this.localName === 'select') {
      const options = this.within.filter(({ localName }) => localName === 'option');
      const chosen = options.find(({ attributes }) => attributes.has('selected')) ?? options[0];
      return this.attributes.get('defaultValue') ?? chosen?.value ?? '';
    }
    if (this.localName === 'option') return this.text;
    return this.attributes.get('defaultValue') ?? (this.isTickable ? 'on' : '');
  }

  set value(text: string) {
    this.ownerDocument.changes += 1;
    this.typed = String(text);
  }

  get checked(): boolean {
    return this.ticked ?? this.attributes.has('defaultChecked');
  }

  set checked(isChecked: boolean) {
    this.ownerDocument.changes += 1;
    this.ticked = isChecked;
  }

  get open(): boolean {
    return this.attributes.has('open');
  }

  set open(isOpen: boolean) {
    if (isOpen) this.attributes.set('open', '');
    else this.attributes.delete('open');
  }

  /** What a form sends of it. */
  get entry(): readonly [name: string, value: string] | undefined {
    const name = this.attributes.get('name');
    const isSent = name !== undefined && !this.attributes.has('disabled');
    return isSent && (!this.isTickable || this.checked) ? [name, this.value] : undefined;
  }

  private get isTickable(): boolean {
    return /^(?:checkbox|radio)$/.test(this.attributes.get('type') ?? '');
  }

  get form(): PageElement | null {
    return this.closest('form');
  }

  insertBefore<Node extends PageNode>(node: Node, next: PageNode | null): Node {
    node.remove();
    const at = next === null ? this.childNodes.length : this.childNodes.indexOf(next);
    this.childNodes.splice(at, 0, node);
    node.parentNode = this;
    return node;
  }

  append(node: PageNode): void {
    this.insertBefore(node, null);
  }

  setAttribute(name: string, value: unknown): void {
    this.ownerDocument.changes += 1;
    this.attributes.set(name, value === true ? '' : String(value));
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name: string): void {
    this.ownerDocument.changes += 1;
    this.attributes.delete(name);
  }

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, (this.listeners.get(type) ?? new Set()).add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.listeners.get(type)?.delete(listener);
  }

  /**
   * Calls the listeners of the element and of those around it.
   * @param fields of the event, such as the place of the pointer
   */
  dispatch(type: string, fields: object = {}): PageEvent {
    const event = Object.assign(new PageEvent(type, this), fields);
    for (let at: PageElement | null = this; at !== null && !event.isStopped; at = at.parentNode) {
      event.currentTarget = at;
      for (const listener of at.listeners.get(type) ?? []) listener.call(at, event);
    }
    return event;
  }

  /** @param tag as a selector: `form` */
  closest(tag: string): PageElement | null {
    return this.localName === tag ? this : (this.parentNode?.closest(tag) ?? null);
  }

  querySelector(): null {
    return null;
  }

  querySelectorAll(): readonly PageElement[] {
    return [];
  }

  /** Of a form: what was typed is gone. */
  reset(): void {
    for (const element of this.within) {
      element.typed = undefined;
      element.ticked = undefined;
    }
  }

  reportValidity(): boolean {
    return true;
  }

  focus(): void {}

  setSelectionRange(): void {}

  async play(): Promise<void> {}

  pause(): void {}
}

/** As much of a browser's document as Preact and the dashboard's pages use. */
export class PageDocument {
  readonly nodeType = 9;
  readonly visibilityState = 'visible';
  readonly activeElement = null;
  readonly body = new PageElement(this, 'body');
  title = '';
  /** Counts every change of what it shows. */
  changes = 0;

  createElement(name: string): PageElement {
    return new PageElement(this, name);
  }

  createElementNS(_namespace: string, name: string): PageElement {
    return new PageElement(this, name);
  }

  createTextNode(data: unknown): PageText {
    return new PageText(this, data);
  }

  querySelector(): null {
    return null;
  }

  addEventListener(): void {}

  removeEventListener(): void {}
}

/** The platform's takes no form but the browser's. */
export class PageFormData extends FormData {
  constructor(form?: PageElement) {
    super();
    for (const { entry } of form?.within ?? []) if (entry !== undefined) this.append(...entry);
  }
}
