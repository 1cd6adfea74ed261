import type { JSX } from 'preact';
import type { CallDetail } from '../../api/calls.js';
import { clockTime, duration, milliseconds, whole } from '../../parts/format.js';
import { AsTable, Facts, Panel, TableHead } from '../../parts/panel.js';

/** How soon the agent replied; nothing for calls without a conversation. */
export function TurnsPanel({ call }: { call: CallDetail }): JSX.Element | null {
  if (call.answered_at === null || call.media === null) return null;
  const { turns } = call.media;
  if (turns === null) {
    return (
      <Panel title="Agent’s reply time">
        <p class="note">
          {call.state === 'ended'
            ? 'Not measured. It is measured while a call’s page is open.'
            : 'No reply heard yet. It is measured while this page is open.'}
        </p>
      </Panel>
    );
  }
  return (
    <Panel
      title="Agent’s reply time"
      note="From the end of the caller’s speech to the agent’s first audio, as they pass Demarc."
    >
      <Facts
        rows={[
          ['Median (p50)', <b class="figure">{milliseconds(turns.p50_milliseconds)}</b>],
          ['p95', <b class="figure">{milliseconds(turns.p95_milliseconds)}</b>],
          ['Slowest', <span class="figure">{milliseconds(turns.worst_milliseconds)}</span>],
          [
            'Replies',
            <span class="figure">
              {whole(turns.count)} in {duration(turns.measured_seconds)} measured
            </span>,
          ],
          [
            'Interruptions',
            <span class="figure">
              {whole(turns.interruptions)} times the agent began while the caller spoke
            </span>,
          ],
        ]}
      />
      <AsTable label="Replies of the agent">
        <TableHead columns={{ Time: '', 'Reply time': 'figure' }} />
        <tbody>
          {turns.replies.map((reply, index) => (
            <tr key={index}>
              <th scope="row">{clockTime(reply.at)}</th>
              <td class="figure">{milliseconds(reply.milliseconds)}</td>
            </tr>
          ))}
        </tbody>
      </AsTable>
    </Panel>
  );
}
