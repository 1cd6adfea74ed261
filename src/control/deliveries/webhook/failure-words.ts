import { whyRefused } from '../../../base/certificate-verification.js';

/** By the code of the error. */
const failures: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'The host name of the URL has no address'],
  ['EAI_AGAIN', 'The lookup of the URL’s host name failed'],
  ['ECONNREFUSED', 'Connection refused by the receiver'],
  ['ECONNRESET', 'The receiver closed the connection before responding'],
  ['EPIPE', 'The receiver closed the connection before responding'],
  ['EHOSTUNREACH', 'No route to the receiver'],
  ['ENETUNREACH', 'No route to the receiver'],
  ['ETIMEDOUT', 'The receiver did not respond in time'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The receiver’s certificate is for another name'],
]);

/** The receiver did not respond in time. */
export const isLate = ({ name }: Error): boolean => name === 'AbortError' || name === 'TimeoutError';

/** Why no response arrived, without details of the internal network. */
export function describeFailure(error: Error, timeoutMilliseconds: number): string {
  if (isLate(error)) {
    return `The receiver did not respond within ${timeoutMilliseconds} ms`;
  }
  // Several addresses were tried.
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const code = String((first as { code?: unknown }).code ?? first.name);
  const why = whyRefused(code);
  if (why !== undefined) return `The receiver’s certificate is refused: ${why}`;
  return failures.get(code) ?? `The connection to the receiver failed (${code})`;
}
