import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { onEvent } from '../../api/live.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { readSightings, type Sighting } from '../../api/setup.js';
import { allowCallers, type Configuration } from '../../api/trunks.js';
import { ago } from '../../parts/format.js';
import { Problem } from '../../parts/notice.js';
import { Facts } from '../../parts/panel.js';
import { State, type Tone } from '../../parts/state.js';
import { now, When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import { AllowButton } from './callers.js';
import { answerOf, headlineOf, isContact, isRefusedSource } from './sighting-words.js';

/** The event stream brings them at once; this is for a stream that is blocked. */
const pollMilliseconds = 5_000;
const patienceMilliseconds = 90_000;

interface FirstContactProps {
  /** Empty: any number. */
  readonly phoneNumber: string;
  readonly configuration: Configuration | undefined;
  /** Address of the PBX as the user gave it. */
  readonly host: string | undefined;
  readonly onChange: () => void;
}

/** Waits for the first OPTIONS or INVITE of the PBX, and says what came and what was answered. */
export function FirstContact({ phoneNumber, configuration, host, onChange }: FirstContactProps): JSX.Element {
  const [openedAt] = useState(Date.now);
  const seen = useResource(
    `sightings ${phoneNumber}`,
    (signal) => readSightings(phoneNumber === '' ? undefined : phoneNumber, signal),
    { everyMilliseconds: pollMilliseconds },
  );
  const { reload } = seen;
  useEffect(() => onEvent('sighting', reload), [reload]);
  const sightings = seen.data ?? [];
  const contact = sightings.find(isContact);
  const isLate = sightings.length === 0 && now.value - openedAt > patienceMilliseconds;
  return (
    <>
      <p role="status" class="first-contact">
        {contact === undefined ? (
          <State tone="busy">
            {sightings.length === 0
              ? `Waiting for the first OPTIONS or INVITE${host === undefined ? '' : ` from ${host}`} …`
              : 'A request arrived, but no call can be set up yet'}
          </State>
        ) : (
          <State tone="good">
            {contact.method === 'INVITE'
              ? 'Connected: a call was admitted'
              : 'Connected: the PBX reaches Demarc over SIP'}
          </State>
        )}
      </p>
      {seen.failure !== undefined && (
        <Problem title="Requests cannot be shown">
          <p>{seen.failure.message}</p>
        </Problem>
      )}
      {isLate && <NothingYet phoneNumber={phoneNumber} host={host} />}
      <ol class="sightings">
        {sightings.map((sighting) => (
          <li key={`${sighting.at} ${sighting.source_address} ${sighting.source_port}`}>
            <Seen sighting={sighting} configuration={configuration} onChange={onChange} />
          </li>
        ))}
      </ol>
    </>
  );
}

export function NothingYet({
  phoneNumber,
  host,
}: {
  phoneNumber: string;
  host: string | undefined;
}): JSX.Element {
  return (
    <div class="note">
      <p>No request yet. Check, in this order:</p>
      <ul>
        <li>The PBX has loaded its new configuration, and sends OPTIONS (qualify, keep-alive).</li>
        <li>Its firewall lets it reach Demarc’s port over TCP.</li>
        <li>
          {phoneNumber === ''
            ? 'A number is chosen above. Without one, OPTIONS are shown only from configured addresses.'
            : host === undefined
              ? 'Its address is entered above and allowed. OPTIONS without a number are shown only then.'
              : `It calls from ${host}. OPTIONS without a number are shown only if your organization alone has configured their address.`}
        </li>
      </ul>
    </div>
  );
}

const toneOf = (sighting: Sighting): Tone => {
  if (isContact(sighting)) return 'good';
  return sighting.kind === 'handshake' || (sighting.status ?? 0) >= 400 ? 'bad' : 'warn';
};

interface SeenProps {
  readonly sighting: Sighting;
  readonly configuration: Configuration | undefined;
  readonly onChange: () => void;
}

export function Seen({ sighting, configuration, onChange }: SeenProps): JSX.Element {
  const { at, tls, user_agent, called, phone_number, call_id, cause, advice, detail } = sighting;
  return (
    <article class="seen">
      <p>
        <State tone={toneOf(sighting)}>{headlineOf(sighting)}</State>{' '}
        <span class="muted">{ago(Date.parse(at), now.value)}</span>
      </p>
      <p>
        {cause} {advice}
      </p>
      {detail !== null && sighting.kind === 'request' && <p class="note">{detail}</p>}
      {isRefusedSource(sighting) && (
        <AllowCaller sighting={sighting} configuration={configuration} onChange={onChange} />
      )}
      <Facts
        rows={[
          ['Answered', answerOf(sighting)],
          ...(called === null ? [] : [['Called', <Untrusted text={called} />] as const]),
          ...(user_agent === null ? [] : [['User-Agent', <Untrusted text={user_agent} />] as const]),
          ...(tls === null
            ? []
            : ([
                ['TLS', <span class="breakable">{`${tls.version}, ${tls.cipher}`}</span>],
                [
                  'Certificate',
                  tls.certificate === null ? (
                    'none presented (Demarc does not ask for one)'
                  ) : (
                    <span class="breakable">
                      <Untrusted text={tls.certificate.subject} />, valid until{' '}
                      <When at={tls.certificate.not_after} />
                    </span>
                  ),
                ],
              ] as const)),
          ...(call_id === null || phone_number === null
            ? []
            : [['Call', <a href={`/calls/${call_id}`}>SIP messages of the call</a>] as const]),
        ]}
      />
    </article>
  );
}

function AllowCaller({ sighting, configuration, onChange }: SeenProps): JSX.Element | null {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const { source_address: address, phone_number } = sighting;
  if (phone_number === null || configuration?.number !== phone_number) return null;
  const allowed = configuration.allowed_ips ?? [];
  if (allowed.includes(address)) {
    return (
      <p>
        <State tone="good">{address} is in the list now</State> Call again.
      </p>
    );
  }
  return (
    <>
      <AllowButton
        onClick={() => {
          setProblem(undefined);
          send(allowCallers(phone_number, configuration.id, [...allowed, address])).then(
            onChange,
            setProblem,
          );
        }}
      >
        {`Allow ${address}`}
      </AllowButton>
      {problem !== undefined && <p role="alert">{problem.message}</p>}
    </>
  );
}
