import { z } from 'zod';
import { e164 } from '../../http/phone-number.js';
import type { BatchWithCounts } from './batch-storage.js';

const moment = z.iso.datetime();
const count = z.int().min(0);

export const batchSchema = z
  .object({
    batch_id: z.string().meta({ description: 'Id of the batch', examples: ['bat_4f2b8c1d9e0a7b6c5d4e3f2a'] }),
    name: z.string().meta({ description: 'Free text' }),
    from: z.string().meta({ description: 'The calling number' }),
    status: z.enum(['scheduled', 'running', 'stopping', 'stopped', 'completed']).meta({
      description:
        'scheduled: its start is in the future; stopping: no more calls are dialled, some are active; completed: every call has ended',
    }),
    total: count.meta({ description: 'Calls of the batch' }),
    progress: z
      .object({
        waiting: count.meta({ description: 'Not dialled yet' }),
        active: count.meta({ description: 'Being dialled, ringing or answered' }),
        completed: count.meta({ description: 'Answered and ended' }),
        failed: count.meta({ description: 'Ended without an answer' }),
        cancelled: count.meta({ description: 'Stopped before they were answered' }),
      })
      .meta({ description: 'Calls by progress; they add up to total' }),
    created_at: moment.meta({ description: 'Time of the order' }),
    scheduled_at: moment.nullable().meta({ description: 'Earliest time to dial; null: at once' }),
    until: moment.meta({ description: 'Calls not dialled by then are given up' }),
    stopped_at: moment.nullable().meta({ description: 'Time of the stop; null: not stopped' }),
  })
  .meta({ id: 'CallBatch' });

type View = z.infer<typeof batchSchema>;

function statusOf({ batch, counts }: BatchWithCounts, now: number): View['status'] {
  const isOver = counts.waiting + counts.active === 0;
  if (batch.stopped_at !== null) return isOver ? 'stopped' : 'stopping';
  if (isOver) return 'completed';
  return batch.scheduled_at !== null && batch.scheduled_at.getTime() > now ? 'scheduled' : 'running';
}

export const batchView = (found: BatchWithCounts, now = Date.now()): View => ({
  batch_id: found.batch.id,
  name: found.batch.name,
  from: e164(found.batch.number),
  status: statusOf(found, now),
  total: found.batch.total,
  progress: found.counts,
  created_at: found.batch.created_at.toISOString(),
  scheduled_at: found.batch.scheduled_at?.toISOString() ?? null,
  until: found.batch.until.toISOString(),
  stopped_at: found.batch.stopped_at?.toISOString() ?? null,
});
