import { InTurn } from '../../support/in-turn.js';
import { Stage } from './stage.js';

/** The one with the usual settings, for the groups of `calls.test.ts`. */
export const usualStage = new InTurn(
  () => Stage.start(),
  (stage) => stage.configure({}),
);
