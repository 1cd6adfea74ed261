import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { send } from '../../api/request.js';
import { allowCallers, type Configuration } from '../../api/trunks.js';
import { lackOf } from '../../forms/lack.js';
import { AsCurl } from '../../parts/as-curl.js';
import { numberText } from '../../parts/number-text.js';
import { State } from '../../parts/state.js';
import { isAddress } from './written.js';

interface CallersProps {
  /** Undefined: no number is chosen, or it has no inbound direction. */
  readonly configuration: Configuration | undefined;
  readonly phoneNumber: string;
  /** Addresses, CIDRs, or one host name. */
  readonly sources: readonly string[];
  readonly onChange: () => void;
}

/** Whether these addresses may call the number, and a button that lets them. */
export function Callers({ configuration, phoneNumber, sources, onChange }: CallersProps): JSX.Element {
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const ranges = sources.filter((range) => isAddress(range.replace(/\/\d+$/, '')));
  if (configuration === undefined) {
    return <p class="note">Choose a number that {sources.join(', ')} may call.</p>;
  }
  if (configuration.register_auth !== null || configuration.options.sip_username !== undefined) {
    return (
      <p class="note">
        {numberText(phoneNumber)} recognizes its PBX by user and password: its address need not be listed.
      </p>
    );
  }
  if (ranges.length === 0) {
    return (
      <p class="note">
        Calls are recognized by address. Enter the address from which {sources.join(', ')} calls. If it calls
        from another address, the last step shows it.
      </p>
    );
  }
  const allowed = configuration.allowed_ips ?? [];
  const missing = ranges.filter((range) => !allowed.includes(range));
  if (missing.length === 0) {
    return (
      <p>
        <State tone="good">Allowed</State> {ranges.join(', ')} may call {numberText(phoneNumber)}.
      </p>
    );
  }
  const request = allowCallers(phoneNumber, configuration.id, [...allowed, ...missing]);
  const save = (): void => {
    setIsSaving(true);
    setProblem(undefined);
    send(request)
      .then(onChange, setProblem)
      .finally(() => setIsSaving(false));
  };
  return (
    <>
      <p>
        <State tone="warn">Not listed</State> {missing.join(', ')} {missing.length === 1 ? 'is' : 'are'} not
        in the list of addresses that may call {numberText(phoneNumber)}.{' '}
        {allowed.length === 0 && 'As soon as one is listed, only listed addresses may call.'}
      </p>
      <AllowButton isSaving={isSaving} onClick={save}>
        {missing.length === 1 ? `Allow ${missing[0]}` : `Allow these ${missing.length}`}
      </AllowButton>
      <AsCurl requests={() => [request]} />
      {problem !== undefined && <p role="alert">{problem.message}</p>}
    </>
  );
}

interface AllowButtonProps {
  readonly isSaving?: boolean;
  readonly onClick: () => void;
  readonly children: string;
}

/** Adds to the addresses that may call; disabled with the reason for a session that may not change numbers. */
export function AllowButton({ isSaving = false, onClick, children }: AllowButtonProps): JSX.Element {
  const reasonId = useId();
  const refusal = lackOf('trunks:write');
  return (
    <p class="buttons">
      <button
        type="button"
        class="primary"
        onClick={onClick}
        disabled={isSaving || refusal !== undefined}
        aria-describedby={refusal === undefined ? undefined : reasonId}
      >
        {children}
      </button>
      {refusal !== undefined && (
        <span id={reasonId} class="note">
          {refusal}
        </span>
      )}
    </p>
  );
}
