import type { CallBatch } from '../../api/batches.js';

type Progress = CallBatch['progress'];
type Tone = 'good' | 'warn' | 'bad' | 'idle';

/** The states of a batch in words. */
export const batchStates: Readonly<Record<CallBatch['status'], readonly [tone: Tone, word: string]>> = {
  scheduled: ['idle', 'Scheduled'],
  running: ['good', 'Running'],
  stopping: ['warn', 'Stopping'],
  stopped: ['idle', 'Stopped'],
  completed: ['good', 'Completed'],
};

/** Calls still come to an end. */
export const isUnderWay = ({ status }: Pick<CallBatch, 'status'>): boolean =>
  status !== 'stopped' && status !== 'completed';

/** Further calls can be kept from being dialled. */
export const canStop = ({ status }: Pick<CallBatch, 'status'>): boolean =>
  status === 'scheduled' || status === 'running';

export const progressParts = [
  ['completed', 'answered'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
  ['active', 'active'],
  ['waiting', 'waiting'],
] as const satisfies readonly (readonly [keyof Progress, string])[];

export interface Share {
  readonly name: keyof Progress;
  readonly calls: number;
  /** Thousandths of the batch before this part, and of this part. */
  readonly from: number;
  readonly width: number;
}

/** The parts of a bar from the ended to the waiting calls, without empty ones. */
export function sharesOf(progress: Progress): readonly Share[] {
  const total = Object.values(progress).reduce((sum, calls) => sum + calls, 0);
  let before = 0;
  return progressParts.flatMap(([name]) => {
    const calls = progress[name];
    const from = before;
    before += calls;
    return calls === 0 ? [] : [{ name, calls, from: (1_000 * from) / total, width: (1_000 * calls) / total }];
  });
}
