import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks our own API, over TLS where its URL says so: Node's `fetch` takes no authority of ours. Rejects without an answer in time. */
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

/** A process that stands still keeps its calls, so it has twenty seconds (five questions) to come to itself. */
const aliveMilliseconds = 4_000;

/** For the watchdog: whether one of our roles answers, whatever it says. */
export const answersHttp = async (url: string, caFile?: string): Promise<boolean> => {
  await askApi(url, caFile, { method: 'GET', milliseconds: aliveMilliseconds });
  return true;
};
