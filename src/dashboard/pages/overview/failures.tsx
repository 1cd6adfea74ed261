import type { JSX } from 'preact';
import { query } from '../../api/client.js';
import { scope } from '../../api/live.js';
import type { WindowFigures, WindowName } from '../../api/noc.js';
import { percent, whole } from '../../parts/format.js';
import { Empty } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { failureWords } from '../call/end-reasons.js';
import { Direction } from '../calls/live-panel.js';
import { windowWords } from './figures.js';

type Failure = WindowFigures['failures'][number];

/** A cause of most calls says what to do without being asked. */
const openShare = 0.5;

const concernedWords: Readonly<Record<Failure['concerns'], string>> = {
  none: 'Callee',
  caller: 'Caller',
  customer: 'Your settings or PBX',
  service: 'Agent, trunk or network',
  fleet: 'Demarc',
};

/** Causes of failed calls, most frequent first; each leads to its calls, and opens what to do. */
export function Failures({ figures, window }: { figures: WindowFigures; window: WindowName }): JSX.Element {
  return (
    <Panel title="Failures by cause" aside={windowWords[window]}>
      {figures.failures.length === 0 && (
        <Empty title="No failed calls">{figures.attempts === 0 ? 'There were no calls.' : undefined}</Empty>
      )}
      {figures.failures.length > 0 && (
        <WideTable label="Causes of failed calls">
          <TableHead
            columns={{
              Calls: 'number',
              Share: 'number wide-only',
              Cause: '',
              Concerns: 'wide-only',
              Direction: 'wide-only',
            }}
          />
          <tbody>
            {figures.failures.map((failure) => (
              <tr key={`${failure.end_reason} ${failure.sip_status} ${failure.direction}`}>
                <td class="number figure">
                  <b>{whole(failure.count)}</b>
                </td>
                <td class="number figure wide-only">
                  {percent((failure.count / figures.attempts) * 100, 0)}
                </td>
                <th scope="row">
                  <State tone={failure.sip_status === 200 ? 'warn' : 'bad'}>
                    <a href={addressOf(failure, window)}>{failureWords(failure)}</a>
                  </State>
                  <details class="above-row advice" open={failure.count >= figures.attempts * openShare}>
                    <summary>What to do</summary>
                    <p class="note">
                      {failure.cause} {failure.advice}
                    </p>
                  </details>
                </th>
                <td class="wide-only">{concernedWords[failure.concerns]}</td>
                <td class="wide-only">
                  <Direction name={failure.direction} />
                </td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      )}
    </Panel>
  );
}

/** Exactly these calls. */
const addressOf = ({ end_reason, direction, sip_status }: Failure, window: WindowName): string =>
  `/calls${query({
    scope: scope.value === 'fleet' ? 'fleet' : undefined,
    end_reason,
    direction,
    code: sip_status ?? undefined,
    span: window,
  })}`;
