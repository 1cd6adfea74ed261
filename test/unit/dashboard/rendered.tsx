import { options, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

interface ElementProperties {
  readonly [name: string]: unknown;
  readonly class: string;
  readonly onClick: () => void;
  readonly onChange: (event: unknown) => void;
  readonly onInput: (event: unknown) => void;
  readonly onKeyDown: (event: unknown) => void;
}

/** What a component draws at first: effects do not run, so nothing is loaded. */
export interface Rendered {
  readonly html: string;
  /** What a reader sees: without elements, with single spaces. */
  readonly text: string;
  /** The texts of all elements of that name, or of that class where the name begins with a dot. */
  readonly all: (name: string) => readonly string[];
  /** The properties of all elements of that name, with their event handlers. */
  readonly elements: (name: string) => readonly ElementProperties[];
}

export function rendered(component: VNode): Rendered {
  const { vnode: before } = options;
  const made: VNode[] = [];
  options.vnode = (node) => {
    made.push(node);
    before?.(node);
  };
  try {
    const html = renderToString(component);
    return {
      html,
      text: textOf(html),
      all: (name) => contentsOf(html, name).map(textOf),
      elements: (name) =>
        made.filter(({ type }) => type === name).map(({ props }) => props as unknown as ElementProperties),
    };
  } finally {
    options.vnode = before!;
  }
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

export const textOf = (html: string): string =>
  html
    .replace(/<\/?(?:b|i|a|q|em|bdi|code|span|small|strong|time)(?:\s[^>]*)?>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity]!)
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();

/** Elements without content are not closed. */
const voidElements = /^(?:area|br|col|hr|img|input|link|meta|source|wbr)$/;

export function contentsOf(html: string, name: string): string[] {
  const found: { start: number; text: string }[] = [];
  const open: { tag: string; start: number; isWanted: boolean }[] = [];
  for (const { 0: whole, index, groups } of html.matchAll(
    /<(?<end>\/?)(?<tag>[a-z][a-z0-9]*)(?<attributes>[^>]*?)(?<alone>\/?)>/gi,
  )) {
    const { end, tag, attributes, alone } = groups as Record<'end' | 'tag' | 'attributes' | 'alone', string>;
    if (end === '/') {
      const element = open.pop();
      if (element?.isWanted) found.push({ start: element.start, text: html.slice(element.start, index) });
    } else if (alone === '' && !voidElements.test(tag)) {
      const classes = /\sclass="([^"]*)"/.exec(attributes)?.[1]?.split(' ') ?? [];
      const isWanted = name.startsWith('.') ? classes.includes(name.slice(1)) : tag === name;
      open.push({ tag, start: index + whole.length, isWanted });
    }
  }
  return found.sort((left, right) => left.start - right.start).map(({ text }) => text);
}
