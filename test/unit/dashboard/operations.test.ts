import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Operations } from '../../../clients/typescript/src/index.js';

const folder = new URL('../../../src/dashboard/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

/** Reached by the address of a download, a player or a stream. */
const byAddress: Readonly<Record<string, string>> = {
  exportCallRecords: '/v1/sip/calls.csv',
  exportContact: '/v1/contacts/',
  getOperatorPortDocument: '/v1/operator/ports/',
  getTestRecording: '/v1/agent-testing/runs/',
  listenToCall: '/v1/calls/',
  streamEvents: '/v1/noc/events',
  uploadPortDocument: '/v1/sip/port/document',
};

/** What a page shows by another operation, which brings the same. */
const broughtBy: Readonly<Record<string, string>> = {
  cloneTestTemplate: 'createTestScenario',
  findContact: 'resolveContact',
  getAgent: 'listAgents',
  getAlert: 'listAlerts',
  getCall: 'getCallRecord',
  getExplanations: 'getCallRecord',
  getKey: 'listKeys',
  getKeyForOrganization: 'listKeysForOrganization',
  getKnowledge: 'listKnowledge',
  getMaintenanceWindow: 'listMaintenanceWindows',
  getPersonaVersion: 'listPersonaVersions',
  getTestAnalytics: 'getEnhancedTestAnalytics',
  getTestMonitor: 'listTestMonitors',
  getTestSchedule: 'listTestSchedules',
  listLiveCalls: 'snapshot',
};

/** For agents during a call, with its token. */
const forAgents = ['addAgentMetadata', 'updateContactMemory'];

const isCalled = (name: string): boolean => sources.includes(`.${name}(`);

it('each operation of the API has a page, or is brought by one that has', () => {
  const names = Object.getOwnPropertyNames(Operations.prototype).filter((name) => name !== 'constructor');
  expect(names.length).toBeGreaterThan(200);
  const lacking = names.filter(
    (name) => !isCalled(name) && !(name in byAddress) && !(name in broughtBy) && !forAgents.includes(name),
  );
  expect(lacking).toEqual([]);
});

it('what takes the place of an operation is there', () => {
  for (const address of Object.values(byAddress)) expect(sources).toContain(address);
  for (const name of Object.values(broughtBy))
    expect(isCalled(name) || sources.includes(`'${name}'`), name).toBe(true);
  expect([...Object.keys(broughtBy), ...forAgents].filter(isCalled)).toEqual([]);
});
