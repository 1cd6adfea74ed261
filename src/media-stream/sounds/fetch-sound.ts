import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import { guardedLookup } from '../../base/guarded-lookup.js';
import { type EgressPolicy, egressText } from '../../naming/egress.js';

/** Why a sound is not played, for the bot: never what a server has sent. */
export class SoundFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SoundFailure';
  }
}

export interface SoundFile {
  readonly octets: Buffer;
  /** Media type without parameters, in lower case. */
  readonly type: string;
}

/** Rejects with `SoundFailure`. */
export type FetchSound = (url: string) => Promise<SoundFile>;

export interface SoundFetcherDeps {
  readonly egress: EgressPolicy;
  readonly secureContext: SecureContext;
  readonly milliseconds?: number;
  readonly maximumOctets?: number;
}

const defaultMilliseconds = 5_000;
/** Two minutes at 16 kHz. */
const defaultMaximum = 4 * 1_024 * 1_024;

/** GET under the egress policy, checked for the address of the connection. Redirects are not followed. */
export function soundFetcher({
  egress,
  secureContext,
  milliseconds = defaultMilliseconds,
  maximumOctets = defaultMaximum,
}: SoundFetcherDeps): FetchSound {
  return async (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isTls = url?.protocol === 'https:';
    if (url === undefined || (!isTls && url.protocol !== 'http:'))
      throw new SoundFailure('the URL must begin with https://');
    if (!isTls && !egress.allowsPrivate)
      throw new SoundFailure('the URL must begin with https://: http is for private networks');
    if (url.username !== '' || url.password !== '')
      throw new SoundFailure('the URL must not contain a user or password');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    let forbidden: SoundFailure | undefined;
    const mayReach = (address: string): boolean => {
      const problem = egress.problemOf({ address, port, protocol: isTls ? 'tls' : 'tcp' });
      if (problem !== undefined) forbidden = new SoundFailure(egressText(host, problem));
      return problem === undefined;
    };
    if (isIP(host) !== 0 && !mayReach(host)) throw forbidden!;
    const lookup: LookupFunction = guardedLookup(mayReach, () => forbidden!);
    const outOfTime = AbortSignal.timeout(milliseconds);
    try {
      return await new Promise<SoundFile>((resolve, reject) => {
        const request = (isTls ? httpsRequest : httpRequest)(url, {
          agent: false,
          lookup,
          signal: outOfTime,
          headers: { Accept: 'audio/wav, audio/basic' },
          ...(isTls ? { secureContext } : {}),
        });
        request.on('error', reject);
        request.on('response', (response) => {
          read(response, maximumOctets).then(resolve, (error: unknown) => {
            request.destroy();
            reject(error as Error);
          });
        });
        request.end();
      });
    } catch (error) {
      if (forbidden !== undefined) throw forbidden;
      if (error instanceof SoundFailure) throw error;
      if (outOfTime.aborted)
        throw new SoundFailure(`the file was not received within ${milliseconds} ms`, { cause: error });
      const { code, message } = error as NodeJS.ErrnoException;
      throw new SoundFailure(`the server is unreachable (${code ?? message})`, { cause: error });
    }
  };
}

async function read(response: IncomingMessage, maximumOctets: number): Promise<SoundFile> {
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) throw new SoundFailure(`the server answered ${statusCode}`);
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > maximumOctets) throw new SoundFailure(`the file has more than ${maximumOctets} octets`);
    chunks.push(chunk);
  }
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return { octets: Buffer.concat(chunks), type };
}
