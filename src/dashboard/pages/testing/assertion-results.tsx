import type { JSX } from 'preact';
import type { AssertionResult } from '../../api/runs.js';
import { Empty } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { State, type Tone } from '../../parts/state.js';
import { type AssertionType, assertionForms } from './assertion-fields.js';
import { scoreText } from './run-state.js';

export const resultStates: Readonly<Record<AssertionResult['status'], readonly [tone: Tone, word: string]>> =
  {
    PASSED: ['good', 'Passed'],
    FAILED: ['bad', 'Failed'],
    ERROR: ['warn', 'Error'],
  };

/** Its name, or what it is. */
export const titleOf = ({ name, type }: Pick<AssertionResult, 'name' | 'type'>): string =>
  name ?? assertionForms[type].title;

export function AssertionResults({
  results,
  isEnded,
}: {
  results: readonly AssertionResult[];
  isEnded: boolean;
}): JSX.Element {
  const passed = results.filter((result) => result.passed).length;
  return (
    <Panel title="Assertions" aside={results.length > 0 && `${passed} of ${results.length} passed`}>
      {results.length === 0 ? (
        <Empty title={isEnded ? 'No assertions were evaluated' : 'Evaluated after the conversation'} />
      ) : (
        <ol class="results">
          {results.map((result) => (
            <Result result={result} key={result.assertion_id} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Result({ result }: { result: AssertionResult }): JSX.Element {
  const [tone, word] = resultStates[result.status];
  const { title } = assertionForms[result.type as AssertionType];
  return (
    <li class="result">
      <p class="result-head">
        <State tone={tone}>{word}</State>
        <strong>{result.name ?? title}</strong>
        {!result.is_required && <span class="chip">Optional</span>}
        <span class="result-score figure">{scoreText(result.score)}</span>
      </p>
      <p class="prose">{result.reasoning}</p>
      {result.status !== 'PASSED' && (result.expected !== null || result.actual !== null) && (
        <dl class="facts">
          {result.expected !== null && (
            <div>
              <dt>Expected</dt>
              <dd class="breakable">{result.expected}</dd>
            </div>
          )}
          {result.actual !== null && (
            <div>
              <dt>Found</dt>
              <dd class="breakable">{result.actual}</dd>
            </div>
          )}
        </dl>
      )}
      <small>
        {result.name === null ? '' : `${title} · `}weight {result.weight}
        {result.judged_by !== null && ` · judged by ${result.judged_by}`}
      </small>
    </li>
  );
}
