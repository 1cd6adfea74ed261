import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { type ApiRequest, send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import {
  createSigningSecret,
  readSigningSecrets,
  removeSigningSecret,
  type SigningSecret,
} from '../../api/signing-secrets.js';
import { lackOf } from '../../forms/lack.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Copy } from '../../parts/copy.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { SetupPage } from './setup-page.js';

/** What all WebSocket agents of the organization share: the secrets that their handshakes are signed with. */
export function BotsPage(): JSX.Element {
  const secrets = useResource('signing secrets', readSigningSecrets);
  return (
    <SetupPage title="WebSocket bots">
      <Loaded what="the signing secrets" from={secrets}>
        {(list) => <SecretsPanel secrets={list} onChanged={secrets.reload} />}
      </Loaded>
      <Panel
        title="Check a bot"
        note="Calls the bot without a trunk, and says what is wrong: first messages, audio, interruption, digits, slow reading, hang-up, reconnection."
      >
        <p class="identifier">
          <code class="breakable">{checkCommand}</code>
          <Copy text={checkCommand} what="the command" />
        </p>
      </Panel>
    </SetupPage>
  );
}

const checkCommand = 'npx demarc bot check wss://bot.example.com/stream';

interface SecretsProps {
  readonly secrets: readonly SigningSecret[];
  readonly onChanged: () => void;
}

/** Two at most: the current one, and the one before until every bot has the new one. */
export function SecretsPanel({ secrets, onChanged }: SecretsProps): JSX.Element {
  const [created, setCreated] = useState<string | undefined>();
  const { isBusy, problem, follow } = useAction();
  const lack = lackOf('trunks:write');
  const ask = <Data,>(request: ApiRequest<Data>, use: (data: Data) => void): void => {
    follow(send(request), (data) => {
      use(data);
      onChanged();
    });
  };
  const isDisabled = isBusy || lack !== undefined;
  return (
    <Panel
      title="Signing secrets"
      note="Bots verify X-Demarc-Signature, or X-Twilio-Signature, of the handshake. After a rotation both secrets sign until you remove the earlier one."
      aside={
        <button
          type="button"
          class="small"
          disabled={isDisabled}
          title={lack}
          onClick={() => ask(createSigningSecret, ({ secret }) => setCreated(secret))}
        >
          {secrets.length === 0 ? 'Create secret' : 'Rotate'}
        </button>
      }
    >
      {created !== undefined && (
        <p class="identifier once" role="status">
          <b>Shown only now.</b> <code class="breakable">{created}</code>
          <Copy text={created} what="the signing secret" />
        </p>
      )}
      {problem !== undefined && (
        <Problem title="Not changed">
          <p>{problem.message}</p>
        </Problem>
      )}
      {secrets.length === 0 ? (
        <Empty title="No signing secret">Handshakes are not signed: bots cannot tell who connects.</Empty>
      ) : (
        <WideTable label="Signing secrets, the current one first">
          <TableHead columns={{ Secret: '', Created: '', State: '', Action: '' }} />
          <tbody>
            {secrets.map(({ secret_id: id, created_at }, at) => (
              <tr key={id}>
                <th scope="row" class="mono breakable">
                  {id}
                </th>
                <td>
                  <When at={created_at} />
                </td>
                <td>
                  <State tone={at === 0 ? 'good' : 'idle'}>{at === 0 ? 'Current' : 'Earlier'}</State>
                </td>
                <td>
                  <button
                    type="button"
                    class="small"
                    disabled={isDisabled}
                    title={lack}
                    onClick={() => ask(removeSigningSecret(id), () => {})}
                  >
                    Remove<span class="unseen"> {id}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      )}
      <AsCurl requests={() => [createSigningSecret]} />
    </Panel>
  );
}
