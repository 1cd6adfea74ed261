import type { z } from 'zod';
import { unsavedAssertions } from '../scenarios/unsaved-assertions.js';
import type { assertionInputs } from '../schemas/assertion.js';
import type { Category } from '../schemas/scenario.js';
import type { SuiteEvidence, SuiteScenario } from '../schemas/suite.js';
import type { PassagePlace, Statement } from './statements.js';

type AssertionDraft = z.input<typeof assertionInputs>[number];

/** A scenario for statements of a persona. */
export interface StatementDraft {
  readonly name: string;
  readonly category: Category;
  readonly callerName: string | null;
  /** What a model that plays the caller gets; or what the caller says, word for word. */
  readonly caller: { readonly prompt: string } | { readonly lines: readonly string[] };
  readonly maximumTurns: number;
  readonly assertions: readonly { readonly statement: Statement; readonly assertion: AssertionDraft }[];
}

const maximumName = 200;
const maximumDescription = 2_000;

/** Where a statement is from, for people. */
export const originOf = ({ source, passage }: Pick<Statement, 'source' | 'passage'>): string =>
  passage !== undefined
    ? `the knowledge base “${passage.baseName}”`
    : source === 'orchestration_prompt'
      ? 'the prompt on what the agent does'
      : 'the prompt on how the agent speaks';

/** The scenarios as they are returned, with names that no other scenario of the persona has. */
export function suiteOf(
  personaId: string,
  drafts: readonly StatementDraft[],
  taken: readonly string[],
): SuiteScenario[] {
  const names = new Set(taken);
  return drafts.map((draft) => {
    const name = freeName(draft.name, names);
    names.add(name);
    const { caller } = draft;
    return {
      scenario: {
        name,
        description: descriptionOf(draft),
        pathway_id: null,
        persona_id: personaId,
        category: draft.category,
        scenario_type: 'lines' in caller ? 'REPLAY' : 'AGENT',
        channel: 'text',
        tester_persona_prompt: 'prompt' in caller ? caller.prompt : '',
        tester_persona_name: draft.callerName,
        max_turns: draft.maximumTurns,
        request_data: {},
        input_messages:
          'lines' in caller ? caller.lines.map((content) => ({ role: 'user' as const, content })) : [],
        assertions: unsavedAssertions(draft.assertions.map(({ assertion }) => assertion)),
      },
      evidence: draft.assertions.map(({ statement }, at) => evidenceOf(statement, at)),
    };
  });
}

const evidenceOf = ({ source, text, passage }: Statement, at: number): SuiteEvidence => ({
  assertion: at,
  source,
  quote: text,
  kb_id: passage?.baseId ?? null,
  kb_name: passage?.baseName ?? null,
  call_id: null,
});

/** Control characters would begin new lines. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = wanted.replaceAll(/[\x00-\x1f\x7f-\x9f]+/g, ' ').trim() || 'Scenario';
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : ` (${count})`;
    const free = `${name.slice(0, maximumName - suffix.length).trim()}${suffix}`;
    if (!taken.has(free)) return free;
  }
}

/** Each quote is one line, by which `testedQuotes` finds it again. */
function descriptionOf({ assertions }: StatementDraft): string {
  const lines = assertions.flatMap(({ statement }) => [`From ${originOf(statement)}:`, statement.text]);
  let description = '';
  for (const line of new Set(lines)) {
    if (description.length + line.length >= maximumDescription) break;
    description += description === '' ? line : `\n${line}`;
  }
  return description;
}

/** The quotes that stored scenarios test, by their descriptions. */
export const testedQuotes = (descriptions: readonly (string | null)[]): ReadonlySet<string> =>
  new Set(descriptions.flatMap((description) => description?.split('\n') ?? []));

/** One passage, as a key. */
export const passageKey = ({ baseId, position }: PassagePlace): string => `${baseId} ${position}`;
