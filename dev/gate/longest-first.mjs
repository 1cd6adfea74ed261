import { existsSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/**
 * The slowest files: a slow file that starts last would keep all other workers waiting. Those that need much of the processor (browsers,
 * builds, whole systems) come between those that wait for most of their time: all of the former at once left both cores busy for the first
 * eight minutes, in which processes stalled, and half idle after that. Those of the dashboard follow soon one after another: the system and
 * the browser that they share take a tenth of a core until the last of them has ended. Those with Asterisk and with the images come later,
 * because a fresh machine installs the former, and the latter are built, meanwhile.
 */
const longest = [
  'test/e2e/start.test.ts',
  'test/e2e/packages.test.ts',
  'test/contract/outbound/place-call.test.ts',
  'test/contract/control/noc.test.ts',
  'test/contract/control/whole/whole-api.test.ts',
  'test/e2e/dashboard/agent-tests.test.ts',
  'test/e2e/rehoming.test.ts',
  'test/contract/engine/drachtio-srf-scenarios.test.ts',
  'test/e2e/dashboard/organization.test.ts',
  'test/e2e/outbound.test.ts',
  'test/e2e/media.test.ts',
  'test/e2e/trunks.test.ts',
  'test/e2e/calls.test.ts',
  'test/e2e/dashboard/setup.test.ts',
  'test/contract/control/deliveries/webhooks.test.ts',
  'test/e2e/processes.test.ts',
  'test/e2e/dashboard/testing.test.ts',
  'test/e2e/dashboard/numbers.test.ts',
  'test/contract/call/takeover.test.ts',
  'test/contract/call/calls.test.ts',
  'test/contract/transfer/transfers.test.ts',
  'test/contract/hardening/calls.test.ts',
  'test/e2e/dashboard/verdict.test.ts',
  'test/e2e/dashboard/trunks.test.ts',
  'test/contract/call/ill-redis.test.ts',
  'test/e2e/dashboard/porting.test.ts',
  'test/contract/registration/registrations.test.ts',
  'test/e2e/dashboard/calls.test.ts',
  'test/e2e/dashboard/shell.test.ts',
  'test/contract/engine/17-8-transports.test.ts',
  'test/e2e/dashboard/agents.test.ts',
  'test/contract/hardening/stalls.test.ts',
  'test/contract/call/engine-killed.test.ts',
  'test/contract/outbound/dead-servers.test.ts',
  'test/e2e/dashboard-faults.test.ts',
  'test/contract/media/releases.test.ts',
  'test/e2e/image.test.ts',
  'test/e2e/voice-test-call.test.ts',
  'test/contract/media-stream/bot-check.test.ts',
  'test/contract/call/media-moves.test.ts',
  'test/contract/control/agent-testing/simulations.test.ts',
  'test/contract/hardening/floods.test.ts',
  'test/contract/outbound/pacing.test.ts',
  'test/contract/health/prober.test.ts',
  'test/contract/media/reflection.test.ts',
  'test/contract/call/endings.test.ts',
  'test/contract/control/api/members.test.ts',
  'test/contract/control/porting/carrier.test.ts',
  'test/contract/redis/fleet-limits.test.ts',
  'test/contract/control/api/fuzz.test.ts',
  'test/contract/media/hostile-descriptions.test.ts',
  'test/contract/redis/sentinel.test.ts',
  'test/contract/call/agent-loss.test.ts',
  'test/e2e/websocket-agent.test.ts',
  'test/contract/control/killed-control.test.ts',
  'test/contract/media-stream/hostile-bots.test.ts',
  'test/contract/control/redis-breaks.test.ts',
  'test/e2e/rotation.test.ts',
  'test/contract/outbound/failover.test.ts',
  'test/contract/control/agent-testing/runs.test.ts',
  'test/contract/control/history/consumer.test.ts',
  'test/contract/engine/17-4-in-dialog.test.ts',
  'test/contract/hardening/fuzz.test.ts',
  'test/contract/control/agent-testing/tornado.test.ts',
  'test/e2e/twilio-client.test.ts',
  'test/contract/outbound/agent-invite.test.ts',
  'test/contract/engine/17-2-inbound-invite.test.ts',
  'test/contract/control/alerts/channels.test.ts',
  'test/contract/call/rehoming.test.ts',
  'test/e2e/test-call.test.ts',
  'test/contract/hardening/secrets.test.ts',
  'test/contract/live/call-look.test.ts',
  'test/contract/control/agent-testing/run-workers.test.ts',
  'test/contract/control/deliveries/endpoints.test.ts',
  'test/contract/clients/clients.test.ts',
  'test/contract/control/projection/projection.test.ts',
  'test/contract/control/fairness.test.ts',
  'test/contract/hardening/faulty-trunk.test.ts',
  'test/e2e/asterisk.test.ts',
  'test/contract/hardening/streams.test.ts',
  'test/contract/control/batches.test.ts',
  'test/contract/hardening/hostile-parties.test.ts',
  'test/contract/control/alerts/alerts.test.ts',
  'test/contract/control/postgres-cluster.test.ts',
  'test/contract/control/agent-testing/schedules.test.ts',
  'test/contract/control/postgres-failover.test.ts',
  'test/e2e/rtpengine.test.ts',
  'test/contract/media-stream/bot-library.test.ts',
  'test/contract/media-stream/stream-calls.test.ts',
  'test/contract/control/deliveries/fairness.test.ts',
  'test/e2e/lossy-network.test.ts',
  'test/contract/engine/adoption.test.ts',
  'test/contract/hep/forwarding.test.ts',
  'test/contract/control/api/database.test.ts',
  'test/e2e/porting.test.ts',
  'test/contract/hardening/hostile-callees.test.ts',
  'test/contract/control/history/pages.test.ts',
  'test/contract/call/refusals.test.ts',
  'test/contract/health/status.test.ts',
  'test/contract/outbound/ordered-calls.test.ts',
  'test/contract/control/history/partitions.test.ts',
  'test/contract/control/projection/confirmed-changes.test.ts',
  'test/contract/registration/silent-path.test.ts',
  'test/contract/outbound/toll-fraud.test.ts',
  'test/contract/media/audio-over-time.test.ts',
  'test/contract/engine/17-5-cancel.test.ts',
  // It takes a core from those that run beside it, so it comes after all long ones; at the end the other cores would be idle.
  'test/e2e/busy-machine.test.ts',
];

/** Sorts files of all projects together: first by the list, then larger files first. */
export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    const { root } = this.ctx.config;
    const unknown = longest.find((file) => !existsSync(file));
    if (unknown !== undefined)
      throw new Error(`${unknown} does not exist: correct the list in ${import.meta.url}.`);
    const place = new Map(
      files.map(({ moduleId }) => {
        const file = relative(root, moduleId);
        const listed = longest.indexOf(file);
        return [moduleId, listed < 0 ? -statSync(moduleId).size : listed - Number.MAX_SAFE_INTEGER];
      }),
    );
    return [...files].sort((a, b) => (place.get(a.moduleId) ?? 0) - (place.get(b.moduleId) ?? 0));
  }
}
