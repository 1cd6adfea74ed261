import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import { within } from '../../base/within.js';
import {
  type CallMove,
  type CallMoveRequest,
  callMoveChannel,
  callMoveSchema,
} from '../../contract/call-move.js';
import { readJson } from '../../contract/read-json.js';
import type { Call } from '../call/call.js';
import type { OngoingTransfer } from '../call/call-events.js';
import type { CallTable } from '../call/call-table.js';
import type { OrderedCalls } from '../outbound/ordered-calls.js';
import type { EngineLink } from '../sip/engine-link.js';
import { failureText } from '../sip/messages.js';
import { findDialog, isSettled } from '../transfer/known-dialog.js';
import type { OtherEdges, SoughtDialog, WhereDialog } from '../transfer/transfer-deps.js';
import { forgetCall } from './adopted-dialogs.js';
import type { Adoption } from './adoption.js';
import type { HeldCalls } from './held-calls.js';
import type { HolderLease, LeftCall } from './holder-lease.js';

export interface CallMovesDeps {
  readonly redis: Redis;
  readonly holder: string;
  readonly table: CallTable;
  readonly engine: EngineLink;
  readonly lease: HolderLease;
  readonly held: Pick<HeldCalls, 'documentOf'>;
  readonly adoption: Pick<Adoption, 'takeCall' | 'takeLost'>;
  readonly orders: Pick<OrderedCalls, 'leave'>;
  readonly log: Logger;
}

type Answer = Extract<CallMove, { type: 'answer' }>;

/** The REFER waits for it, and its peer for 32 s (Timer F). */
const longestMilliseconds = 10_000;
const pollMilliseconds = 50;
/** An edge that does not answer is being killed, or stalls. */
const answerMilliseconds = 3_000;
/** As long as the engine keeps the dialogs. */
const writeMilliseconds = 30_000;
/** Of the messages of a call: its record gets all that have been kept. */
const traceOctets = 256 * 1_024;

const sides = ['trunk', 'agent'] as const;

/** Keeps transfers and the peers' offers out while the call is being left. */
const leaving: OngoingTransfer = {
  description: null,
  mediaId: null,
  owedNotify: null,
  partyLeft: () => false,
  callEnded: async () => {},
  connectionLost: () => {},
};

/**
 * Brings single calls from one edge to another: the edge that is asked to join two calls needs both. The edge that has the other call
 * leaves its dialogs in the engine and its document in Redis, under a holder that only the one that asked adopts; if that one is lost
 * first, any other edge does.
 */
export class CallMoves implements OtherEdges {
  private readonly subscriber: Subscriber;
  private readonly asked = new Map<string, (answer: Answer) => void>();

