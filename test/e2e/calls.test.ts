import { afterAll, beforeAll } from 'vitest';
import { callsOfAgents } from './calls/agent-calls.js';
import { refusedCalls } from './calls/refusals.js';
import { mediaOfStrangers } from './calls/strangers.js';
import { transferredCalls } from './calls/transfer.js';
import { Stack } from './stack.js';

/** The groups share an edge; the last one starts another. */
let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ edge: { DEMARC_HELD_ANSWER_SECONDS: '1' } });
});
afterAll(() => stack?.finish());

const stage = (): Stack => stack;
mediaOfStrangers(stage);
refusedCalls(stage);
callsOfAgents(stage);
transferredCalls(stage);
