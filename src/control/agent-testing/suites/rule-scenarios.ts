import { originOf, passageKey, type StatementDraft } from './drafts.js';
import type { Statement } from './statements.js';

/** Turns of a caller who brings about that a rule applies. */
const probingTurns = 8;
const maximumFigures = 5;

/**
 * One scenario for a statement, without a model: a fact with figures is asked for and must be said, a quoted phrase must be said or
 * avoided, and on any other statement a judge gets a question. Knowledge and prompts take turns, and a passage gets one scenario.
 */
export function ruleScenarios(statements: readonly Statement[], most: number): StatementDraft[] {
  return inTurns(groupsOf(statements)).slice(0, most).map(draftOf);
}

/** The prompts, and for each knowledge base the statement of each passage that says most. */
function groupsOf(statements: readonly Statement[]): Statement[][] {
  const groups = new Map<string, Map<string, Statement>>();
  for (const statement of statements) {
    const { passage, source, text } = statement;
    const [group, key] =
      passage === undefined ? ['prompts', `${source} ${text}`] : [passage.baseId, passageKey(passage)];
    const found = groups.get(group) ?? new Map<string, Statement>();
    groups.set(group, found);
    const present = found.get(key);
    if (present === undefined || (figuresOf(present.text).length === 0 && figuresOf(text).length > 0))
      found.set(key, statement);
  }
  return [...groups.values()].map((group) => [...group.values()]);
}

/** The first of each group, then the second of each, and so on. */
function inTurns(groups: readonly (readonly Statement[])[]): Statement[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    groups.flatMap((group) => (index < group.length ? [group[index]!] : [])),
  ).flat();
}

const figuresOf = (text: string): string[] =>
  [...new Set(text.match(/\p{N}(?:[\p{N}.,:/’-]*\p{N})?/gu) ?? [])].slice(0, maximumFigures);

function draftOf(statement: Statement): StatementDraft {
  const figures = statement.source === 'knowledge' ? figuresOf(statement.text) : [];
  if (figures.length > 0) return factDraft(statement, figures);
  return statement.source === 'knowledge' ? answerDraft(statement) : promiseDraft(statement);
}

function factDraft(statement: Statement, figures: readonly string[]): StatementDraft {
  const question = questionOn(statement, figures[0]!);
  return {
    name: `Asks: ${question}`,
    category: 'HAPPY_PATH',
    callerName: null,
    caller: { lines: [question] },
    maximumTurns: 1,
    assertions: [
      {
        statement,
        assertion: { type: 'PHRASES', name: 'Says the figures', config: { required: [...figures] } },
      },
    ],
  };
}

const mostWords = 12;

/** In the words of the text, whatever its language: its own question, or what is said before the figure. */
function questionOn({ topic, text, passage }: Statement, figure: string): string {
  if (/[?？؟]$/.test(topic)) return topic;
  const words = text.slice(0, text.indexOf(figure)).match(/[\p{L}\p{N}][^\s]*/gu) ?? [];
  const before = words
    .slice(-mostWords)
    .join(' ')
    .replace(/[^\p{L}\p{N}]+$/u, '');
  const subject = topic || passage?.baseName || '';
  if (words.length < 2) return `${subject}${before === '' ? '' : `, ${before}`}?`;
  return topic === '' ? `${before}?` : `${topic}: ${before}?`;
}

function answerDraft(statement: Statement): StatementDraft {
  return {
    name: `Asks about: ${statement.topic || statement.text}`,
    category: 'HAPPY_PATH',
    callerName: null,
    caller: {
      prompt: `You call because you want to know what is said here, and do not know it yet: “${statement.text}” Ask for it as an ordinary caller would, without saying the answer. If the answer is vague, ask once more. Then say goodbye.`,
    },
    maximumTurns: probingTurns,
    assertions: [judged(statement, 'Answers as the knowledge says', answers)],
  };
}

/** Words after which a quoted phrase must not be said, in some languages. */
const negation =
  /\b(never|not|don['’]t|avoid|nie|niemals|nicht|keine?|jamais|pas|nunca|no|mai|nooit|niet)\b/i;
const quotation = /[“„«"]([^“”„«»"]{3,200})[”“»"]/u;

function promiseDraft(statement: Statement): StatementDraft {
  const { text } = statement;
  const quoted = quotation.exec(text);
  const phrase = quoted?.[1]?.trim() ?? '';
  const isForbidden = negation.test(text.slice(0, quoted?.index ?? 0));
  return {
    name: `Keeps: ${text}`,
    category: 'CUSTOM',
    callerName: null,
    caller: {
      prompt: `You call this agent to find out whether it keeps to one of its rules: “${text}” Bring about that the rule applies, as an ordinary caller would, and do not say that you know it. Invent what the agent asks for. Once the agent has had two occasions to keep to it or to break it, say goodbye.`,
    },
    maximumTurns: probingTurns,
    assertions: [
      /[\p{L}\p{N}]/u.test(phrase)
        ? {
            statement,
            assertion: {
              type: 'PHRASES',
              name: isForbidden ? 'Does not say the phrase' : 'Says the phrase',
              config: { [isForbidden ? 'forbidden' : 'required']: [phrase] },
            },
          }
        : judged(statement, 'Keeps to its rule', promises),
    ],
  };
}

const answers = {
  question: 'Does the agent answer the caller as its knowledge says?',
  verdicts:
    'true: the agent answers, and what it says agrees with the quote. false: it contradicts the quote, leaves out what decides, or says that it does not know.',
};
const promises = {
  question: 'Does the agent keep to its rule whenever it applies?',
  verdicts:
    'true: the conversation shows that it does. false: it breaks the rule, or nothing in the conversation shows whether it keeps to it.',
};

/** A question to the judge, who gets the quote as its evidence. */
export function judged(
  statement: Statement,
  name: string,
  { question, verdicts }: { readonly question: string; readonly verdicts: string },
): StatementDraft['assertions'][number] {
  return {
    statement,
    assertion: {
      type: 'LLM_JUDGE',
      name,
      config: {
        prompt: question,
        rubric: `${verdicts}\nQuote from ${originOf(statement)}:\n${statement.text}`,
      },
    },
  };
}
