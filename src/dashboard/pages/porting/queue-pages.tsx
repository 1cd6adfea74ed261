import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import {
  documentAddress,
  type Move,
  movePort,
  type OperatorPort,
  readQueue,
  readQueued,
} from '../../api/porting.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { Facts, Panel } from '../../parts/panel.js';
import { PortPanels } from './port-page.js';
import { PortTable } from './porting-page.js';

const everyMilliseconds = 30_000;

/** Requests of all organizations, for operators who submit them to a carrier manually. */
export function QueuePage(): JSX.Element {
  const queue = useResource('queue', readQueue, { everyMilliseconds });
  return (
    <Page title="Operator queue" above={<Back href="/porting" text="Porting" />}>
      <Panel title="Requests of all organizations">
        <Loaded what="port requests" from={queue}>
          {({ port_requests: ports }) =>
            ports.length === 0 ? (
              <Empty title="No port requests" />
            ) : (
              <PortTable ports={ports} path="/porting/queue" />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

/** One request with the data that the losing carrier compares, its documents, and the possible status changes. */
export function QueuedPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const port = useResource(`queued ${id}`, (signal) => readQueued(id, signal));
  return (
    <Page title="Port request in the queue" above={<Back href="/porting/queue" text="Operator queue" />}>
      <Loaded what="port request" from={port}>
        {(data) => (
          <>
            <MovePanel port={data} onDone={port.reload} key={data.updated_at} />
            <AccountPanel port={data} />
            <PortPanels port={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AccountPanel({ port }: { port: OperatorPort }): JSX.Element {
  const { losing_carrier: account } = port;
  const kinds = { proof: 'Bill or invoice', letter: 'Letter', signed_letter: 'Signed letter' };
  return (
    <Panel title="For the losing carrier" note="Each view of this page is logged.">
      <Facts
        rows={[
          ['Organization', port.organization],
          ['Customer', account.business_name ?? `${account.first_name} ${account.last_name}`],
          ['Authorized representative', `${account.first_name} ${account.last_name}`],
          ['Account number', account.account_number ?? 'None'],
          ['PIN', account.pin ?? 'None'],
          ['Address', Object.values(account.address).join(', ')],
        ]}
      />
      <ul>
        {port.documents.map(({ document_sid: id, kind, size }) => (
          <li key={id}>
            <a href={documentAddress(port.id, id)} download>
              {kinds[kind]}
            </a>{' '}
            <span class="note">{Math.ceil(size / 1024)} KB</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const moveLabels: Readonly<Record<Move, string>> = {
  sign: 'Signed on paper',
  progress: 'In progress at the losing carrier',
  complete: 'Completed: numbers are ported',
  fail: 'Failed: refused',
  cancel: 'Cancel',
};

function MovePanel({ port, onDone }: { port: OperatorPort; onDone: () => void }): JSX.Element {
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(port.phone_numbers.map(({ number }) => number));
  const [problem, setProblem] = useState<string | undefined>();
  if (port.allowed_moves.length === 0) {
    return (
      <Panel title="Move">
        <Empty title="The request is over" />
      </Panel>
    );
  }
  const lack =
    reason.trim() === ''
      ? 'Enter a reason first.'
      : chosen.length === 0
        ? 'Choose at least one number.'
        : undefined;
  const move = (state: Move): void => {
    setProblem(undefined);
    movePort(port.id, state, reason, [...chosen]).then(onDone, (failure: ApiFailure) =>
      setProblem(failure.message),
    );
  };
  return (
    <Panel title="Move" note="Say what happened at the carrier. Customers read the reason.">
      <label>
        Reason
        <input value={reason} maxLength={500} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <fieldset>
        <legend>Numbers</legend>
        {port.phone_numbers.map(({ number }) => (
          <label key={number}>
            <input
              type="checkbox"
              checked={chosen.includes(number)}
              onChange={() =>
                setChosen(
                  chosen.includes(number)
                    ? chosen.filter((chosenNumber) => chosenNumber !== number)
                    : [...chosen, number],
                )
              }
            />{' '}
            {numberText(number)}
          </label>
        ))}
      </fieldset>
      <div class="buttons">
        {port.allowed_moves.map((state) => (
          <button
            type="button"
            key={state}
            disabled={lack !== undefined}
            title={lack}
            onClick={() => move(state)}
          >
            {moveLabels[state]}
          </button>
        ))}
        {problem !== undefined && (
          <span role="alert" class="field-problem">
            {problem}
          </span>
        )}
      </div>
    </Panel>
  );
}
