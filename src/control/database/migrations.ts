import type { Migration } from 'kysely';
import { organizationsAndTrunks } from './migrations/0001-organizations-and-trunks.js';
import { projection } from './migrations/0002-projection.js';
import { calls } from './migrations/0003-calls.js';
import { health } from './migrations/0004-health.js';
import { orderedCalls } from './migrations/0005-ordered-calls.js';
import { callsOfANumber } from './migrations/0007-calls-of-a-number.js';
import { registrations } from './migrations/0008-registrations.js';
import { transfers } from './migrations/0010-transfers.js';
import { sessions } from './migrations/0012-sessions.js';
import { callMinutes } from './migrations/0013-call-minutes.js';
import { deliveries } from './migrations/0014-deliveries.js';
import { alerts } from './migrations/0015-alerts.js';
import { lostCalls } from './migrations/0017-lost-calls.js';
import { agentCredentials } from './migrations/0020-agent-credentials.js';
import { idempotentRequests } from './migrations/0040-idempotent-requests.js';
import { keyScopes } from './migrations/0041-key-scopes.js';
import { usage } from './migrations/0042-usage.js';
import { registrars } from './migrations/0043-registrars.js';
import { numberProofs } from './migrations/0044-number-proofs.js';
import { callFilters } from './migrations/0050-call-filters.js';
import { webhookEndpoints } from './migrations/0060-webhook-endpoints.js';
import { upcomingCalls } from './migrations/0061-upcoming-calls.js';
import { trunks } from './migrations/0062-trunks.js';
import { porting } from './migrations/0080-porting.js';
import { knowledge } from './migrations/0090-knowledge.js';
import { requestsOfCalls } from './migrations/0100-requests-of-calls.js';
import { personas } from './migrations/0101-personas.js';
import { contacts } from './migrations/0110-contacts.js';
import { pathways } from './migrations/0140-pathways.js';
import { agentTests } from './migrations/0150-agent-tests.js';
import { promotions } from './migrations/0160-promotions.js';
import { simulationSets } from './migrations/0161-simulation-sets.js';
import { tornado } from './migrations/0162-tornado.js';
import { testCalls } from './migrations/0170-test-calls.js';
import { callSearch } from './migrations/0180-call-search.js';
import { alertHandling } from './migrations/0181-alert-handling.js';
import { members } from './migrations/0190-members.js';
import { deliveryExchanges } from './migrations/0191-delivery-exchanges.js';
import { maintenanceWindows } from './migrations/0192-maintenance-windows.js';
import { testBudgets } from './migrations/0215-test-budgets.js';
import { deliveryReceivers } from './migrations/0222-delivery-receivers.js';
import { contactBounds } from './migrations/0224-contact-bounds.js';
import { areaViews } from './migrations/0225-area-views.js';
import { agentStreams } from './migrations/0230-agent-streams.js';
import { moreAgents } from './migrations/0231-more-agents.js';
import { followedPathways } from './migrations/0240-followed-pathways.js';
import { gateEvidence } from './migrations/0241-gate-evidence.js';
import { organizationRetention } from './migrations/0252-organization-retention.js';
import { testEndings } from './migrations/0260-test-endings.js';
import { organizationLimits } from './migrations/0270-organization-limits.js';
import { testRecordings } from './migrations/0271-test-recordings.js';
import { usageByNumber } from './migrations/0280-usage-by-number.js';
import { judgeCalibration } from './migrations/0281-judge-calibration.js';
import { testVariations } from './migrations/0290-test-variations.js';
import { traceObjects } from './migrations/0291-trace-objects.js';
import { incidents } from './migrations/0292-incidents.js';
import { traceSearch } from './migrations/0293-trace-search.js';
import { testSchedules } from './migrations/0294-test-schedules.js';
import { runBudgets } from './migrations/0296-run-budgets.js';
import { numberLimitAlerts } from './migrations/0297-number-limit-alerts.js';
import { testMonitors } from './migrations/0298-test-monitors.js';
import { loadTests } from './migrations/0299-load-tests.js';
import { listenings } from './migrations/0302-listenings.js';
import { testCosts } from './migrations/0303-test-costs.js';
import { continuedCalls } from './migrations/0306-continued-calls.js';

/** All migrations from an empty database to the current schema, in order of name. Released steps never change. */
export const migrations: Record<string, Migration> = {
  '0001-organizations-and-trunks': organizationsAndTrunks,
  '0002-projection': projection,
  '0003-calls': calls,
  '0004-health': health,
  '0005-ordered-calls': orderedCalls,
  '0007-calls-of-a-number': callsOfANumber,
  '0008-registrations': registrations,
  '0010-transfers': transfers,
  '0012-sessions': sessions,
  '0013-call-minutes': callMinutes,
  '0014-deliveries': deliveries,
  '0015-alerts': alerts,
  '0017-lost-calls': lostCalls,
  '0020-agent-credentials': agentCredentials,
  '0040-idempotent-requests': idempotentRequests,
  '0041-key-scopes': keyScopes,
  '0042-usage': usage,
  '0043-registrars': registrars,
  '0044-number-proofs': numberProofs,
  '0050-call-filters': callFilters,
  '0060-webhook-endpoints': webhookEndpoints,
  '0061-upcoming-calls': upcomingCalls,
  '0062-trunks': trunks,
  '0080-porting': porting,
  '0090-knowledge': knowledge,
  '0100-requests-of-calls': requestsOfCalls,
  '0101-personas': personas,
  '0110-contacts': contacts,
  '0140-pathways': pathways,
  '0150-agent-tests': agentTests,
  '0160-promotions': promotions,
  '0161-simulation-sets': simulationSets,
  '0162-tornado': tornado,
  '0170-test-calls': testCalls,
  '0180-call-search': callSearch,
  '0181-alert-handling': alertHandling,
  '0190-members': members,
  '0191-delivery-exchanges': deliveryExchanges,
  '0192-maintenance-windows': maintenanceWindows,
  '0215-test-budgets': testBudgets,
  '0222-delivery-receivers': deliveryReceivers,
  '0224-contact-bounds': contactBounds,
  '0225-area-views': areaViews,
  '0230-agent-streams': agentStreams,
  '0231-more-agents': moreAgents,
  '0240-followed-pathways': followedPathways,
  '0241-gate-evidence': gateEvidence,
  '0252-organization-retention': organizationRetention,
  '0260-test-endings': testEndings,
  '0270-organization-limits': organizationLimits,
  '0271-test-recordings': testRecordings,
  '0280-usage-by-number': usageByNumber,
  '0281-judge-calibration': judgeCalibration,
  '0290-test-variations': testVariations,
  '0291-trace-objects': traceObjects,
  '0292-incidents': incidents,
  '0293-trace-search': traceSearch,
  '0294-test-schedules': testSchedules,
  '0296-run-budgets': runBudgets,
  '0297-number-limit-alerts': numberLimitAlerts,
  '0298-test-monitors': testMonitors,
  '0299-load-tests': loadTests,
  '0302-listenings': listenings,
  '0303-test-costs': testCosts,
  '0306-continued-calls': continuedCalls,
};
