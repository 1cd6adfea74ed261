import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { type Analysis, analyzeRun, type Run } from '../../api/runs.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { scoreText } from './run-state.js';
import { StandInNotice } from './stand-in-notice.js';

const kinds: Readonly<Record<Analysis['suggestions'][number]['type'], string>> = {
  prompt_change: 'Prompt',
  node_config: 'Node',
  flow_change: 'Flow',
  tone_improvement: 'Tone',
};

/** Why a run failed, and what to change. */
export function AnalysisPanel({ run }: { run: Run }): JSX.Element {
  const [analysis, setAnalysis] = useState<Analysis | undefined>();
  const { isBusy, problem, follow } = useAction();
  const analyze = (): void => follow(analyzeRun(run.id), setAnalysis);
  return (
    <Panel
      title="Analysis"
      note="A model reads the conversation and the results, and suggests changes of the pathway."
    >
      {problem !== undefined && (
        <Problem title="Not analyzed">
          <p>{problem.message}</p>
        </Problem>
      )}
      {analysis === undefined ? (
        <div class="buttons">
          <button type="button" class="primary" disabled={isBusy} onClick={analyze}>
            {isBusy ? 'Analyzing …' : 'Analyze this run'}
          </button>
        </div>
      ) : (
        <>
          {analysis.is_stand_in && !run.models.is_stand_in && <StandInNotice />}
          <p class="prose">
            <strong>Cause:</strong> {analysis.root_cause}
          </p>
          <ol class="suggestions">
            {analysis.suggestions.map((suggestion, index) => (
              <Suggestion key={index} suggestion={suggestion} pathwayId={run.pathway_id} />
            ))}
          </ol>
          <small>Analyzed by {analysis.analyzed_by}</small>
        </>
      )}
    </Panel>
  );
}

function Suggestion({
  suggestion,
  pathwayId,
}: {
  suggestion: Analysis['suggestions'][number];
  pathwayId: string | null;
}): JSX.Element {
  const target = suggestion.target_node_name ?? suggestion.target_node_id;
  return (
    <li class="result">
      <p class="result-head">
        <span class="chip">{kinds[suggestion.type]}</span>
        <strong>{target ?? 'Whole agent'}</strong>
        <span class="result-score">
          <span class="muted">Confidence</span> <span class="figure">{scoreText(suggestion.confidence)}</span>
        </span>
      </p>
      <p class="prose">{suggestion.description}</p>
      <div class="change-values">
        <div class="added">
          <span aria-hidden="true">+</span>
          <span>{suggestion.suggested_change}</span>
        </div>
      </div>
      {pathwayId !== null && (
        <p>
          <a href={`/pathways/${pathwayId}/edit`}>Edit the pathway</a>
        </p>
      )}
    </li>
  );
}
