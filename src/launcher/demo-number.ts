import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { numberDocumentSchema } from '../contract/number.js';
import { runTrunkCommand } from '../edge/trunk/command.js';
import { PartFailed } from './managed-process.js';

/**
 * Configures the number that newcomers call, by the code of `demarc trunk put`. What is there already stays:
 * people try their changes on it. It names no agent, so it reaches the edge's default one wherever that listens.
 * @param environment where Redis is
 * @throws PartFailed when the document is refused or Redis is away; the text says which
 */
export async function ensureDemoNumber(
  environment: Readonly<Record<string, string>>,
  number: string,
): Promise<void> {
  const document: z.input<typeof numberDocumentSchema> = {
    version: 1,
    number,
    organization: 'demo',
    updated_at: new Date().toISOString(),
    inbound: [{ id: 'demo' }],
    // The demo's agent knows G.711 only; a caller with opus or G.722 should reach it all the same.
    codecs: { order: ['PCMU', 'PCMA', 'opus', 'G722'], transcode: true },
  };
  const found = await trunk(['get', number], environment, '');
  if (found.status === 0) return;
  const put = await trunk(['put', '--file', '-'], environment, JSON.stringify(document));
  if (put.status !== 0) throw new PartFailed(`the demo number could not be configured: ${put.text.trim()}`);
}

async function trunk(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string,
): Promise<{ status: number; text: string }> {
  let text = '';
  const status = await runTrunkCommand(argv, {
    environment,
    stdin: Readable.from([input]),
    out: () => undefined,
    error: (line) => {
      text += line;
    },
  });
  return { status, text };
}
