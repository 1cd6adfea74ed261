import type { JSX } from 'preact';
import { query } from '../api/client.js';
import type { WindowFigures, WindowName } from '../api/noc.js';
import { percent, whole } from '../parts/format.js';
import { Empty } from '../parts/notice.js';
import { Panel } from '../parts/panel.js';
import { windowWords } from './figures.js';

/** Causes of failed calls, most frequent first, each with what to do. */
export function Failures({ figures, window }: { figures: WindowFigures; window: WindowName }): JSX.Element {
  return (
    <Panel title="Failures by cause" aside={windowWords[window]}>
      {figures.failures.length === 0 && (
        <Empty title="No failed calls">{figures.attempts === 0 ? 'There were no calls.' : undefined}</Empty>
      )}
      <ul class="failures">
        {figures.failures.map((failure) => (
          <li key={`${failure.end_reason} ${failure.sip_status} ${failure.direction}`}>
            <div class="failure-line">
              <b class="figure failure-count">{whole(failure.count)}</b>
              <a href={addressOf(failure, window)}>
                {failure.cause}
                <span class="muted">
                  {' '}
                  {failure.direction}
                  {failure.sip_status !== null && `, ${failure.sip_status}`},{' '}
                  {percent((failure.count / figures.attempts) * 100)} of calls
                </span>
              </a>
            </div>
            <span class="failure-bar" aria-hidden="true">
              <span style={{ width: `${(failure.count / figures.attempts) * 100}%` }} />
            </span>
            <p class="note">{failure.advice}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function addressOf({ direction, sip_status }: WindowFigures['failures'][number], window: WindowName): string {
  return `/calls${query({ direction, code: sip_status ?? undefined, span: window === '24h' ? '24h' : '1h' })}`;
}
