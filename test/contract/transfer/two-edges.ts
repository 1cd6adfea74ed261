import { generateSecretKey } from '../../../src/contract/secret.js';
import type { Edge } from '../../../src/edge/edge.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { InTurn } from '../../support/in-turn.js';
import { CallBench } from '../call/bench.js';
import { clean } from '../call/plain-bench.js';

/** As in every installation: two edges on one engine, which deals calls out in turn. */
export async function twoEdges(
  environment: Readonly<Record<string, string>> = { DEMARC_SECRET_KEY: generateSecretKey() },
): Promise<CallBench> {
  const bench = await CallBench.start(environment);
  // A drachtio-server sends its captures to one address only, and gives no call to another edge.
  if (!isRealServer) await bench.addEdge('second');
  return bench;
}

/** The one with the usual settings, for the groups of `transfers.test.ts`. */
export const sharedEdges = new InTurn(() => twoEdges(), clean);

/** Where the transferor's two calls are: the edge of the one with the REFER, and the edge of the other one. */
export const arrangements = isRealServer
  ? ([['one edge', 0, 0]] as const)
  : ([
      ['one edge', 0, 0],
      ['the first and the second edge', 0, 1],
      ['the second and the first edge', 1, 0],
    ] as const);

export const edgeAt = (bench: CallBench, index: number): Edge => bench.edges[index]!;

export const edgeNumbers = isRealServer ? [0] : [0, 1];
