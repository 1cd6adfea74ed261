import type { TriggeredWebhook } from '../schemas/run.js';

/** Of all arguments of a conversation: each turn stores them again. */
const maximumCharacters = 200_000;

/** Calls of webhooks and tools in one conversation, in their order; arguments beyond its limit are not kept. */
export class KeptCalls {
  readonly all: TriggeredWebhook[] = [];
  private argumentCharacters = 0;

  add(call: TriggeredWebhook): void {
    this.argumentCharacters += JSON.stringify(call.arguments).length;
    const isTooMuch = this.argumentCharacters > maximumCharacters;
    this.all.push(isTooMuch ? { ...call, arguments: null } : call);
  }

  /** Number of the next call of a node or tool, from 1. */
  next(nodeId: string): number {
    return this.all.filter(({ node_id: id }) => id === nodeId).length + 1;
  }
}
