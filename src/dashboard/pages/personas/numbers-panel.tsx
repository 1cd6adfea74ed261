import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { attachmentOf, detachNumber, type Persona } from '../../api/personas.js';
import { send } from '../../api/request.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Empty, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';

/** The numbers whose calls the persona answers. */
export function NumbersPanel({
  persona,
  onChanged,
}: {
  persona: Persona;
  onChanged: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const act = (change: Promise<unknown>): void => {
    setProblem(undefined);
    change.then(onChanged, setProblem);
  };
  const request = (fields: FormData) => attachmentOf(persona.id, String(fields.get('number') ?? '').trim());
  const attach = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    act(send(request(new FormData(form))).then(() => form.reset()));
  };
  return (
    <Panel
      title="Numbers"
      note="Inbound calls to these numbers get the persona. A number of another persona moves here."
    >
      {persona.inbound_numbers.length === 0 ? (
        <Empty title="No numbers" />
      ) : (
        <ul class="checks">
          {persona.inbound_numbers.map((number) => (
            <li key={number}>
              <a class="figure" href={`/trunks/${number.slice(1)}`}>
                <PhoneNumber text={number} />
              </a>{' '}
              <button type="button" class="small" onClick={() => act(detachNumber(persona.id, number))}>
                Detach<span class="unseen"> {number}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <form class="filters" onSubmit={attach}>
        <label class="grow">
          Number
          <input name="number" required autocomplete="off" placeholder="+14155550100" />
        </label>
        <button type="submit">Attach</button>
        <AsCurl requests={(fields) => [request(fields)]} />
      </form>
      {problem !== undefined && (
        <Problem title="Not changed">
          <p>{problem.message}</p>
        </Problem>
      )}
    </Panel>
  );
}
