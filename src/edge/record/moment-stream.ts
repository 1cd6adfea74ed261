import type { Redis } from '../../base/redis.js';
import { type Moment, maximumMoments, momentStream } from '../../contract/moments.js';

/** Queues a moment for control in a pipeline or transaction. */
export function addMoment(pipeline: Pick<ReturnType<Redis['pipeline']>, 'xadd'>, moment: Moment): void {
  pipeline.xadd(momentStream, 'MAXLEN', '~', maximumMoments, '*', 'moment', JSON.stringify(moment));
}
