import type { JSX } from 'preact';
import type { Run } from '../../api/runs.js';
import { Panel } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { ScoreBar, scoreText } from './run-state.js';

const dimensions = [
  ['naturalness', 'Naturalness'],
  ['conciseness', 'Conciseness'],
  ['empathy', 'Empathy'],
  ['flow_preservation', 'Flow'],
  ['back_channeling', 'Back-channeling'],
  ['topic_transitions', 'Topic transitions'],
] as const;

export function TonePanel({ tone }: { tone: NonNullable<Run['service_tone_score']> }): JSX.Element {
  return (
    <Panel title="Tone" aside={<span class="figure">{scoreText(tone.overall_tone_score)}</span>}>
      <dl class="tone">
        {dimensions.map(([field, name]) => (
          <div key={field}>
            <dt>{name}</dt>
            <dd>
              <ScoreBar score={tone[field]} label={name} />
            </dd>
          </div>
        ))}
      </dl>
      {tone.issues.length > 0 && (
        <>
          <h3>Issues</h3>
          <ul class="fault-list">
            {tone.issues.map((issue) => (
              <li key={issue}>{issue}</li>
            ))}
          </ul>
        </>
      )}
      {tone.examples.length > 0 && (
        <>
          <h3>Examples</h3>
          <ul class="results">
            {tone.examples.map(({ turn, category, text, sentiment }) => (
              <li key={`${turn} ${category} ${text}`}>
                <State tone={sentiment === 'positive' ? 'good' : 'warn'}>
                  {category.replaceAll('_', ' ')}
                </State>{' '}
                <q>{text}</q> <small>line {turn + 1}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
