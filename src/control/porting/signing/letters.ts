import { DemarcError } from '../../../errors.js';
import { WorkerFailure, type WorkerPool, workerFile } from '../../workers/worker-pool.js';
import type { Signature } from './letter-pdf.js';
import type { LetterText } from './letter-text.js';
import type { LetterOrder } from './letter-worker.js';

const letterWorker = workerFile<LetterOrder, Promise<Uint8Array>>('./letter-worker', import.meta.url);

/**
 * Letters as PDF, written in a worker thread: with the longest texts and 100 numbers a letter takes tens of milliseconds, and the
 * library of PDFs a fifth of the CPU time in which control starts. Both reject with `DemarcError` `DOCUMENTS_UNAVAILABLE`.
 */
export class Letters {
  constructor(private readonly workers: Pick<WorkerPool, 'run'>) {}

  draw(organizationId: string, text: LetterText, madeAt: Date): Promise<Buffer> {
    return this.written(organizationId, { kind: 'draw', text, madeAt });
  }

  sign(organizationId: string, letter: Buffer, signature: Signature): Promise<Buffer> {
    return this.written(organizationId, { kind: 'sign', letter, signature });
  }

  private async written(organizationId: string, order: LetterOrder): Promise<Buffer> {
    try {
      return Buffer.from(await this.workers.run(letterWorker, organizationId, order));
    } catch (error) {
      if (!(error instanceof WorkerFailure)) throw error;
      throw new DemarcError('DOCUMENTS_UNAVAILABLE', { cause: error });
    }
  }
}
