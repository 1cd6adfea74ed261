import { hostPortText, ownRole, type Part, type PartContext, readyMessage } from '../part.js';

export interface AgentFacts {
  /** SIP URI for the number's document. */
  readonly uri: string;
}

/** The demo voice agent: plays a tone, then echoes. */
export async function agentPart({ settings, ports }: PartContext): Promise<Part<AgentFacts>> {
  const listen = hostPortText(settings.agentSideAddress, await ports.take());
  return {
    facts: { uri: `sip:agent@${listen};transport=tcp` },
    plan: {
      name: 'agent',
      ...ownRole('agent', '--listen', listen),
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
