import { resolve } from 'node:path';
import { readyMessage } from '../../base/supervised-process.js';
import { hostPortText, type Part, type PartContext } from '../part.js';

export interface AgentFacts {
  /** SIP URI for the number's document. */
  readonly uri: string;
}

/**
 * The demo voice agent: plays a tone, then echoes, and asks the API when digits are pressed. It is not part of an installation, so
 * `program` names its file.
 */
export async function agentPart(
  { settings, facts }: PartContext,
  program: string,
  api: { readonly url: string; readonly caFile: string | undefined },
): Promise<Part<AgentFacts>> {
  const listen = hostPortText(settings.agentSideAddress, await facts.port('agent'));
  return {
    facts: { uri: `sip:agent@${listen};transport=tcp` },
    plan: {
      name: 'agent',
      file: process.execPath,
      args: [...process.execArgv, resolve(program), '--listen', listen, '--api', api.url],
      environment: { NODE_EXTRA_CA_CERTS: api.caFile },
      channel: true,
      isolated: true,
      ready: async (started) => {
        await readyMessage(started);
      },
      readyWithinMilliseconds: 30_000,
      graceMilliseconds: 3_000,
    },
  };
}
