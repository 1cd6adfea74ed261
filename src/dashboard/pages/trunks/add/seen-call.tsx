import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hasBadAudio } from '../../../../contract/audio-defect.js';
import type { ApiFailure } from '../../../api/client.js';
import type { CallEvent, LiveCall } from '../../../api/noc.js';
import { send } from '../../../api/request.js';
import { allowCallers, type Configuration } from '../../../api/trunks.js';
import { lackOf } from '../../../forms/lack.js';
import { AsCurl } from '../../../parts/as-curl.js';
import { PhoneNumber } from '../../../parts/phone-number.js';
import { NamedState, State, type Tone } from '../../../parts/state.js';
import { endReasonWords, failureWords } from '../../call/end-reasons.js';
import { addAddress, type StepName } from './steps.js';

interface SeenCallProps {
  readonly call: LiveCall;
  /** Undefined while the call is active. */
  readonly end: CallEvent['end'] | undefined;
  readonly phoneNumber: string;
  readonly inbound: Configuration | undefined;
  readonly onChange: () => void;
}

/** A call to the new number: its state, or how it ended, why, and what to change. */
export function SeenCall({ call, end, phoneNumber, inbound, onChange }: SeenCallProps): JSX.Element {
  const link = (
    <a href={`/calls/${encodeURIComponent(call.call_id)}`}>
      from <PhoneNumber text={call.from} />
    </a>
  );
  if (end === undefined || end === null) {
    return (
      <p>
        <NamedState name={call.state} /> {link}
      </p>
    );
  }
  const [tone, words] = resultOf(end);
  return (
    <div class="seen-call">
      <p>
        <State tone={tone}>{words}</State> {link}
      </p>
      {tone !== 'good' && (
        <>
          <p>
            {end.cause} {end.advice}
          </p>
          {end.detail !== null && <p class="note">{end.detail}</p>}
          <Remedy
            reason={end.end_reason}
            address={call.trunk.address}
            phoneNumber={phoneNumber}
            inbound={inbound}
            onChange={onChange}
          />
        </>
      )}
    </div>
  );
}

/** A conversation in which both sides were heard is the proof that the number works. */
export function resultOf(end: NonNullable<CallEvent['end']>): readonly [tone: Tone, words: string] {
  if (hasBadAudio(end)) return ['warn', `Answered, but ${endReasonWords(end.end_reason).toLowerCase()}`];
  if (end.outcome === 'completed') return ['good', 'Answered, and heard both ways'];
  if (end.outcome === 'cancelled') return ['idle', 'Cancelled by the caller before it was answered'];
  return ['bad', `${end.outcome === 'refused' ? 'Refused' : 'Failed'}: ${failureWords(end)}`];
}

/** Where each cause is changed, if it is a setting of this number. */
const settings: Readonly<Record<string, readonly [step: StepName, words: string]>> = {
  refused_credentials: ['callers', 'Check user and password'],
  refused_guessing: ['callers', 'Check user and password'],
  agent_unreachable: ['number', 'Check the agent'],
  agent_refused: ['number', 'Check the agent'],
};

interface RemedyProps extends Pick<SeenCallProps, 'phoneNumber' | 'inbound' | 'onChange'> {
  readonly reason: string;
  /** `address:port` of the PBX. */
  readonly address: string;
}

function Remedy({ reason, address, phoneNumber, inbound, onChange }: RemedyProps): JSX.Element | null {
  if (reason === 'refused_source' && inbound !== undefined) {
    return (
      <AllowAddress
        address={hostOf(address)}
        phoneNumber={phoneNumber}
        inbound={inbound}
        onChange={onChange}
      />
    );
  }
  if (reason === 'refused_media') {
    return (
      <p class="buttons">
        <a class="button" href={`/trunks/${phoneNumber.replace('+', '')}/edit`}>
          Codecs and encryption of this number
        </a>
        <a href="/setup/pbx">How to turn on SRTP in your PBX</a>
      </p>
    );
  }
  const setting = settings[reason];
  if (setting === undefined) return null;
  return (
    <p class="buttons">
      <a class="button" href={addAddress(setting[0], phoneNumber)}>
        {setting[1]}
      </a>
    </p>
  );
}

/** `203.0.113.5` of `203.0.113.5:5061`, and the address of `[2001:db8::1]:5061`. */
const hostOf = (address: string): string => address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

function AllowAddress({
  address,
  phoneNumber,
  inbound,
  onChange,
}: Pick<RemedyProps, 'address' | 'phoneNumber' | 'onChange'> & {
  readonly inbound: Configuration;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const allowed = inbound.allowed_ips ?? [];
  if (allowed.includes(address)) {
    return (
      <p>
        <State tone="good">{address} may call now</State> Call again.
      </p>
    );
  }
  const request = allowCallers(phoneNumber, inbound.id, [...allowed, address]);
  const lack = lackOf('trunks:write');
  return (
    <>
      <p class="buttons">
        <button
          type="button"
          class="primary"
          disabled={lack !== undefined}
          title={lack}
          onClick={() => {
            setProblem(undefined);
            send(request).then(onChange, setProblem);
          }}
        >
          Allow {address}
        </button>
      </p>
      <AsCurl requests={() => [request]} />
      {problem !== undefined && <p role="alert">{problem.message}</p>}
    </>
  );
}
