import { within } from '../../base/within.js';
import type { EngineLink } from '../sip/engine-link.js';

/** `adopted`: another process has them. `unknown`: the engine is not connected, does not reply, or is another one than then. */
export type DialogsAtEngine = 'ours' | 'adopted' | 'unknown';

/** It replies at once; a connection that it has closed, as it does for an adopter, never brings a reply. */
const replyMilliseconds = 1_000;

/**
 * Asks the engine who has this process's dialogs. Never rejects.
 * @param instance the engine process that had them
 */
export async function dialogsAtEngine(
  engine: Pick<EngineLink, 'owner' | 'command'>,
  instance: string,
): Promise<DialogsAtEngine> {
  const reply = await within(replyMilliseconds, engine.command(`owned|${engine.owner}`));
  const [present, , fate] = reply?.fields ?? [];
  if (present !== instance) return 'unknown';
  return fate === 'adopted' ? 'adopted' : 'ours';
}
