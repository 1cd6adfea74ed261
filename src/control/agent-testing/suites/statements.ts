import { sentencesOf } from '../../../base/sentences.js';

/** A sentence, list item or table row of a persona's texts that a conversation can confirm or contradict. */
export interface Statement {
  readonly source: 'orchestration_prompt' | 'personality_prompt' | 'knowledge';
  /** One line, word for word. */
  readonly text: string;
  /** A question of the text that it answers, else the heading above it; empty: neither. */
  readonly topic: string;
  /** Of knowledge alone. */
  readonly passage?: PassagePlace;
}

export interface PassagePlace {
  readonly baseId: string;
  readonly baseName: string;
  readonly position: number;
}

export interface PersonaTexts {
  readonly orchestration: string | null;
  readonly personality: string | null;
  readonly passages: readonly (PassagePlace & { readonly heading: string; readonly content: string })[];
}

/** A sentence beyond it says too much to be quoted. */
const maximumCharacters = 500;
/** Fewer letters are a heading, a name or a cell. */
const leastLetters = 8;

/** The statements of all texts, each once for its source. What depends on a variable of the call is none. */
export function statementsOf({ orchestration, personality, passages }: PersonaTexts): Statement[] {
  const prompts = (
    [
      ['orchestration_prompt', orchestration],
      ['personality_prompt', personality],
    ] as const
  ).flatMap(([source, text]) =>
    sentences(text ?? '', '').map((sentence): Statement => ({ source, ...sentence })),
  );
  const knowledge = passages.flatMap(({ heading, content, baseId, baseName, position }) =>
    sentences(content, heading.split(' › ').at(-1) ?? '').map(
      (sentence): Statement => ({
        source: 'knowledge',
        ...sentence,
        passage: { baseId, baseName, position },
      }),
    ),
  );
  const seen = new Set<string>();
  // Passages repeat the last sentence of the one before.
  return [...prompts, ...knowledge].filter(({ source, passage, text }) => {
    const key = `${passage?.baseId ?? source} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

type Sentence = Pick<Statement, 'text' | 'topic'>;

function sentences(text: string, heading: string): Sentence[] {
  let topic = heading;
  const found: Sentence[] = [];
  for (const line of linesOf(text)) {
    const title = /^#{1,6}\s+(\S.*?)[\s#]*$/.exec(line)?.[1];
    if (title !== undefined) {
      topic = title;
      continue;
    }
    for (const sentence of sentencesOf(withoutMark(line))) {
      const said = sentence.replaceAll(/[\s|]+/g, ' ').trim();
      if (/[?？؟]$/.test(said)) topic = said;
      else if (isStatement(said)) found.push({ text: said, topic });
    }
  }
  return found;
}

const isStatement = (text: string): boolean =>
  text.length <= maximumCharacters &&
  !text.includes('{{') &&
  (text.match(/\p{L}/gu)?.length ?? 0) >= leastLetters;

/** Without what begins a list item or a quotation. */
const withoutMark = (line: string): string => line.replace(/^(?:[*+>•–-]|\d{1,3}[.)])\s+/, '');

/** Lines with those that were broken for their length joined: they begin in lower case. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/).map((part) => part.trim())) {
    const last = lines.at(-1) ?? '';
    if (/^\p{Ll}/u.test(line) && last !== '' && !/^#|[.!?:;|]$/.test(last))
      lines[lines.length - 1] = `${last} ${line}`;
    else lines.push(line);
  }
  return lines;
}
