/* Generated from the description of the API: npm run client:typescript. Do not edit. */

import { type LiveEvent, type LiveEventOptions, liveEvents } from './events.js';
import { Operations, type StreamEventsQuery } from './generated.js';

/** The API by resource (`demarc.calls.create`); each operation is also a method under its `operationId`. Methods reject with `DemarcError`. */
export class Demarc extends Operations {
  readonly calls = {
    create: this.createCall.bind(this),
    list: this.listCalls.bind(this),
    get: this.getCall.bind(this),
    stop: this.stopCall.bind(this),
    transfer: this.transferCall.bind(this),
    startWarmTransfer: this.startWarmTransfer.bind(this),
    completeWarmTransfer: this.completeWarmTransfer.bind(this),
    cancelWarmTransfer: this.cancelWarmTransfer.bind(this),
    listen: this.listenToCall.bind(this),
    sendDigits: this.sendDigits.bind(this),
    hold: this.holdCall.bind(this),
    resume: this.resumeCall.bind(this),
    play: this.playToCall.bind(this),
    addAgentMetadata: this.addAgentMetadata.bind(this),
  };

  readonly batches = {
    create: this.createBatch.bind(this),
    list: this.listBatches.bind(this),
    get: this.getBatch.bind(this),
    stop: this.stopBatch.bind(this),
  };

  readonly callRecords = {
    list: this.listCallRecords.bind(this),
    get: this.getCallRecord.bind(this),
    export: this.exportCallRecords.bind(this),
    share: this.shareCall.bind(this),
    listShares: this.listCallShares.bind(this),
    revokeShare: this.revokeCallShare.bind(this),
  };

  readonly numbers = {
    attach: this.attachNumbers.bind(this),
    detach: this.detachNumber.bind(this),
    detachMany: this.detachNumbers.bind(this),
    list: this.listNumbers.bind(this),
    get: this.getNumber.bind(this),
    update: this.updateDirection.bind(this),
    updateMany: this.updateNumbers.bind(this),
    configure: this.configureDirection.bind(this),
    check: this.checkNumber.bind(this),
    prove: this.proveNumbers.bind(this),
  };

  readonly trunks = {
    create: this.createTrunk.bind(this),
    list: this.listTrunks.bind(this),
    get: this.getTrunk.bind(this),
    update: this.updateTrunk.bind(this),
    delete: this.deleteTrunk.bind(this),
    listNumbers: this.listNumbersOfTrunk.bind(this),
    attachNumbers: this.attachNumbersToTrunk.bind(this),
  };

  readonly setup = {
    parseDestination: this.parseDestination.bind(this),
    parseCertificates: this.parseCertificates.bind(this),
    generatePassword: this.generatePassword.bind(this),
    getFirewall: this.getFirewall.bind(this),
    getOutbound: this.getOutboundSetup.bind(this),
    listSightings: this.listSightings.bind(this),
  };

  readonly health = {
    getStatus: this.getTrunkStatus.bind(this),
    getHistory: this.getHealthHistory.bind(this),
    failBack: this.failBack.bind(this),
  };

  readonly discovery = {
    start: this.startDiscovery.bind(this),
    get: this.getDiscovery.bind(this),
  };

  readonly testCalls = {
    start: this.startTestCall.bind(this),
    get: this.getTestCall.bind(this),
  };

  readonly agentCredentials = {
    create: this.createAgentCredential.bind(this),
    list: this.listAgentCredentials.bind(this),
    revoke: this.revokeAgentCredential.bind(this),
  };

  readonly agentStreamSecrets = {
    list: this.listAgentStreamSecrets.bind(this),
    create: this.createAgentStreamSecret.bind(this),
    remove: this.removeAgentStreamSecret.bind(this),
  };

  readonly ports = {
    check: this.checkPortability.bind(this),
    uploadDocument: this.uploadPortDocument.bind(this),
    initiate: this.initiatePort.bind(this),
    list: this.listPorts.bind(this),
    get: this.getPort.bind(this),
    cancel: this.cancelPort.bind(this),
    resendSignature: this.resendPortSignature.bind(this),
  };

  readonly operatorPorts = {
    list: this.listOperatorPorts.bind(this),
    get: this.getOperatorPort.bind(this),
    getDocument: this.getOperatorPortDocument.bind(this),
    move: this.movePort.bind(this),
  };

  readonly personas = {
    create: this.createPersona.bind(this),
    list: this.listPersonas.bind(this),
    get: this.getPersona.bind(this),
    update: this.updatePersona.bind(this),
    delete: this.deletePersona.bind(this),
    attachNumbers: this.attachPersonaNumbers.bind(this),
    detachNumbers: this.detachPersonaNumbers.bind(this),
    listVersions: this.listPersonaVersions.bind(this),
    getVersion: this.getPersonaVersion.bind(this),
    promote: this.promotePersona.bind(this),
  };

