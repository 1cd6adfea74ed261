import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { NumberDocument } from '../contract/number.js';
import { ownRole } from './part.js';

/**
 * Configures the number that newcomers call, by the command that anybody would use.
 * @param environment where Redis is
 * @throws when the document is refused or Redis is away; the text says which
 */
export async function putDemoNumber(
  environment: Readonly<Record<string, string>>,
  number: string,
  agentUri: string,
): Promise<void> {
  const document: NumberDocument = {
    version: 1,
    number,
    organization: 'demo',
    updated_at: new Date().toISOString(),
    inbound: [{ id: 'demo', allowed_sources: [], credentials: [], agent_uri: agentUri }],
    outbound: [],
    codecs: { order: ['PCMU', 'PCMA', 'opus', 'G722'], transcode: false },
    limits: {},
  };
  const { file, args } = ownRole('trunk', 'put', '-');
  const running = promisify(execFile)(file, [...args], { env: { ...process.env, ...environment } });
  running.child.stdin?.end(JSON.stringify(document));
  await running;
}
