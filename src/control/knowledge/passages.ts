import { sentencesOf } from '../../base/sentences.js';

/** A piece of a text that is found and shown as a whole. */
export interface Passage {
  /** Titles of the sections around it, `Chapter › Section`; empty: none. */
  readonly heading: string;
  readonly content: string;
}

/** Characters; about 150 words: one thought, and little enough for a language model to read ten of them. */
const targetCharacters = 900;
/** Shorter sections share a passage with the next one in a text of so many that it would become too many passages. */
const leastCharacters = 300;
const manySections = 1_000;
/** Repeated from the end of the passage before it, for sentences that refer to what was said. */
const overlapCharacters = 160;
const headingCharacters = 300;

/** A part of a text that is not divided, and what stands before it in its passage. */
interface Unit {
  readonly text: string;
  readonly glue: '\n\n' | '\n' | ' ' | '';
}

interface Section {
  readonly path: readonly string[];
  readonly body: string;
}

/**
 * Splits a text at Markdown headings, paragraphs, lines and sentences, in this order. Every word of the text is in a passage or
 * in a heading.
 */
export function splitPassages(text: string): Passage[] {
  const passages: Passage[] = [];
  let heading = '';
  let content = '';
  const emit = (): void => {
    if (content.trim() !== '') passages.push({ heading, content: content.trim() });
    content = '';
  };
  const sections = sectionsOf(text);
  const least = sections.length > manySections ? leastCharacters : 0;
  for (const { path, body } of sections) {
    const title = path.at(-1);
    if (content.length >= least) emit();
    if (content.trim() === '') heading = path.join(' › ').slice(0, headingCharacters);
    else if (title !== undefined) content += `\n\n${title}`;
    for (const unit of unitsOf(body)) {
      if (content !== '' && content.length + unit.text.length > targetCharacters) {
        const overlap = lastWords(content);
        emit();
        heading = path.join(' › ').slice(0, headingCharacters);
        content = overlap;
      }
      content += content === '' ? unit.text : unit.glue + unit.text;
    }
  }
  emit();
  // Headings alone: they are all that there is to find.
  if (passages.length === 0) passages.push({ heading: '', content: text.trim().slice(0, targetCharacters) });
  return passages;
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  const titles: string[] = [];
  let lines: string[] = [];
  let isCode = false;
  const end = (): void => {
    sections.push({ path: titles.filter((title) => title !== ''), body: lines.join('\n') });
    lines = [];
  };
  const begin = (level: number, title: string): void => {
    end();
    titles.length = Math.min(titles.length, level - 1);
    while (titles.length < level - 1) titles.push('');
    titles.push(title.slice(0, headingCharacters));
  };
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    // A megabyte has half a million lines at most: the first character rules most of them out.
    if (!/[#=\-`~]/.test(line.charAt(line.search(/\S/)))) {
      lines.push(line);
      continue;
    }
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const atx = isCode ? null : /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
    const underline = isCode ? null : /^ {0,3}(=+|-{3,})[ \t]*$/.exec(line);
    const last = lines.at(-1)?.trim() ?? '';
    const isTitle = last !== '' && last.length <= headingCharacters && (lines.at(-2) ?? '').trim() === '';
    if (atx !== null) begin(atx[1]!.length, withoutClosing(atx[2]!));
    else if (underline !== null && isTitle) {
      lines.pop();
      begin(underline[1]!.startsWith('=') ? 1 : 2, last);
    } else lines.push(line);
  }
  end();
  return sections;
}

/** Without the `#`s that may close a heading. By hand: an expression takes quadratic time for a title with many blanks. */
function withoutClosing(title: string): string {
  const text = title.trim();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text;
}

/** Shorter lines end where they are meant to. */
const brokenCharacters = 40;
/** What begins a new item, row, quotation or code; a broken line continues with a word. */
const ownLine = /^(?:[*+-]|\p{N}+[.)])[ \t]|^[^\p{L}\p{N}(`*_"“‘«¿¡]/u;

/** Joins lines that were broken for their length. */
function unbroken(paragraph: string): string {
  if (/^[ \t]*(```|~~~)/m.test(paragraph)) return paragraph;
  let before = '';
  return paragraph
    .split('\n')
    .map((line, index) => {
      const isBroken =
        index > 0 && before.length >= brokenCharacters && !before.includes('|') && !ownLine.test(line);
      before = line;
      return index === 0 ? line : `${isBroken ? ' ' : '\n'}${line}`;
    })
    .join('');
}

const paragraphEnd = /\n[ \t]*(?:\n[ \t]*)+/;

function* unitsOf(body: string): Generator<Unit> {
  for (const paragraph of body.split(paragraphEnd)) {
    if (paragraph.trim() === '') continue;
    let glue: Unit['glue'] = '\n\n';
    for (const text of smaller(unbroken(paragraph.replace(/^\n+/, '').trimEnd()))) {
      yield { text, glue };
      glue = text.includes('\n') || paragraph.includes('\n') ? '\n' : ' ';
    }
  }
}

/** The paragraph; if it is too long its lines, of a long line the sentences, of a long sentence pieces. */
function smaller(paragraph: string): string[] {
  if (paragraph.length <= targetCharacters) return [paragraph];
  const lines = paragraph.split('\n');
  if (lines.length > 1) return packed(lines.flatMap(smaller), '\n');
  const sentences = sentencesOf(paragraph);
  if (sentences.length > 1) return packed(sentences.flatMap(smaller), ' ');
  return piecesOf(paragraph);
}

/** Joins neighbours as long as they fit, so that a thousand short lines are not a thousand units. */
function packed(parts: readonly string[], glue: string): string[] {
  const joined: string[] = [];
  let current = '';
  for (const part of parts) {
    if (current !== '' && current.length + glue.length + part.length > targetCharacters / 2) {
      joined.push(current);
      current = part;
    } else current = current === '' ? part : current + glue + part;
  }
  if (current !== '') joined.push(current);
  return joined;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** At blanks where there are any, else between characters. */
function piecesOf(sentence: string): string[] {
  const pieces: string[] = [];
  for (let rest = sentence; rest !== ''; ) {
    if (rest.length <= targetCharacters) {
      pieces.push(rest);
      break;
    }
    const blank = rest.lastIndexOf(' ', targetCharacters);
    const end = blank > targetCharacters / 2 ? blank : wholeCharacters(rest);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return pieces;
}

/** Where the last whole character within the target ends. */
function wholeCharacters(text: string): number {
  const around = text.slice(targetCharacters - 50, targetCharacters + 50);
  let end = targetCharacters;
  for (const { index } of graphemes.segment(around)) {
    if (index > 50) break;
    end = targetCharacters - 50 + index;
  }
  return Math.max(1, end);
}

/** The last sentence, if it is short enough. */
function lastWords(content: string): string {
  const last = sentencesOf(content.slice(-2 * overlapCharacters)).at(-1) ?? '';
  return last.length <= overlapCharacters && last.length < content.length / 2 ? last : '';
}
