import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { checkNumbers, type Port, type PortCheck, readPorts } from '../../api/porting.js';
import { useResource } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { Page } from '../../frame/page.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { NamedState, State } from '../../parts/state.js';
import { When } from '../../parts/time.js';

const everyMilliseconds = 30_000;

/** Port requests of the organization, and whether numbers can be ported at all. */
export function PortingPage(): JSX.Element {
  const ports = useResource('ports', readPorts, { everyMilliseconds });
  return (
    <Page
      title="Porting"
      beside={
        <div class="buttons">
          {session.value?.operator === true && (
            <a class="button" href="/porting/queue">
              Operator queue
            </a>
          )}
          <a class="button primary" href="/porting/new">
            Port numbers
          </a>
        </div>
      }
    >
      <CheckPanel />
      <Panel title="Requests" note="A port takes 7 to 14 business days after the letter is signed.">
        <Loaded what="port requests" from={ports}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No port requests">
                <a href="/porting/new">Port numbers</a> from another carrier to this service.
              </Empty>
            ) : (
              <PortTable ports={list} path="/porting" />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

/** @param path page of one request, without its id */
export function PortTable({
  ports,
  path,
}: {
  ports: readonly (Port & { readonly organization?: string })[];
  path: string;
}): JSX.Element {
  const hasOwner = ports.some(({ organization }) => organization !== undefined);
  return (
    <WideTable label="Port requests, newest first">
      <TableHead
        columns={{
          Numbers: '',
          State: '',
          ...(hasOwner ? { Organization: '' } : {}),
          'Port date': '',
          Requested: '',
        }}
      />
      <tbody>
        {ports.map((port) => (
          <tr key={port.id}>
            <td>
              <a href={`${path}/${port.id}`}>{numbersText(port)}</a>
            </td>
            <td>
              <NamedState name={port.status} />
            </td>
            {hasOwner && <td>{port.organization}</td>}
            <td>
              <When at={port.target_port_date} />
            </td>
            <td>
              <When at={port.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

export function numbersText({ phone_numbers: numbers }: Port): string {
  const [first] = numbers;
  return `${numberText(first?.number ?? '')}${numbers.length > 1 ? ` and ${numbers.length - 1} more` : ''}`;
}

export const numbersIn = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

function CheckPanel(): JSX.Element {
  const [results, setResults] = useState<readonly PortCheck[] | undefined>();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const check = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const numbers = numbersIn(String(new FormData(event.currentTarget).get('numbers') ?? ''));
    setProblem(undefined);
    checkNumbers(numbers).then(setResults, setProblem);
  };
  return (
    <Panel title="Check numbers" note="Numbers in E.164, such as +14155550100, separated by spaces.">
      <form class="filters" onSubmit={check}>
        <label class="grow">
          Numbers to check
          <input name="numbers" required autocomplete="off" placeholder="+14155550100" />
        </label>
        <button type="submit">Check</button>
      </form>
      {problem !== undefined && (
        <Problem title="Check failed">
          <p>{problem.message}</p>
        </Problem>
      )}
      {problem === undefined && results !== undefined && (
        <div role="status">
          <ul class="checks">
            {results.map((result) => (
              <li key={result.phone_number}>
                <State tone={result.portable ? 'good' : 'bad'}>
                  {result.phone_number} {result.portable ? 'can be ported' : 'cannot be ported'}
                </State>{' '}
                <span class="note">
                  {result.reason ?? result.number_type}
                  {result.pin_required && ', PIN required'}
                  {result.portable &&
                    result.source === 'numbering_plan' &&
                    ' (by the numbering plan; the losing carrier was not asked)'}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}
