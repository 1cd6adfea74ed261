import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { escapeHidden } from '../../../contract/hidden-characters.js';
import type { ApiFailure } from '../../api/client.js';
import { may, whyNot } from '../../api/members.js';
import { useResource } from '../../api/resource.js';
import { type DeliveryDetail, readDelivery, replayDelivery } from '../../api/webhooks.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { milliseconds } from '../../parts/format.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { NamedState, State } from '../../parts/state.js';
import { Due, When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import '../../style/organization.css';

const everyMilliseconds = 3_000;

/** One delivery: its body, and what was sent and answered in each attempt. */
export function DeliveryPage(): JSX.Element {
  const { params } = useRoute();
  const id = params.id ?? '';
  const delivery = useResource(`delivery ${id}`, (signal) => readDelivery(id, signal), { everyMilliseconds });
  return (
    <Page title="Delivery" above={<Back href="/webhooks/deliveries" text="Deliveries" />}>
      <Loaded what="delivery" from={delivery}>
        {(found) => (
          <div class="organization-columns">
            <div>
              <DeliveryPanel delivery={found} onReplayed={delivery.reload} />
              <AttemptsPanel delivery={found} />
            </div>
            <Panel title="Body">
              {found.body === null ? (
                <p class="note">Created from the call when it is sent.</p>
              ) : (
                <Text text={JSON.stringify(found.body, null, 2)} label="Body of the event" />
              )}
            </Panel>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Text({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard.
    <section aria-label={label} tabIndex={0} class="head-text">
      {escapeHidden(text)}
    </section>
  );
}

export function DeliveryPanel({
  delivery,
  onReplayed,
}: {
  delivery: DeliveryDetail;
  onReplayed: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const isAllowed = may('webhooks:write');
  const isPossible = delivery.channel === 'webhook' && delivery.status !== 'pending';
  const reason = !isAllowed
    ? whyNot.value
    : isPossible
      ? undefined
      : 'Pending deliveries, email and SMS are not replayed.';
  return (
    <Panel title={delivery.event} aside={<NamedState name={delivery.status} />}>
      {problem !== undefined && (
        <Problem title="Not replayed">
          <p>{problem.message}</p>
        </Problem>
      )}
      <Facts
        rows={[
          ['To', <Untrusted key="to" text={delivery.target} />],
          ['Subject', <Untrusted key="subject" text={delivery.subject} />],
          ['Event id', <code key="event">{delivery.event_id ?? 'none'}</code>],
          ['X-Webhook-Id', <code key="id">{delivery.delivery_id}</code>],
          ['Created', <When key="created" at={delivery.created_at} />],
          ...(delivery.next_attempt_at === null
            ? []
            : [['Next attempt', <Due key="next" at={delivery.next_attempt_at} />] as const]),
          ...(delivery.last_error === null ? [] : [['Reason', delivery.last_error] as const]),
        ]}
      />
      <div class="buttons">
        <button
          type="button"
          disabled={!isAllowed || !isPossible}
          title={reason}
          onClick={() => {
            setProblem(undefined);
            replayDelivery(delivery.delivery_id).then(onReplayed, setProblem);
          }}
        >
          Replay
        </button>
      </div>
    </Panel>
  );
}

export function AttemptsPanel({ delivery }: { delivery: DeliveryDetail }): JSX.Element {
  return (
    <Panel
      title="Attempts"
      note="Latest first, including those before a replay. Heads and bodies are kept for 7 days."
    >
      {delivery.attempt_log.length === 0 && <Empty title="No attempt yet" />}
      {delivery.attempt_log.map((attempt, index) => (
        <Attempt key={attempt.at} attempt={attempt} isLatest={index === 0} />
      ))}
    </Panel>
  );
}

function Attempt({
  attempt,
  isLatest,
}: {
  attempt: DeliveryDetail['attempt_log'][number];
  isLatest: boolean;
}): JSX.Element {
  // A later attempt must not close the one that is being read.
  const [isOpen, setOpen] = useState(isLatest);
  return (
    <details class="attempt" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {attempt.error === null ? (
          <State tone="good">{attempt.status ?? 'Delivered'}</State>
        ) : (
          <State tone="bad">{attempt.error}</State>
        )}{' '}
        <span class="muted">
          <When at={attempt.at} />, {milliseconds(attempt.milliseconds)}
        </span>
      </summary>
      {attempt.request_head === null ? (
        <p class="note">What was sent is not stored.</p>
      ) : (
        <>
          <h3>Request</h3>
          <Text text={attempt.request_head} label={`Request head, ${attempt.at}`} />
          <h3>Response</h3>
          {attempt.response_head === null ? (
            <p class="note">
              {attempt.status === null
                ? 'No response.'
                : 'Not stored: responses from private addresses are stored only with DEMARC_WEBHOOK_SHOW_PRIVATE.'}
            </p>
          ) : (
            <Text
              text={`${attempt.response_head}\n\n${attempt.response_body ?? ''}`}
              label={`Response head and body, ${attempt.at}`}
            />
          )}
        </>
      )}
    </details>
  );
}
