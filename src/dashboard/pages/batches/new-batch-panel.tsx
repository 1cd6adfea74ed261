import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { batchOf } from '../../api/batches.js';
import type { ApiFailure } from '../../api/client.js';
import type { ApiRequest } from '../../api/request.js';
import { OwnPathwayAndVoice, pathwayOf, voiceOf } from '../../forms/pathway-fields.js';
import { RequestForm } from '../../forms/request-form.js';
import { bareNumber, zoneName } from '../../parts/format.js';
import { momentOfField } from '../../parts/moment-field.js';
import { Panel } from '../../parts/panel.js';
import '../../style/organization.css';

/** Numbers as lists and tables have them: one a line, or between commas; with blanks, brackets and dashes. */
export const numbersOf = (text: string): readonly string[] =>
  text
    .split(/[\n,;]/)
    .map(bareNumber)
    .filter((number) => number !== '');

/** The batch that the form describes; what is empty is left to the API. */
export function batchRequest(fields: FormData): ApiRequest<{ readonly batch_id: string }> {
  const text = (name: string): string => String(fields.get(name) ?? '').trim();
  const { id, version } = pathwayOf(fields);
  return batchOf({
    from: bareNumber(text('from')),
    name: text('name'),
    task: text('task'),
    scheduled_at: momentOfField(text('scheduled_at')),
    pathway_id: id ?? undefined,
    pathway_version: version ?? undefined,
    voice: voiceOf(fields) ?? undefined,
    calls: numbersOf(text('numbers')).map((phone_number) => ({ phone_number })),
  });
}

/** What the API refused, with the place in the list that it is about. */
export function batchProblem({ faults: [fault], message }: Pick<ApiFailure, 'faults' | 'message'>): string {
  const [, index] = /^calls\.(\d+)/.exec(fault?.path ?? '') ?? [];
  return index === undefined ? message : `Number ${Number(index) + 1} of the list: ${fault?.message}`;
}

/** Orders up to a thousand calls from one number, and leads to their progress. */
export function NewBatchPanel(): JSX.Element {
  const { route } = useLocation();
  return (
    <Panel
      title="New batch"
      note="They are dialled in order, as fast as the limits of the number allow, each at most once."
    >
      <RequestForm
        request={batchRequest}
        scope="calls:write"
        button="Order the calls"
        problemOf={batchProblem}
        onSent={({ batch_id }) => route(`/calls/batches/${batch_id}`)}
      >
        <label>
          Call from
          <input
            name="from"
            required
            inputMode="tel"
            maxLength={64}
            autocomplete="off"
            placeholder="+1 415 555 0100"
          />
          <small class="note">One of your numbers with an outbound direction.</small>
        </label>
        <label>
          Name of the batch
          <input name="name" maxLength={200} autocomplete="off" placeholder="Friday reminders" />
        </label>
        <label>
          Numbers to call
          <textarea
            name="numbers"
            required
            rows={5}
            class="mono"
            spellcheck={false}
            placeholder={'+1 415 555 0198\n+1 415 555 0199'}
          />
          <small class="note">One a line, at most 1,000.</small>
        </label>
        <label>
          What the agent is to do
          <textarea name="task" required rows={2} maxLength={10_000} />
        </label>
        <label>
          Start at
          <input name="scheduled_at" type="datetime-local" />
          <small class="note">{zoneName(Date.now())}. Empty: now.</small>
        </label>
        <OwnPathwayAndVoice />
      </RequestForm>
    </Panel>
  );
}
