import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/log.js';
import { withinOrThrow } from '../../base/within.js';
import type { CallTable } from '../call/call-table.js';
import type { EngineLink } from '../sip/engine-link.js';
import { failureText } from '../sip/messages.js';
import type { HolderLease } from './holder-lease.js';

export interface CallsElsewhereDeps {
  readonly engine: Pick<EngineLink, 'isUp' | 'forgetsDialogs' | 'command'>;
  readonly lease: Pick<HolderLease, 'takenElsewhere'>;
  readonly table: CallTable;
  readonly log: Logger;
}

const sides = ['trunk', 'agent'] as const;
/** Others take the calls in portions. */
const pollMilliseconds = 100;
/** Less than the engine keeps the dialogs of a process that is gone. */
const longestMilliseconds = 5_000;

/**
 * This process has lost its calls: has the engine drop the dialogs of those that continue at other engines. Otherwise it would end them
 * with BYE, since no edge on it adopts them. Never rejects.
 */
export async function forgetCallsElsewhere({ engine, lease, table, log }: CallsElsewhereDeps): Promise<void> {
  const forget = async (): Promise<void> => {
    const forgotten = new Set<string>();
    for (let isWhole = false; !isWhole && engine.isUp && engine.forgetsDialogs; ) {
      const taken = await lease.takenElsewhere();
      ({ isWhole } = taken);
      const ids = [...taken.ids].filter((id) => table.find(id) !== undefined && !forgotten.has(id));
      const names = ids.flatMap((id) => sides.flatMap((side) => table.find(id)?.dialogs[side]?.id ?? []));
      if (names.length > 0) await engine.command('forget', names.join('\r\n'));
      for (const id of ids) forgotten.add(id);
      if (!isWhole) await sleep(pollMilliseconds);
    }
    if (forgotten.size > 0) log.info({ calls: forgotten.size }, 'Calls continue on other engines.');
  };
  await withinOrThrow(longestMilliseconds, forget(), 'late').catch((error: unknown) =>
    log.warn({ error: failureText(error) }, 'The engine still has the dialogs of calls that are elsewhere.'),
  );
}
