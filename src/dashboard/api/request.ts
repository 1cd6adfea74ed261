import { Operations } from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

/**
 * One request, as a call of one method of the client: `(client) => client.startTestCall({ phone_number })`. The page passes the
 * client that sends it, or one that only notes what would be sent; so what is shown is what is sent.
 */
export type ApiRequest<Data = unknown> = (client: Operations) => Promise<{ readonly data: Data }>;

/** Rejects with `ApiFailure`. */
export const send = <Data>(request: ApiRequest<Data>): Promise<Data> => ask(request(demarc));

/** What goes over the wire for a request, without the session's cookie. */
export interface WrittenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

/** What `send` would send. Throws `TypeError` for a request that is not written at once, or whose body is no JSON. */
export function written(request: ApiRequest): WrittenRequest {
  let noted: WrittenRequest | undefined;
  const note = (path: string, { method = 'GET', headers, body }: RequestInit): void => {
    if (body !== undefined && typeof body !== 'string') throw new TypeError('Only JSON bodies can be shown');
    noted = {
      method,
      path,
      headers: withoutAgent(headers as Record<string, string>),
      ...(body === undefined ? {} : { body }),
    };
  };
  const client = new Operations({
    retries: 0,
    fetch: (url, init = {}) => {
      note(String(url), init);
      return new Promise(() => undefined);
    },
  });
  // It never settles: nothing was sent.
  void request(client).catch(() => undefined);
  if (noted === undefined) throw new TypeError('The request was not written at once');
  return noted;
}

/** What sends the request names itself. */
const withoutAgent = ({ 'user-agent': _agent, ...headers }: Record<string, string>): Record<string, string> =>
  headers;
