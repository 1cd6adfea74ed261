/**
 * Reads small XML documents strictly. Not supported, on purpose: document types, and with them entities other than the five of
 * XML itself; processing instructions; CDATA.
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly XmlElement[];
  /** The text directly in the element, without surrounding blanks. */
  readonly text: string;
}

/** The document is not XML that this parser reads; the message says where and why. */
export class XmlError extends Error {
  constructor(message: string, position: number) {
    super(`${message} at character ${position + 1}`);
    this.name = 'XmlError';
  }
}

const maximumDepth = 8;
const maximumAttributes = 20;

const name = '[A-Za-z_][A-Za-z0-9_.-]*';
const declaration = /<\?xml\s[^<>]*\?>/y;
/** XML 1.0 §2.5: no `--` inside. */
const blank = /(?:\s|<!--(?:(?!--)[\s\S])*-->)*/y;
const startTag = new RegExp(`<(${name})`, 'y');
const endTag = new RegExp(`</(${name})\\s*>`, 'y');
const attribute = new RegExp(`\\s+(${name})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const tagEnd = /\s*(\/?)>/y;
const characters = /[^<]+/y;
const comment = /<!--(?:(?!--)[\s\S])*-->/y;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The root element. Throws `XmlError`. */
export function parseXml(text: string): XmlElement {
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    position = pattern.lastIndex;
    return match;
  };
  const decode = (raw: string): string =>
    raw.replaceAll(/&([^;&\s]{0,10};)?/g, (whole, body: string | undefined) => {
      const reference = body?.slice(0, -1) ?? '';
      const decoded = Object.hasOwn(entities, reference) ? entities[reference] : numbered(reference);
      if (decoded === undefined) throw new XmlError(`Unknown entity ${whole}`, position);
      return decoded;
    });
  const readAttributes = (): ReadonlyMap<string, string> => {
    const attributes = new Map<string, string>();
    for (let match = take(attribute); match !== undefined; match = take(attribute)) {
      const [, key = '', double, single] = match;
      if (attributes.has(key)) throw new XmlError(`Attribute ${key} occurs twice`, position);
      if (attributes.size >= maximumAttributes) throw new XmlError('Too many attributes', position);
      attributes.set(key, decode(double ?? single ?? ''));
    }
    return attributes;
  };
  const readElement = (depth: number): XmlElement => {
    const [, opened] = take(startTag) ?? [];
    if (opened === undefined) throw new XmlError('Expected an element', position);
    if (depth >= maximumDepth) throw new XmlError('Elements nested too deeply', position);
    const attributes = readAttributes();
    const end = take(tagEnd);
    if (end === undefined) throw new XmlError(`The tag ${opened} is not well-formed`, position);
    if (end[1] === '/') return { name: opened, attributes, elements: [], text: '' };
    const elements: XmlElement[] = [];
    let content = '';
    for (;;) {
      const closing = take(endTag);
      if (closing !== undefined) {
        if (closing[1] !== opened) throw new XmlError(`${opened} is not closed`, position);
        return { name: opened, attributes, elements, text: content.trim() };
      }
      const run = take(characters);
      if (run !== undefined) content += decode(run[0]);
      else if (take(comment) === undefined) elements.push(readElement(depth + 1));
    }
  };
  take(declaration);
  take(blank);
  const root = readElement(0);
  take(blank);
  if (position < text.length) throw new XmlError('Expected the end of the document', position);
  return root;
}

/** XML 1.0 §4.1: `#65` and `#x41`; undefined for what is no character of XML (§2.2). */
function numbered(reference: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(reference) ?? [];
  if (hex === undefined && decimal === undefined) return undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter =
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
