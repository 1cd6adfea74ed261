import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentSource } from './agent-source.js';
import type { NgReply } from './ng-client.js';

/** The caller hears nothing meanwhile: most agents send from the first moment. */
const askMilliseconds = 100;
/** rtpengine keeps the source after three seconds; an agent that is silent so long is taken to send from where it said. */
const boundMilliseconds = 3_000;

interface Learning {
  /** False: the call has ended, or has another description of the agent. */
  isWanted(): boolean;
  query(): Promise<NgReply | undefined>;
  /** Gives rtpengine the agent's description again, with the source and in its own direction. */
  describe(): Promise<void>;
}

/** Waits for the agent's first packets. Never rejects; resolves with the address of packets that were not allowed. */
export async function learnAgentSource(source: AgentSource, learning: Learning): Promise<string | undefined> {
  const end = performance.now() + boundMilliseconds;
  let refused: string | undefined;
  for (;;) {
    await sleep(askMilliseconds, undefined, { ref: false });
    if (!learning.isWanted()) return refused;
    const reply = await learning.query().catch(() => undefined);
    if (!learning.isWanted()) return refused;
    const taken = reply?.result === 'ok' ? source.take(reply) : 'silent';
    if (typeof taken === 'object') refused = taken.refused;
    if (taken === 'learned') refused = undefined;
    else if (performance.now() < end) continue;
    else source.giveUp();
    try {
      await source.parked(() => learning.describe());
      await learning.describe();
    } catch {
      // The node is down: the media moves, and the next session learns again.
    }
    return refused;
  }
}
