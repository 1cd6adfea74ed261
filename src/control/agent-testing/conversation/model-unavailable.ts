import { DemarcError } from '../../../errors.js';
import { ModelFailure } from '../../models/model-failure.js';

/** Throws `DemarcError` `MODEL_UNAVAILABLE` where a model that a person waits for failed or is too slow, and any other error as it is. */
export function throwUnavailable(error: unknown): never {
  if (error instanceof ModelFailure) throw new DemarcError('MODEL_UNAVAILABLE', error.message);
  if ((error as Error).name === 'TimeoutError') throw new DemarcError('MODEL_UNAVAILABLE', 'it is too slow');
  throw error;
}
