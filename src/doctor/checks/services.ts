import { z } from 'zod';
import type { HostPort } from '../../config/environment.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, skipped } from '../finding.js';

const boundMilliseconds = 3_000;
const readinessSchema = z.object({
  status: z.string(),
  detail: z.string().optional(),
  parts: z
    .array(z.object({ name: z.string(), ready: z.boolean(), detail: z.string().optional() }))
    .optional(),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** @param readiness undefined: nothing listens there */
export function judgeService(name: string, readiness: Readiness | undefined): Finding {
  if (readiness === undefined) return skipped(`${name} does not run here.`);
  const { status, detail, parts = [] } = readiness;
  if (status === 'ready' || status === 'ok') return ok(`${name} is ready.`);
  const bad = [
    ...(detail === undefined ? [] : [detail]),
    ...parts.filter(({ ready }) => !ready).map((part) => `${part.name}: ${part.detail ?? 'not ready'}`),
  ];
  return problem(
    `${name} is ${status}${bad.length > 0 ? ` (${bad.join('; ')})` : ''}.`,
    status === 'draining' ? 'It ends soon; new calls go to the others.' : 'Repair what it names.',
  );
}

async function ask(
  scheme: string,
  { host, port }: HostPort,
  token: string | undefined,
): Promise<Readiness | undefined> {
  const place = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  try {
    const answer = await fetch(`${scheme}://${place.includes(':') ? `[${place}]` : place}:${port}/readyz`, {
      signal: AbortSignal.timeout(boundMilliseconds),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    return readinessSchema.parse(await answer.json());
  } catch {
    return undefined;
  }
}

export const services: Check = {
  name: 'services',
  title: 'Services of this machine',
  async run({ edge, control, mediaStream }) {
    const findings: Finding[] = [];
    if (edge !== undefined)
      findings.push(judgeService('The edge', await ask('http', edge.http, edge.metricsToken)));
    if (control !== undefined && control.httpTls === undefined)
      findings.push(judgeService('Control', await ask('http', control.http, control.metricsToken)));
    if (mediaStream?.http.port === 0)
      findings.push(skipped('DEMARC_STREAM_HTTP has no fixed port: media-stream was not asked.'));
    else if (mediaStream !== undefined)
      findings.push(
        judgeService('media-stream', await ask('http', mediaStream.http, mediaStream.metricsToken)),
      );
    return findings;
  },
};
