import { documentSignature } from '../../../contract/stream-signatures.js';
import { ForbiddenEndpoint, type JsonPoster, OversizedAnswer } from '../../models/post-json.js';
import { TwilioFailure, twilioCodes } from './failure.js';

export interface DocumentRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Of the call, as Twilio's requests for documents have them. */
  readonly fields: Readonly<Record<string, string>>;
  /** Opened signing secret of the organization; undefined: the request is not signed. */
  readonly secret: string | undefined;
  /** False: `https` alone. */
  readonly allowsHttp: boolean;
}

const maximumOctets = 64 * 1_024;
const milliseconds = 5_000;

/**
 * The TwiML document at a URL of the customer's, requested and signed as Twilio does it. Redirects are not followed. Throws
 * `TwilioFailure`.
 */
export async function fetchDocument(poster: JsonPoster, wanted: DocumentRequest): Promise<string> {
  const { method, fields, secret } = wanted;
  const url = new URL(wanted.url);
  if (url.protocol !== 'https:' && !wanted.allowsHttp) throw unreached('the URL must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw unreached('the URL must not contain a user or password');
  if (method === 'GET')
    for (const [name, value] of Object.entries(fields)) url.searchParams.append(name, value);
  const signature =
    secret === undefined
      ? {}
      : { 'X-Twilio-Signature': documentSignature(secret, url.href, method === 'GET' ? {} : fields) };
  const type = method === 'GET' ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
  const outOfTime = AbortSignal.timeout(milliseconds);
  try {
    const { status, text } = await poster.post({
      url: url.href,
      method,
      headers: { Accept: 'text/xml, application/xml', ...type, ...signature },
      body: method === 'GET' ? '' : new URLSearchParams(fields).toString(),
      maximumAnswerOctets: maximumOctets,
      signal: outOfTime,
    });
    if (status !== 200) throw unreached(`the server answered ${status}`);
    return text;
  } catch (error) {
    if (error instanceof TwilioFailure) throw error;
    if (error instanceof ForbiddenEndpoint)
      throw unreached('the URL leads to an address that this service does not send to');
    if (error instanceof OversizedAnswer)
      throw unreached(`the document has more than ${maximumOctets} octets`);
    if (outOfTime.aborted) throw unreached(`no answer within ${milliseconds / 1_000} s`);
    const { code, name } = error as NodeJS.ErrnoException;
    throw unreached(`the server is unreachable (${code ?? name})`);
  }
}

const unreached = (why: string): TwilioFailure =>
  new TwilioFailure(400, twilioCodes.documentUnreached, `The document was not fetched: ${why}.`);
