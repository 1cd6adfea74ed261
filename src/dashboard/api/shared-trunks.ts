import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type SharedTrunk = api.Trunk;

/** Newest first. */
export const readSharedTrunks = async (signal?: AbortSignal): Promise<readonly SharedTrunk[]> =>
  (await ask(demarc.listTrunks({ limit: 100 }, { signal }))).trunks;

export const readSharedTrunk = (trunk_id: string, signal?: AbortSignal): Promise<SharedTrunk> =>
  ask(demarc.getTrunk({ trunk_id }, { signal }));

/** The first hundred in numerical order. */
export const readNumbersOfTrunk = async (
  trunk_id: string,
  signal?: AbortSignal,
): Promise<readonly string[]> =>
  (await ask(demarc.listNumbersOfTrunk({ trunk_id }, { limit: 100 }, { signal }))).phone_numbers;
