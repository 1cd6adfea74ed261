import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { readExposition } from '../../metrics/merge.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, skipped, warning } from '../finding.js';
import { messageOf } from '../system.js';

const dayMilliseconds = 86_400_000;
/** Authorities renew thirty days before the end: with half of that left, renewal has failed. */
const warningDays = 14;
const boundMilliseconds = 3_000;

interface Pair {
  readonly use: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** The name or address by which peers connect; undefined: unknown. */
  readonly host: string | undefined;
}

/** @param pem certificates of the file, our own first */
export function judgeCertificate(pem: string, key: string, host: string | undefined, now: number): Finding[] {
  const certificates = [...pem.matchAll(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)].map(
    ([text]) => new X509Certificate(text),
  );
  const [own] = certificates;
  if (own === undefined)
    return [problem('The file has no certificate.', 'Write the certificate and its chain into it, as PEM.')];
  const findings: Finding[] = [];
  if (!own.checkPrivateKey(createPrivateKey(key)))
    findings.push(
      problem('The key is not that of the certificate.', 'Install the pair that belongs together.'),
    );
  const days = Math.floor((Date.parse(own.validTo) - now) / dayMilliseconds);
  if (Date.parse(own.validFrom) > now)
    findings.push(
      problem(`The certificate is valid only from ${own.validFrom}.`, 'Check the clock, or wait.'),
    );
  if (days < 0)
    findings.push(
      problem(`The certificate expired on ${own.validTo}.`, 'Renew it now: no carrier connects.'),
    );
  else if (days < warningDays)
    findings.push(
      warning(
        `The certificate expires in ${days} days.`,
        'Renew it; the files are read again without a restart.',
      ),
    );
  if (host !== undefined && (isIP(host) === 0 ? own.checkHost(host) : own.checkIP(host)) === undefined)
    findings.push(
      problem(
        `The certificate is not for ${host} (${own.subjectAltName ?? own.subject}).`,
        'Get one for the name or address that carriers connect to.',
      ),
    );
  const last = certificates.at(-1)!;
  if (own.issuer !== own.subject && last === own && !own.ca)
    findings.push(
      warning(
        `The file has no intermediate certificate (issuer ${own.issuer.replaceAll('\n', ', ')}).`,
        'Append the chain, unless peers have the issuer itself.',
      ),
    );
  for (const [index, certificate] of certificates.slice(0, -1).entries()) {
    if (certificate.verify(certificates[index + 1]!.publicKey)) continue;
    findings.push(
      problem(
        'The chain is not in order: a certificate was not signed by the next one.',
        'Own certificate first, then its issuers.',
      ),
    );
    break;
  }
  return findings.length > 0
    ? findings
    : [ok(`Certificate for ${own.subjectAltName ?? own.subject}, ${days} days left`)];
}

function judgePair({ use, certificateFile, keyFile, host }: Pair, now: number): Finding[] {
  try {
    const findings = judgeCertificate(
      readFileSync(certificateFile, 'utf8'),
      readFileSync(keyFile, 'utf8'),
      host,
      now,
    );
    // A group may read it: the ACME hook runs as root and the engine as another user.
    if ((statSync(keyFile).mode & 0o027) !== 0)
      findings.push(warning(`Other users can read or replace ${keyFile}.`, `chmod 640 ${keyFile}`));
    return findings.map((finding) => ({ ...finding, text: `${use}: ${finding.text}` }));
  } catch (error) {
    return [problem(`${use}: ${messageOf(error)}`, 'Correct the files of the certificate and its key.')];
  }
}

/**
 * The certificate of an engine in a separate process, whose files this environment does not name.
 * @param exposition the engine's metrics; empty: they cannot be read
 */
export function judgeEngineCertificate(exposition: string, now: number): Finding {
  if (exposition === '')
    return skipped(
      "The engine's certificate is unknown: its metrics (DEMARC_ENGINE_METRICS_URL) cannot be read.",
    );
  const seconds = /^demarc_engine_certificate_expiry_seconds (\S+)$/m.exec(exposition)?.[1];
  if (seconds === undefined) return skipped('The engine has no certificate.');
  const expiresAt = Number(seconds) * 1_000;
  const days = Math.floor((expiresAt - now) / dayMilliseconds);
  const at = new Date(expiresAt).toISOString();
  const advice = "Renew its files; the engine's log says if it refused them.";
  if (days < 0) return problem(`The engine's certificate expired on ${at}.`, advice);
  if (days < warningDays) return warning(`The engine's certificate expires in ${days} days.`, advice);
  return ok(`The engine's certificate expires in ${days} days.`);
}

export const certificates: Check = {
  name: 'certificates',
  title: 'Certificates',
  async run({ edge, control, now }) {
    const pairs: Pair[] = [];
    const { certificateFile, keyFile, advertisedHost: host } = edge?.engine ?? {};
    if (certificateFile !== undefined && keyFile !== undefined)
      pairs.push({ use: 'SIP', certificateFile, keyFile, host });
    if (control?.httpTls !== undefined) pairs.push({ use: 'HTTP', ...control.httpTls, host: undefined });
    const findings = pairs.flatMap((pair) => judgePair(pair, now()));
    if (edge?.drachtio !== undefined && edge.engineMetrics !== undefined)
      findings.push(
        judgeEngineCertificate(
          await readExposition(edge.engineMetrics, boundMilliseconds, edge.metricsToken),
          now(),
        ),
      );
    return findings.length > 0
      ? findings
      : [skipped('No certificate is set (DEMARC_TLS_CERT, DEMARC_TLS_KEY).')];
  },
};
