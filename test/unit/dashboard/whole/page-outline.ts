import { PageElement, type PageNode } from './page-document.js';

/** Elements that continue the line. */
const inline =
  /^(?:a|abbr|b|bdi|button|code|em|i|input|kbd|label|legend|mark|meter|option|output|q|s|select|small|span|strong|sub|sup|textarea|time|tspan)$/;

/** Of the text of a field, as much as names it. */
const longest = 60;

/** Options that the platform knows, such as all time zones. */
const many = 200;

/** What stands for a control, and what it holds. */
function control(element: PageElement): string {
  const { localName: name } = element;
  const type = element.getAttribute('type') ?? '';
  const label = element.getAttribute('aria-label');
  const named = label === null ? '' : `${label}: `;
  const isOff = element.attributes.has('disabled') ? ', disabled' : '';
  const refused = element.getAttribute('aria-invalid') === 'true' ? ', invalid' : '';
  if (name === 'select') {
    const options = element.within.filter(({ localName }) => localName === 'option');
    const chosen = options.find((option) => option.value === element.value);
    return `[${named}${chosen?.text ?? 'nothing'}, of ${options.length > many ? 'many' : options.length}${isOff}${refused}]`;
  }
  if (type === 'checkbox' || type === 'radio')
    return `[${named}${element.checked ? 'x' : ' '}${isOff}${refused}]`;
  const { value } = element;
  const shown = value.length > longest ? `${value.slice(0, longest)} … ${value.length} characters` : value;
  return `[${named}${shown}${type === 'password' ? ' (hidden)' : ''}${isOff}${refused}]`;
}

const isField = ({ localName }: PageElement): boolean => /^(?:input|select|textarea)$/.test(localName);

/** What a visitor calls a control: its label. */
export function nameOf(control: PageElement): string {
  const label = control.getAttribute('aria-label');
  if (label !== null) return label;
  if (/^(?:button|details|g)$/.test(control.localName)) return control.text;
  const around = control.closest('label');
  if (around !== null) return around.ownText;
  const id = control.getAttribute('id');
  const pointed = control.root.within.find(
    (each) => each.localName === 'label' && id !== null && each.getAttribute('for') === id,
  );
  return pointed?.text ?? control.getAttribute('name') ?? control.localName;
}

/** Colours and marks that say something. */
const meanings =
  /^(?:good|busy|warn|warn-text|bad|planned|idle|over|taken|back|selected|visited|current|impaired|unsaved|reading|primary|past|dragged|unreachable|fault)$/;

const meaningOf = (element: PageElement): string => {
  const found = (element.getAttribute('class') ?? '').split(' ').filter((name) => meanings.test(name));
  return found.length === 0 ? '' : `{${found.join(' ')}} `;
};

const states = ['aria-pressed', 'aria-expanded', 'aria-selected', 'aria-current'] as const;

const stateOf = (element: PageElement): string =>
  states
    .filter((name) => element.attributes.has(name) && element.getAttribute(name) !== 'false')
    .map((name) => `, ${name.slice('aria-'.length)}`)
    .join('');

/** The page as a reader has it, a line for each line of it: texts, links with where they lead, controls with what they hold. */
export function outlineOf(root: PageElement): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const end = (): void => {
    const text = line.replace(/\s+/g, ' ').trim();
    if (text !== '') lines.push(text);
    line = '';
  };
  const visit = (node: PageNode): void => {
    if (!(node instanceof PageElement)) {
      line += (node as PageNode & { data: string }).data;
      return;
    }
    const { localName: name } = node;
    const within = (): void => node.childNodes.forEach(visit);
    if (node.attributes.has('hidden')) return;
    const meaning = meaningOf(node);
    if (isField(node)) {
      if (node.getAttribute('type') !== 'hidden') line += ` ${control(node)} `;
    } else if (name === 'button') {
      const label = node.getAttribute('aria-label');
      const isOff = node.attributes.has('disabled') ? ', disabled' : '';
      line += ` ${meaning}<${label ?? node.text}${isOff}${stateOf(node)}> `;
    } else if (name === 'a') {
      line += `${meaning}[${node.text}${stateOf(node)}](${node.getAttribute('href')})`;
    } else if (name === 'td' || name === 'th') {
      line += ` | ${meaning}`;
      within();
    } else if (name === 'label' && node.within.some(isField)) {
      end();
      within();
      end();
    } else if (inline.test(name)) {
      line += meaning;
      within();
    } else {
      end();
      const heading = /^h([1-6])$/.exec(name);
      if (heading) line = `${'#'.repeat(Number(heading[1]))} `;
      if (node.getAttribute('role') === 'alert') line = '! ';
      if (name === 'details' && !node.open) line = '(closed) ';
      if (name === 'dialog' && !node.open) return;
      line += meaning;
      within();
      end();
    }
  };
  visit(root);
  end();
  return lines.filter((text) => text !== '!' && text !== '|');
}