  readonly pathways = {
    create: this.createPathway.bind(this),
    list: this.listPathways.bind(this),
    get: this.getPathway.bind(this),
    update: this.updatePathway.bind(this),
    delete: this.deletePathway.bind(this),
    listVersions: this.listPathwayVersions.bind(this),
    getVersion: this.getPathwayVersion.bind(this),
    replaceDocument: this.replacePathwayDocument.bind(this),
    deleteFork: this.deletePathwayFork.bind(this),
    compareVersions: this.comparePathwayVersions.bind(this),
    fork: this.forkPathwayVersion.bind(this),
    promote: this.promotePathway.bind(this),
    attachNumbers: this.attachPathwayNumbers.bind(this),
    detachNumbers: this.detachPathwayNumbers.bind(this),
  };

  readonly contacts = {
    list: this.listContacts.bind(this),
    get: this.getContact.bind(this),
    update: this.updateContact.bind(this),
    delete: this.deleteContact.bind(this),
    find: this.findContact.bind(this),
    resolve: this.resolveContact.bind(this),
    merge: this.mergeContacts.bind(this),
    updateMemory: this.updateContactMemory.bind(this),
    listCalls: this.listContactCalls.bind(this),
    listMerges: this.listContactMerges.bind(this),
    listDeletions: this.listContactDeletions.bind(this),
    export: this.exportContact.bind(this),
  };

  readonly knowledge = {
    learn: this.learnKnowledge.bind(this),
    list: this.listKnowledge.bind(this),
    get: this.getKnowledge.bind(this),
    update: this.updateKnowledge.bind(this),
    delete: this.deleteKnowledge.bind(this),
    search: this.searchKnowledge.bind(this),
    chat: this.chatWithKnowledge.bind(this),
  };

  readonly agents = {
    create: this.createAgent.bind(this),
    list: this.listAgents.bind(this),
    get: this.getAgent.bind(this),
    update: this.updateAgent.bind(this),
    delete: this.deleteAgent.bind(this),
  };

  readonly testScenarios = {
    create: this.createTestScenario.bind(this),
    list: this.listTestScenarios.bind(this),
    get: this.getTestScenario.bind(this),
    update: this.updateTestScenario.bind(this),
    delete: this.deleteTestScenario.bind(this),
    run: this.runTestScenario.bind(this),
    generate: this.generateTestScenario.bind(this),
    generateFromPersona: this.generateTestScenariosFromPersona.bind(this),
    generateFromCalls: this.generateTestScenariosFromCalls.bind(this),
    createFromRun: this.createTestScenarioFromRun.bind(this),
    calibration: this.getJudgeCalibration.bind(this),
  };

  readonly testTemplates = {
    list: this.listTestTemplates.bind(this),
    clone: this.cloneTestTemplate.bind(this),
  };

  readonly testRuns = {
    list: this.listTestRuns.bind(this),
    get: this.getTestRun.bind(this),
    recording: this.getTestRecording.bind(this),
    cancel: this.cancelTestRun.bind(this),
    analyze: this.analyzeTestRun.bind(this),
    labels: this.getTestLabels.bind(this),
    label: this.setTestLabels.bind(this),
    judge: this.judgeTestRun.bind(this),
  };

  readonly testBatches = {
    run: this.runTestBatch.bind(this),
    list: this.listTestBatches.bind(this),
    get: this.getTestBatch.bind(this),
    cancel: this.cancelTestBatch.bind(this),
  };

  readonly testBudget = {
    get: this.getTestBudget.bind(this),
    set: this.setTestBudget.bind(this),
    estimate: this.estimateTestTokens.bind(this),
  };

  readonly testPrices = {
    get: this.getTestPrices.bind(this),
    set: this.setTestPrices.bind(this),
  };

  readonly testAnalytics = {
    get: this.getTestAnalytics.bind(this),
    getEnhanced: this.getEnhancedTestAnalytics.bind(this),
  };

  readonly pathwayCoverage = {
    get: this.getPathwayCoverage.bind(this),
  };

  readonly simulationSets = {
    start: this.startSimulationSet.bind(this),
    list: this.listSimulationSets.bind(this),
    get: this.getSimulationSet.bind(this),
    compare: this.compareSimulationSets.bind(this),
    cancel: this.cancelSimulationSet.bind(this),
  };

  readonly testSchedules = {
    create: this.createTestSchedule.bind(this),
    list: this.listTestSchedules.bind(this),
    get: this.getTestSchedule.bind(this),
    update: this.updateTestSchedule.bind(this),
    delete: this.deleteTestSchedule.bind(this),
  };

  readonly testMonitors = {
    create: this.createTestMonitor.bind(this),
    list: this.listTestMonitors.bind(this),
    get: this.getTestMonitor.bind(this),
    update: this.updateTestMonitor.bind(this),
    delete: this.deleteTestMonitor.bind(this),
  };

