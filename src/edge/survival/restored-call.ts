import type { CallProgress, OrderedPhase } from '../../contract/commands.js';
import type { HeldCall } from '../../contract/held-call.js';
import { Call, type CallDeps } from '../call/call.js';
import type { EndOptions } from '../call/call-events.js';
import type { Ending } from '../call/call-state.js';
import { BoundedSamples } from '../quality/bounded-samples.js';

const momentOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** An answered call that another process, or another life of this one, began. */
export class RestoredCall extends Call {
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly agentMayBeAsked = this.legs.awaitAgentAck();
  /** Receives the progress of an ordered call. */
  tell: (phase: OrderedPhase, progress: CallProgress) => void = () => {};

  constructor(
    deps: CallDeps,
    readonly held: HeldCall,
  ) {
    super(deps, {
      id: held.call_id,
      direction: held.direction,
      from: held.from,
      to: held.to,
      source: held.source,
      trunkSipCallId: held.sip_call_ids.trunk,
    });
    const { trunk, agent } = held.legs;
    this.resume({
      phase: 'answered',
      organization: held.organization,
      number: held.number,
      agentUri: held.agent_uri,
      testRunId: held.test_run_id ?? null,
      agentSipCallId: held.sip_call_ids.agent,
      earlierTrunkSipCallIds: held.earlier_sip_call_ids,
      otherAgentSipCallIds: held.other_agent_sip_call_ids,
      attempts: held.attempts,
      startedAt: held.started_at,
      ringingAt: held.ringing_at,
      answeredAt: held.answered_at,
      sipStatus: held.sip_status,
      sipReason: held.sip_reason,
      isAdmitted: true,
      newParties: { trunk: trunk?.is_new_party ?? false, agent: agent?.is_new_party ?? false },
      transfers: held.transfers,
      agentMetadata: held.agent_metadata,
      descriptions: { trunk: descriptionsOf(trunk), agent: descriptionsOf(agent) },
      sessions: { trunk: sessionOf(trunk), agent: sessionOf(agent) },
      trunkMappings: held.header_mappings,
      maximumSeconds: held.maximum_seconds,
      adoptions: held.adoptions,
      mediaMoves: held.media_moves,
      sharedSlots: held.shared_slots,
    });
    if (held.samples !== undefined) this.samples = BoundedSamples.restored(held.samples);
  }

  override get isOrdered(): boolean {
    return this.held.is_ordered;
  }

  override get trunkAllow(): string | undefined {
    return this.held.legs.trunk?.allow ?? undefined;
  }

  override changed(): void {
    if (!this.hasEnded) this.report('answered');
  }

  /** Runs `act` later, unless the call has ended by then. */
  after(milliseconds: number, act: () => void): void {
    if (this.hasEnded) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, milliseconds).unref();
    this.timers.add(timer);
  }

  report(phase: OrderedPhase): void {
    const { startedAt, ringingAt, answeredAt, attempts } = this.state;
    this.tell(phase, {
      started_at: new Date(startedAt).toISOString(),
      ringing_at: momentOf(ringingAt),
      answered_at: momentOf(answeredAt),
      attempts: [...attempts],
      on_hold: this.media?.audio.isOnHold === true,
    });
  }

  /** The engine has given us its dialogs: from now on its peers get our requests, and the BYEs of a call that has ended. */
  override acknowledge(): void {
    super.acknowledge();
    this.agentMayBeAsked();
  }

  /** Both INVITEs have their final responses. */
  override async withdraw(): Promise<void> {}

  protected override stopTimers(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  protected override endUnanswered(_ending: Ending, _options: EndOptions): void {
    this.stopTimers();
    this.report('ended');
  }
}

const descriptionsOf = (leg: HeldCall['legs']['trunk']) => ({
  remote: leg?.remote_description ?? undefined,
  local: leg?.local_description ?? undefined,
});

const sessionOf = (leg: HeldCall['legs']['trunk']) => {
  const timer = leg?.session_timer ?? null;
  return timer === null ? undefined : { seconds: timer.seconds, isOurs: timer.is_ours };
};
