import type { JSX } from 'preact';
import type { RunSummary } from '../../api/runs.js';
import { milliseconds, money } from '../../parts/format.js';
import { TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { RunState, scoreText } from './run-state.js';

interface RunTableProps {
  readonly runs: readonly RunSummary[];
  readonly label: string;
  /** On the page of one scenario its name says nothing. */
  readonly hidden?: 'scenario';
}

export function RunTable({ runs, label, hidden }: RunTableProps): JSX.Element {
  return (
    <WideTable label={label}>
      <TableHead
        columns={{
          Result: '',
          ...(hidden === undefined ? { Scenario: '' } : {}),
          Score: 'wide-only number',
          Version: 'wide-only number',
          Turns: 'wide-only number',
          Duration: 'wide-only number',
          Cost: 'wide-only number',
          Started: '',
        }}
      />
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <a class="plain-link" href={`/testing/runs/${run.id}`}>
                <RunState status={run.status} />
              </a>{' '}
              {run.channel === 'voice' && <span class="chip">By voice</span>}
              <small class="under narrow-only figure">{scoreText(run.overall_score)}</small>
            </td>
            {hidden === undefined && (
              <td class="breakable">
                <a href={`/testing/scenarios/${run.scenario.id}`}>{run.scenario.name}</a>
              </td>
            )}
            <td class="wide-only number figure">{scoreText(run.overall_score)}</td>
            <td class="wide-only number figure">{run.version_number ?? '–'}</td>
            <td class="wide-only number figure">{run.turn_count}</td>
            <td class="wide-only number figure">{milliseconds(run.duration_ms)}</td>
            <td class="wide-only number figure">{money(run.usage.cost)}</td>
            <td>
              <When at={run.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
