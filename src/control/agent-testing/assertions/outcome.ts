import type { AssertionResult } from '../schemas/assertion.js';

export interface Outcome {
  readonly status: 'PASSED' | 'FAILED' | 'ERROR';
  /** Weighted mean of the scores, 0–1; null: there are none, or they weigh nothing. */
  readonly overallScore: number | null;
  readonly reasoning: string;
  /** Null unless ERROR. */
  readonly errorMessage: string | null;
}

type Scored = Pick<
  AssertionResult,
  'type' | 'name' | 'status' | 'is_required' | 'weight' | 'score' | 'reasoning'
>;

const titled = ({ name, type }: Scored): string => name ?? type;

/**
 * What the results say together: PASSED when every required assertion passed, ERROR when one could not be evaluated, required or
 * not, because then it is not known what the conversation was worth.
 */
export function outcomeOf(results: readonly Scored[]): Outcome {
  const overallScore = weightedMean(results);
  const broken = results.find(({ status }) => status === 'ERROR');
  if (broken !== undefined) {
    const errorMessage = `${titled(broken)} could not be evaluated: ${broken.reasoning}`;
    return { status: 'ERROR', overallScore, reasoning: errorMessage, errorMessage };
  }
  const failed = results.filter(({ status, is_required: isRequired }) => status === 'FAILED' && isRequired);
  const optional = results.filter(
    ({ status, is_required: isRequired }) => status === 'FAILED' && !isRequired,
  );
  const also = optional.length === 0 ? '' : ` Not required: ${optional.map(titled).join(', ')} failed.`;
  if (failed.length > 0) {
    const reasons = failed.map((result) => `${titled(result)}: ${result.reasoning}`).join(' ');
    return { status: 'FAILED', overallScore, reasoning: `${reasons}${also}`, errorMessage: null };
  }
  const reasoning =
    results.length === 0
      ? 'The conversation was completed; the scenario has no assertions.'
      : `Every required assertion passed.${also}`;
  return { status: 'PASSED', overallScore, reasoning, errorMessage: null };
}

function weightedMean(results: readonly Scored[]): number | null {
  let sum = 0;
  let weights = 0;
  for (const { score, weight } of results) {
    if (score === null) continue;
    sum += score * weight;
    weights += weight;
  }
  return weights === 0 ? null : sum / weights;
}
