import type { Redis } from '../../base/redis.js';
import { type CallCommand, orderSeconds } from '../../contract/commands.js';
import { fail } from '../call/fail.js';
import { callTrunk } from '../outbound/call-trunk.js';
import { OutboundCall } from '../outbound/outbound-call.js';
import type { OutboundDeps, ReportProgress } from '../outbound/outbound-deps.js';
import { prepare, useMedia } from '../outbound/prepare.js';
import { AnnouncingAgent } from './announcing-agent.js';
import { TestCallReport } from './test-call-report.js';

export interface TestCallDeps extends OutboundDeps {
  readonly redis: Redis;
}

/** A claimed order for a test call: the trunk is called as for any other call, and hears an announcement. */
export function placeTestCall(
  deps: TestCallDeps,
  command: CallCommand,
  report: ReportProgress,
): OutboundCall {
  const createdAt = new Date(Date.parse(command.expires_at) - orderSeconds * 1_000).toISOString();
  const test = new TestCallReport(deps.redis, { ...command, created_at: createdAt });
  let dialled = '';
  const call = new OutboundCall(deps.calls, command, (phase, progress) => {
    report(phase, progress);
    const { trunkSipCallId } = call.state;
    // The phase is reported again whenever the call changes.
    if (phase === 'dialling' && trunkSipCallId !== dialled) {
      dialled = trunkSipCallId;
      dialling(call, test);
    } else if (phase === 'ended') test.ended(call.state);
  });
  call.assign(command.organization);
  deps.table.add(call);
  run(deps, call, command, test).catch((error: unknown) => fail(call, error));
  return call;
}

async function run(
  deps: TestCallDeps,
  call: OutboundCall,
  command: CallCommand,
  test: TestCallReport,
): Promise<void> {
  const prepared = await prepare(deps, call, {
    organization: command.organization,
    enter: (document) => deps.admission.enterPaced(document),
  });
  if (prepared === undefined) return;
  useMedia(deps, call, prepared);
  const { document } = prepared;
  call.limitDuration(Math.min(command.max_duration_seconds, call.state.maximumSeconds));
  call.log.info({ number: document.number }, 'Received a test call order.');
  const codecs = document.outbound_policy?.codecs ?? document.codecs;
  await callTrunk(deps, call, prepared, new AnnouncingAgent(call, test, codecs));
}

/** An INVITE goes to the first server, or to the next one after a failure. */
function dialling({ state }: OutboundCall, test: TestCallReport): void {
  const before = state.attempts.at(-2);
  if (before !== undefined) {
    const { server, sip_status: status, sip_reason: reason, is_local: isLocal } = before;
    const silent = isLocal ? ', no response' : '';
    test.note('attempt_failed', `${server}: ${status ?? ''} ${reason ?? ''}${silent}`);
  }
  const { address, port, protocol } = state.source;
  test.note('initiated', `INVITE to ${address}:${port} over ${protocol}`, {
    status: 'initiated',
    sip_call_id: state.trunkSipCallId,
  });
}
