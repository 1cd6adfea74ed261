import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to Demarc's API, over TLS where its URL says so: Node's `fetch` accepts no custom CA. Rejects on timeout. */
export function askApi(
  url: string,
  caFile: string | undefined,
  {
    method,
    headers = {},
    body,
    milliseconds = 10_000,
  }: { method: string; headers?: Record<string, string>; body?: string; milliseconds?: number },
): Promise<ApiAnswer> {
  const isSecure = url.startsWith('https:');
  const send = isSecure ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal: AbortSignal.timeout(milliseconds) };
    const ca = isSecure && caFile !== undefined ? { ca: readFileSync(caFile) } : {};
    const request = send(url, { ...options, ...ca }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A hung process keeps its calls, so it has twenty seconds (five checks) to recover. */
const aliveMilliseconds = 4_000;

/** For the watchdog: whether a Demarc role answers, regardless of the status. */
export const answersHttp = async (url: string, caFile?: string): Promise<boolean> => {
  await askApi(url, caFile, { method: 'GET', milliseconds: aliveMilliseconds });
  return true;
};
