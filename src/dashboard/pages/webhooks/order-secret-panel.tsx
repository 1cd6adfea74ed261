import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { createOrderSecret, type OrderSecret, readOrderSecret } from '../../api/webhooks.js';
import { lackOf } from '../../forms/lack.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { ShownSecret } from './shown-secret.js';

/** The secret that signs the webhooks of orders and alerts; endpoints have their own. */
export function OrderSecretPanel(): JSX.Element {
  const secret = useResource('webhook secret', readOrderSecret);
  const [created, setCreated] = useState<string | undefined>();
  return (
    <>
      {created !== undefined && <ShownSecret secret={created} url="orders and alerts" />}
      <Panel
        title="Secret of orders and alerts"
        note="Signs what is sent to the webhook of an order or an alert. Endpoints have their own secrets."
      >
        <Loaded what="the secret" from={secret}>
          {(shown) => (
            <OrderSecretState
              secret={shown}
              onCreated={(text) => {
                setCreated(text);
                secret.reload();
              }}
            />
          )}
        </Loaded>
      </Panel>
    </>
  );
}

interface StateProps {
  readonly secret: OrderSecret;
  readonly onCreated: (secret: string) => void;
}

export function OrderSecretState({ secret: { exists, created_at }, onCreated }: StateProps): JSX.Element {
  const { isBusy, problem, follow } = useAction();
  const lack = lackOf('webhooks:write');
  return (
    <>
      <p>
        {exists && created_at !== null ? (
          <>
            Created <When at={created_at} />. After a rotation both secrets sign for 24 hours.
          </>
        ) : (
          'None: these webhooks are not signed.'
        )}
      </p>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem.refusal}
        </p>
      )}
      <div class="buttons">
        <button
          type="button"
          disabled={isBusy || lack !== undefined}
          title={lack}
          onClick={() => follow(send(createOrderSecret), ({ secret }) => onCreated(secret))}
        >
          {exists ? 'Rotate' : 'Create secret'}
        </button>
      </div>
      <AsCurl requests={() => [createOrderSecret]} />
    </>
  );
}
