import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { ApiFailure } from '../api/client.js';
import { parseCertificates, type ReadCertificates, type TrustedCertificate } from '../api/trunks.js';
import { Facts } from '../parts/panel.js';
import { FieldProblem, type LabelProps, useField } from './fields.js';

const typingMilliseconds = 250;
const soonMilliseconds = 30 * 86_400_000;

/** PEM to paste or upload; shows what the certificates are, or why they are refused. */
export function CertificateField({ path, label, note }: LabelProps): JSX.Element {
  const field = useField(path);
  const pem = typeof field.value === 'string' ? field.value : '';
  const read = useCertificates(pem);
  const id = useId();
  const refusal = read !== undefined && !read.valid ? (read.reason ?? undefined) : undefined;
  return (
    <div class="field wide-field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={field.name}
        class="mono"
        rows={pem === '' ? 2 : 5}
        value={pem}
        placeholder="-----BEGIN CERTIFICATE-----"
        spellcheck={false}
        aria-describedby={`${id}-note`}
        aria-invalid={(refusal ?? field.problem) === undefined ? undefined : 'true'}
        onInput={(event) => field.set(event.currentTarget.value)}
      />
      <small id={`${id}-note`} class="note">
        {note}
      </small>
      <span class="buttons">
        <label class="button small upload">
          Upload a file
          <input
            type="file"
            class="unseen"
            accept=".pem,.crt,.cer,.txt,application/x-pem-file,application/x-x509-ca-cert"
            onChange={({ currentTarget: { files } }) => void files?.[0]?.text().then(field.set)}
          />
        </label>
        {pem !== '' && (
          <button type="button" class="small" onClick={() => field.set(undefined)}>
            Remove<span class="unseen"> {label}</span>
          </button>
        )}
      </span>
      <FieldProblem text={refusal ?? field.problem} />
      {read?.certificates.map((certificate) => (
        <Certificate certificate={certificate} key={certificate.fingerprint_sha256} />
      ))}
    </div>
  );
}

function Certificate({ certificate }: { certificate: TrustedCertificate }): JSX.Element {
  const { subject, issuer, valid_to, fingerprint_sha256, is_ca } = certificate;
  const remaining = Date.parse(valid_to) - Date.now();
  return (
    <div class="certificate">
      <Facts
        rows={[
          ['Subject', <span class="breakable">{subject}</span>],
          ['Issuer', <span class="breakable">{issuer === subject ? 'itself' : issuer}</span>],
          [
            'Expires',
            <span class={remaining < soonMilliseconds ? 'field-problem' : undefined}>
              {valid_to.slice(0, 10)}, in {Math.floor(remaining / 86_400_000)} days
            </span>,
          ],
          ['Kind', is_ca ? 'authority (CA)' : 'certificate of one server'],
          ['SHA-256', <span class="mono breakable">{fingerprint_sha256}</span>],
        ]}
      />
    </div>
  );
}

/** What the text is, shortly after the last keystroke; undefined: empty, or not known yet. */
function useCertificates(pem: string): ReadCertificates | undefined {
  const [read, setRead] = useState<ReadCertificates | undefined>();
  useEffect(() => {
    setRead(undefined);
    if (pem.trim() === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      parseCertificates(pem, abort.signal).then(setRead, (failure: ApiFailure) => {
        if (!abort.signal.aborted) setRead({ valid: false, reason: failure.message, certificates: [] });
      });
    }, typingMilliseconds);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [pem]);
  return read;
}