  readonly loadTests = {
    start: this.startLoadTest.bind(this),
    list: this.listLoadTests.bind(this),
    get: this.getLoadTest.bind(this),
    cancel: this.cancelLoadTest.bind(this),
  };

  readonly tornado = {
    start: this.startTornado.bind(this),
    list: this.listTornadoSessions.bind(this),
    getActive: this.getActiveTornado.bind(this),
    getStatus: this.getTornadoStatus.bind(this),
    cancel: this.cancelTornado.bind(this),
    undoFix: this.undoTornadoFix.bind(this),
  };

  readonly webhooks = {
    create: this.createWebhook.bind(this),
    list: this.listWebhooks.bind(this),
    get: this.getWebhook.bind(this),
    update: this.updateWebhook.bind(this),
    delete: this.deleteWebhook.bind(this),
    rotateSecret: this.rotateWebhookSecret.bind(this),
    test: this.testWebhook.bind(this),
    replayFailed: this.replayFailedDeliveries.bind(this),
    getSecret: this.getWebhookSecret.bind(this),
    createSecret: this.createWebhookSecret.bind(this),
  };

  readonly deliveries = {
    list: this.listDeliveries.bind(this),
    get: this.getDelivery.bind(this),
    replay: this.replayDelivery.bind(this),
  };

  readonly alerts = {
    list: this.listAlerts.bind(this),
    get: this.getAlert.bind(this),
    update: this.updateAlert.bind(this),
    test: this.testAlerts.bind(this),
    getContacts: this.getAlertContacts.bind(this),
    updateContacts: this.updateAlertContacts.bind(this),
    testContact: this.testAlertContact.bind(this),
  };

  readonly maintenanceWindows = {
    create: this.createMaintenanceWindow.bind(this),
    list: this.listMaintenanceWindows.bind(this),
    get: this.getMaintenanceWindow.bind(this),
    update: this.updateMaintenanceWindow.bind(this),
    delete: this.deleteMaintenanceWindow.bind(this),
  };

  readonly noc = {
    getSummary: this.getSummary.bind(this),
    listTrunkHealth: this.listTrunkHealth.bind(this),
    listLiveCalls: this.listLiveCalls.bind(this),
    getCallSeries: this.getCallSeries.bind(this),
    listIncidents: this.listIncidents.bind(this),
    getIncident: this.getIncident.bind(this),
    updateIncident: this.updateIncident.bind(this),
    getExplanations: this.getExplanations.bind(this),
    streamEvents: this.streamEvents.bind(this),
  };

  readonly keys = {
    create: this.createKey.bind(this),
    list: this.listKeys.bind(this),
    get: this.getKey.bind(this),
    revoke: this.revokeKey.bind(this),
  };

  readonly members = {
    list: this.listMembers.bind(this),
    update: this.updateMember.bind(this),
    remove: this.removeMember.bind(this),
    invite: this.inviteMember.bind(this),
    listInvitations: this.listInvitations.bind(this),
    withdrawInvitation: this.withdrawInvitation.bind(this),
    createResetLink: this.createResetLink.bind(this),
    listAuditEvents: this.listAuditEvents.bind(this),
  };

  readonly usage = {
    get: this.getUsage.bind(this),
    breakdown: this.getUsageBreakdown.bind(this),
  };

  readonly organizations = {
    create: this.createOrganization.bind(this),
    list: this.listOrganizations.bind(this),
    get: this.getOrganization.bind(this),
    update: this.updateOrganization.bind(this),
    usage: this.getUsageForOrganization.bind(this),
    usageBreakdown: this.getUsageBreakdownForOrganization.bind(this),
    createKey: this.createKeyForOrganization.bind(this),
    listKeys: this.listKeysForOrganization.bind(this),
    getKey: this.getKeyForOrganization.bind(this),
    revokeKey: this.revokeKeyForOrganization.bind(this),
    listMembers: this.listMembersForOrganization.bind(this),
    updateMember: this.updateMemberForOrganization.bind(this),
    removeMember: this.removeMemberForOrganization.bind(this),
    inviteMember: this.inviteMemberForOrganization.bind(this),
    listInvitations: this.listInvitationsForOrganization.bind(this),
    withdrawInvitation: this.withdrawInvitationForOrganization.bind(this),
    createResetLink: this.createResetLinkForOrganization.bind(this),
    listAuditEvents: this.listAuditEventsForOrganization.bind(this),
  };

  /** Live events; continues after interruptions. */
  events(query: StreamEventsQuery = {}, options: LiveEventOptions = {}): AsyncGenerator<LiveEvent> {
    return liveEvents((asked, request) => this.raw('GET', '/v1/noc/events', { query: asked, ...request }), query, options);
  }
}