  constructor(private readonly deps: CallMovesDeps) {
    this.subscriber = new Subscriber({
      redis: deps.redis,
      name: 'demarc-edge-call-moves',
      channels: { [callMoveChannel]: (message) => this.onMessage(message) },
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.subscriber.stop();
  }

  async bring(sought: SoughtDialog): Promise<WhereDialog> {
    const { table, engine } = this.deps;
    const until = performance.now() + longestMilliseconds;
    if (!engine.movesDialogs) return 'unknown';
    let wasOurs = false;
    try {
      while (performance.now() < until) {
        if (findDialog(table, sought.dialog) !== undefined) return 'here';
        const { callId, toTag, fromTag } = sought.dialog;
        const { fields } = await engine.command('whose', [callId, toTag, fromTag].join('\r\n'));
        const [state, owner] = fields;
        if (state === 'unknown') return 'unknown';
        if (state === 'early') return 'refused';
        // Checks again: the call may have arrived meanwhile.
        const isOurs = state === 'known' && owner === engine.owner;
        if (isOurs && wasOurs) return 'refused';
        wasOurs = isOurs;
        if (state === 'known' && !isOurs && (await this.ask(sought, owner ?? '')) === 'refused')
          return 'refused';
        await sleep(isOurs ? 0 : pollMilliseconds);
      }
    } catch (error) {
      this.deps.log.warn({ error: failureText(error) }, 'Moving a call to this edge failed.');
    }
    return 'refused';
  }

  /** Asks the edge that has the dialog; takes over the calls of one that is gone. */
  private async ask(sought: SoughtDialog, owner: string): Promise<Answer['result']> {
    const { redis, lease, holder, adoption } = this.deps;
    const otherHolder = (await lease.readOtherHolders()).find(({ owners }) => owners.includes(owner));
    // An application that keeps its dialogs without a lease: none of our edges.
    if (otherHolder === undefined) return owner === '' ? 'refused' : 'busy';
    if (!otherHolder.hasLease || otherHolder.has_left) {
      await adoption.takeLost();
      return 'busy';
    }
    const id = randomUUID();
    const answered = new Promise<Answer>((resolve) => this.asked.set(id, resolve));
    try {
      const request: CallMove = {
        version: 1,
        type: 'request',
        id,
        from: holder,
        to: otherHolder.holder,
        ...sought,
      };
      await redis.publish(callMoveChannel, JSON.stringify(request));
      const answer = await within(answerMilliseconds, answered);
      if (answer?.result === 'left' && answer.holder !== null) await adoption.takeCall(answer.holder);
      // Without an answer it may be dead, though its lease stands.
      if (answer === undefined) await adoption.takeLost();
      return answer?.result ?? 'busy';
    } finally {
      this.asked.delete(id);
    }
  }

  private onMessage(message: string): void {
    const move = readJson(callMoveSchema, message);
    if (move === undefined || move.to !== this.deps.holder) return;
    if (move.type === 'answer') this.asked.get(move.id)?.(move);
    else {
      this.answer(move).catch((error: unknown) => {
        this.deps.log.warn({ error: failureText(error) }, 'Handing over a call failed.');
      });
    }
  }

  private async answer(request: CallMoveRequest): Promise<void> {
    const { redis, holder } = this.deps;
    const left = `${holder} ${request.id}`;
    const result = await this.leave(request, left).catch((error: unknown) => {
      this.deps.log.warn({ error: failureText(error) }, 'A call was not handed over.');
      return 'busy' as const;
    });
    const answer: CallMove = {
      version: 1,
      type: 'answer',
      id: request.id,
      from: holder,
      to: request.from,
      result,
      holder: result === 'left' ? left : null,
    };
    await redis.publish(callMoveChannel, JSON.stringify(answer));
  }

  private async leave(request: CallMoveRequest, left: string): Promise<Answer['result']> {
    const found = findDialog(this.deps.table, request.dialog);
    // The engine has answered it, and this edge is about to learn that.
    if (found === undefined) return 'busy';
    const { call, side } = found;
    if (call.state.organization !== request.organization || side !== request.side) return 'refused';
    if (!call.hasEnded && call.state.phase !== 'confirmed') return 'busy';
    if (!isSettled(call)) return 'refused';
    if (!isFree(call)) return 'busy';
    const release = block(call);
    try {
      return await this.leaveCall(call, release, request, left);
    } finally {
      release();
    }
  }

  private async leaveCall(
    call: Call,
    release: () => void,
    request: CallMoveRequest,
    left: string,
  ): Promise<Answer['result']> {
    const { engine, lease, held, orders, log } = this.deps;
    const { id: owner, from: successor } = request;
    const dialogs = sides.map((side) => call.dialogs[side]!);
    // Known before the engine has them under that name, so that a successor of this edge finds them there.
    if (!(await lease.addOwner(owner)) || call.hasEnded) return 'refused';
    try {
      await engine.command(`yield|${owner}`, dialogs.map(({ id }) => id).join('\r\n'));
    } catch (error) {
      lease.adopted([owner]);
      log.debug({ error: failureText(error) }, 'The engine keeps the dialogs of a call here.');
      return 'busy';
    }
    release();
    const document = held.documentOf(call, traceOctets);
    if (document === undefined) {
      // It has ended meanwhile: the engine ends what was left.
      await engine.command(`adopt|${owner}`, '-');
      lease.adopted([owner]);
      return 'refused';
    }
    forgetCall(call, orders);
    await this.write({ callId: call.state.id, document, owner, holder: left, successor });
    call.log.info({ edge: successor }, 'Handed over a call to another edge for a transfer.');
    return 'left';
  }

  /** Until Redis has it: nothing else knows of the call by now. */
  private async write(leftCall: LeftCall): Promise<void> {
    const until = performance.now() + writeMilliseconds;
    for (;;) {
      try {
        if (!(await this.deps.lease.leaveCall(leftCall))) throw new Error('Another process has the calls.');
        return;
      } catch (error) {
        if (performance.now() >= until) throw error;
        await sleep(pollMilliseconds);
      }
    }
  }
}

/** No offer and no transfer begins until the result is called. */
function block(call: Call): () => void {
  const close = call.exchange.begin();
  call.beginTransfer(leaving);
  return () => {
    if (call.transfer === leaving) call.endTransfer();
    close();
  };
}

/** Its document describes it wholly: no request of a peer is being passed on, and no leg is being ended. */
const isFree = (call: Call): boolean =>
  !call.exchange.isOpen &&
  call.leaving.size === 0 &&
  call.pendingInfos.trunk === 0 &&
  call.pendingInfos.agent === 0;
