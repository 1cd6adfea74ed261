import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { WatchedLimits } from '../base/process-watchdog.js';

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

/** A process that does its work answers in milliseconds. */
const aliveMilliseconds = 2_000;

/** For the watchdog: whether a Demarc role answers, regardless of the status. */
export const answersHttp = async (url: string, caFile?: string): Promise<boolean> => {
  await askApi(url, caFile, { method: 'GET', milliseconds: aliveMilliseconds });
  return true;
};

/** A role that answers nothing for that time has failed. */
export const livenessOf = (url: string, seconds: number, caFile?: string): WatchedLimits => ({
  isAlive: () => answersHttp(url, caFile),
  maximumUnanswered: Math.max(1, Math.round((seconds * 1_000) / aliveMilliseconds)),
});
