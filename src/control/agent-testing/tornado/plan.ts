import { z } from 'zod';
import { type PathwayDocument, withoutLayout } from '../../pathways/index.js';
import type { MeteredModel } from '../conversation/metered-model.js';
import type { Analysis } from '../schemas/analysis.js';
import { applyFix, valueAt } from './fix.js';
import type { TornadoFix } from './tables.js';

/** A failed scenario with what the analyzer says of its run. */
export interface AnalyzedFailure {
  readonly scenarioId: string;
  readonly scenarioName: string;
  readonly analysis: Analysis;
}

const planSchema = z.strictObject({
  fixes: z
    .array(
      z.strictObject({
        type: z.enum(['prompt_edit', 'config_change', 'flow_change']),
        path: z.string().min(1).max(300),
        value: z.string().max(30_000).nullable(),
        description: z.string().min(1).max(2_000),
      }),
    )
    .max(20),
});

const instructions = `You improve the pathway of a telephone agent: a JSON document of nodes and edges. You get the document and the analyses of failed tests. Plan the fewest fixes that make the tests pass without breaking other conversations, the most important first. Each fix has type (prompt_edit, config_change or flow_change), description (what it changes, and why), path and value. path is one of: nodes.ID.FIELD with FIELD name, prompt, text, condition or extract; edges.ID.FIELD with FIELD label, condition, when or target; nodes.ID or edges.ID for a whole new node (type default or end) or edge; settings.global_prompt. value is the new text; for lists and objects their JSON; null removes the field, node or edge. Nothing else can be changed.`;

const maximumExcerpt = 500;

export interface FixPlan {
  readonly fixes: readonly TornadoFix[];
  readonly document: PathwayDocument;
  readonly promptExcerpt: string;
}

/** Fields whose values are lists or objects. */
const hasJsonValue = (path: string): boolean =>
  /^(nodes|edges)\.[^.]+$/.test(path) || /\.(extract|when)$/.test(path);

/**
 * Fixes by the model, applied one after the other as far as conversations can follow the result. Without a usable one, the model is
 * asked once more, with the reasons. Rejects with a `ModelFailure`.
 * @param iteration ids of the fixes begin with it
 */
export async function planFixes(
  model: MeteredModel,
  document: PathwayDocument,
  failures: readonly AnalyzedFailure[],
  { iteration, signal }: { readonly iteration: number; readonly signal: AbortSignal },
): Promise<FixPlan> {
  const content = [
    `The pathway:\n${JSON.stringify(withoutLayout(document))}`,
    ...failures.map(
      ({ scenarioName, analysis: { root_cause, suggestions } }) =>
        `Failed test “${scenarioName}”:\n${JSON.stringify({ root_cause, suggestions })}`,
    ),
  ].join('\n\n');
  const messages = [
    { role: 'system' as const, content: `${instructions}\n\nAnswer with JSON.` },
    { role: 'user' as const, content },
  ];
  const ask = async (further: readonly { role: 'user'; content: string }[]): Promise<FixPlan> => {
    const request = { messages: [...messages, ...further], temperature: 0 };
    const { fixes } = await model.answer(request, 'fix_plan', planSchema, signal);
    return { ...applied(document, fixes, iteration), promptExcerpt: content.slice(0, maximumExcerpt) };
  };
  const plan = await ask([]);
  if (plan.fixes.some(({ is_applied: isApplied }) => isApplied)) return plan;
  const problems = plan.fixes.map(({ path, problem }) => `${path}: ${problem}`).join('\n');
  return ask([
    {
      role: 'user',
      content: `None of your fixes can be applied. Plan others.\n${problems || 'There were none.'}`,
    },
  ]);
}

type Planned = z.output<typeof planSchema>['fixes'][number];

function applied(
  document: PathwayDocument,
  planned: readonly Planned[],
  iteration: number,
): { fixes: TornadoFix[]; document: PathwayDocument } {
  let current = document;
  const changed = new Set<string>();
  const fixes = planned.map(({ type, path, value: text, description }, index): TornadoFix => {
    const fix = {
      id: `${iteration}-${index + 1}`,
      type,
      path,
      description,
      target_node: /^nodes\.([^.]+)/.exec(path)?.[1] ?? null,
    };
    const value = valueFor(path, text);
    const outcome = changed.has(path)
      ? { problem: 'An earlier fix of this plan changes it.' }
      : value === undefined
        ? { problem: 'The value is not JSON.' }
        : applyFix(current, { path, value });
    if (outcome.problem !== undefined)
      return { ...fix, before: null, after: value ?? text, is_applied: false, problem: outcome.problem };
    const before = valueAt(current, path);
    current = outcome.document;
    changed.add(path);
    return { ...fix, before, after: valueAt(current, path), is_applied: true, problem: null };
  });
  return { fixes, document: current };
}

/** @returns undefined: it is not the JSON that it should be */
function valueFor(path: string, text: string | null): unknown {
  if (text === null || !hasJsonValue(path)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
