import { ownRole, type Part, type PartContext, readyMessage } from '../part.js';

export interface AgentFacts {
  /** SIP URI for the number's document. */
  readonly uri: string;
}

/** The demo voice agent: plays a tone, then echoes. */
export async function agentPart({ ports }: PartContext): Promise<Part<AgentFacts>> {
  const port = await ports.take();
  return {
    facts: { uri: `sip:agent@127.0.0.1:${port};transport=tcp` },
    plan: {
      name: 'agent',
      ...ownRole('agent', '--listen', `127.0.0.1:${port}`),
      channel: true,
      ready: async (started) => {
        await readyMessage(started);
      },
      readyWithinMilliseconds: 30_000,
      graceMilliseconds: 3_000,
    },
  };
}
