import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Content of `<state dir>/ready.json` while the service is up. */
export const readyFileSchema = z.strictObject({
  sip: z.strictObject({ host: z.string(), port: z.int(), transport: z.literal('tls'), caFile: z.string() }),
  /** `url` serves /v1, /docs, /readyz and /metrics; `apiKey` belongs to the demo organization. */
  http: z.strictObject({
    url: z.string(),
    apiKey: z.string(),
    /** The CA of an HTTPS `url`. */
    caFile: z.string().optional(),
  }),
  redis: z.strictObject({ url: z.string() }),
  /** Absent in files of releases before 0.2. */
  postgres: z.strictObject({ url: z.string() }).optional(),
  /** `address:port`. */
  rtpengine: z.strictObject({ ng: z.string() }),
  /** `address:port` to which the agent runtime sends calls, over TCP and UDP, and the credentials for the digest challenge. */
  agents: z.strictObject({ listen: z.string(), username: z.string(), password: z.string() }),
  /** `number`: digits without plus. `agent`: SIP URI of the demo agent, if it runs; user `talk-400` speaks the tone code. */
  demo: z.strictObject({ number: z.string(), agent: z.string().optional() }),
});
export type ReadyFile = z.infer<typeof readyFileSchema>;

/** @returns undefined when nothing is up in this folder */
export function readReadyFile(stateDirectory: string): ReadyFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(stateDirectory, 'ready.json'), 'utf8');
  } catch {
    return undefined;
  }
  return readyFileSchema.parse(JSON.parse(text));
}
