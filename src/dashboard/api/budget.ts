import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type Budget = api.TestTokenBudget;

export const readBudget = (signal?: AbortSignal): Promise<Budget> => ask(demarc.getTestBudget({ signal }));

export const setBudget = (limits: api.SetTestBudgetBody): Promise<Budget> =>
  ask(demarc.setTestBudget(limits));
