import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiRequest } from '../../api/request.js';
import { RequestForm } from '../../forms/request-form.js';
import { count } from '../../parts/format.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import '../../style/organization.css';

const changes = {
  agent: 'Set the agent of inbound calls',
  server: 'Set the server of outbound calls',
  detach: 'Detach the numbers',
} as const;
type Change = keyof typeof changes;

/** What the API says of each number. */
export interface Result {
  readonly done: readonly string[];
  readonly failed: readonly { readonly phone_number: string; readonly message: string }[];
}

const numbersIn = (text: string): string[] => text.split(/[\s,;]+/).filter((number) => number !== '');

/** One request for all of them; each number succeeds or fails alone. */
export function changeOf(fields: FormData): ApiRequest<Result> {
  const textOf = (name: string): string => String(fields.get(name) ?? '').trim();
  const phone_numbers = numbersIn(textOf('numbers'));
  const value = textOf('value');
  const change = textOf('change') as Change;
  if (change === 'detach')
    return async (client) => {
      const directions = [{ type: 'inbound' }, { type: 'outbound' }] as const;
      const { data } = await client.detachNumbers({
        phone_numbers,
        directions: [...directions],
        service: 'sip',
      });
      return { data: { done: data.detached.map(({ phone_number }) => phone_number), failed: data.failed } };
    };
  const updates =
    change === 'agent'
      ? ({ type: 'inbound', agent: value } as const)
      : ({ type: 'outbound', sip_endpoint: value } as const);
  return async (client) => {
    const { data } = await client.updateNumbers({ phone_numbers, updates });
    return { data: { done: data.updated, failed: data.failed } };
  };
}

/** Changes up to a hundred numbers at once. */
export function SeveralNumbers({ onChanged }: { onChanged: () => void }): JSX.Element {
  const [change, setChange] = useState<Change>('agent');
  const [result, setResult] = useState<Result | undefined>();
  return (
    <Panel title="Change several numbers" note="Up to 100 at once; each succeeds or fails alone.">
      <RequestForm
        request={changeOf}
        scope="trunks:write"
        button={change === 'detach' ? 'Detach' : 'Change'}
        onSend={() => setResult(undefined)}
        onSent={(data) => {
          setResult(data);
          onChanged();
        }}
      >
        <label>
          Numbers <span class="note">one a line, E.164 with +</span>
          <textarea name="numbers" rows={4} required placeholder={'+14155550100\n+14155550101'} />
        </label>
        <label>
          Change
          <select
            name="change"
            value={change}
            onChange={(event) => setChange(event.currentTarget.value as Change)}
          >
            {Object.entries(changes).map(([name, text]) => (
              <option value={name} key={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
        {change === 'detach' ? (
          <label class="check">
            <input type="checkbox" required />
            Calls to these numbers get 404, and they can place no calls. Their records stay.
          </label>
        ) : (
          <label>
            {change === 'agent' ? 'Agent' : 'Server'}
            <input
              name="value"
              required
              autocomplete="off"
              placeholder={
                change === 'agent' ? 'sip:agent@agents.example.com' : 'sip:pbx.example.com;transport=tls'
              }
            />
          </label>
        )}
      </RequestForm>
      {result !== undefined && <Results result={result} />}
    </Panel>
  );
}

export function Results({ result: { done, failed } }: { result: Result }): JSX.Element {
  return (
    <>
      <p role="status">{count(done.length, 'number')} changed.</p>
      {failed.length > 0 && (
        <Problem title={`${count(failed.length, 'number')} not changed`}>
          <ul>
            {failed.map(({ phone_number, message }) => (
              <li key={phone_number}>
                {phone_number}: {message}
              </li>
            ))}
          </ul>
        </Problem>
      )}
    </>
  );
}
