import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks our own API, over TLS where its URL says so: Node's `fetch` takes no authority of ours. Rejects without an answer in 10 s. */
export function askApi(
  url: string,
  caFile: string | undefined,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
): Promise<ApiAnswer> {
  const isSecure = url.startsWith('https:');
  const send = isSecure ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal: AbortSignal.timeout(10_000) };
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
