import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const worker = fileURLToPath(new URL('order-worker.mjs', import.meta.url));

/** Takes orders from that Redis until it is killed. `most`: calls at once; default: as many as come. */
export const forkOrderWorker = (url: string, owner: string, most?: number): ChildProcess =>
  fork(worker, [url, owner, ...(most === undefined ? [] : [String(most)])], {
    execArgv: process.env.DEMARC_TEST_DIST === undefined ? ['--import', 'tsx'] : [],
  });
