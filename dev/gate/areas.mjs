import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The tests that a change in an area can break, in about two minutes: folders below test/ end with a slash. A file may belong to several areas.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const areas = {
  base: [
    ...['unit/base/', 'unit/config/', 'unit/contract/', 'unit/metrics/', 'unit/support/'],
    ...[
      'contract/redis/',
      'contract/package.test.ts',
      'contract/command-line.test.ts',
      'e2e/processes.test.ts',
    ],
    ...['unit/errors.test.ts', 'contract/killed-run.test.ts'],
  ],
  engine: [
    ...['unit/sip/', 'unit/hep/', 'unit/naming/', 'unit/engine/', 'contract/engine/', 'contract/hep/'],
    ...['contract/hardening/streams.test.ts', 'contract/hardening/floods.test.ts'],
  ],
  edge: [
    ...['unit/edge/', 'contract/call/', 'contract/transfer/', 'contract/live/'],
    ...['e2e/media.test.ts', 'e2e/calls.test.ts'],
  ],
  outbound: [
    ...['unit/edge/outbound/', 'unit/edge/whole/outbound.test.ts', 'contract/outbound/'],
    ...['e2e/outbound.test.ts', 'e2e/trunks.test.ts', 'e2e/test-call.test.ts'],
    ...['e2e/calls.test.ts', 'e2e/asterisk.test.ts'],
  ],
  media: [
    ...[
      'unit/edge/media/',
      'unit/edge/quality/',
      'unit/rtp/',
      'unit/sdp/',
      'contract/media/',
      'e2e/media.test.ts',
    ],
    ...['e2e/rtpengine.test.ts', 'e2e/lossy-network.test.ts', 'e2e/trunks.test.ts'],
    'e2e/dashboard/calls.test.ts',
  ],
  registration: [
    ...['unit/edge/registration/', 'unit/edge/discovery/', 'contract/registration/', 'contract/health/'],
    ...['e2e/trunks.test.ts', 'e2e/asterisk.test.ts'],
  ],
  hardening: ['unit/edge/survival/', 'contract/hardening/', 'e2e/busy-machine.test.ts', 'e2e/calls.test.ts'],
  survival: [
    ...['unit/edge/survival/', 'contract/call/takeover.test.ts', 'contract/call/calls.test.ts'],
    ...['contract/transfer/transfers.test.ts', 'e2e/processes.test.ts'],
    'e2e/rehoming.test.ts',
  ],
  control: [
    ...[
      'unit/control/',
      'contract/control/api/',
      'contract/control/whole/',
      'contract/control/history/',
      'contract/control/projection/',
    ],
    ...[
      ...['batches', 'calls', 'failover', 'fairness', 'health', 'killed-control', 'lost-calls', 'noc'],
      ...[
        'postgres-cluster',
        'postgres-failover',
        'rate-limits',
        'redis-breaks',
        'rotated-role',
        'shared-trunks',
        'sightings',
        'silent-database',
      ],
      'test-calls',
      'telemetry',
      'organization-move',
    ].map((name) => `contract/control/${name}.test.ts`),
    'e2e/start.test.ts',
  ],
  notifications: ['contract/control/alerts/', 'contract/control/deliveries/', 'unit/control/alerts/'],
  'agent-testing': [
    ...['unit/control/agent-testing/', 'unit/control/pathways/', 'unit/test-caller/', 'unit/test-command/'],
    ...['contract/control/agent-testing/', 'contract/control/pathways/', 'contract/control/personas.test.ts'],
    'e2e/voice-test-call.test.ts',
  ],
  'media-stream': [
    ...[
      'unit/bot/',
      'unit/bot-check/',
      'unit/media-stream/',
      'contract/media-stream/',
      'contract/control/agent-streams.test.ts',
      'e2e/websocket-agent.test.ts',
    ],
    'e2e/twilio-client.test.ts',
  ],
  porting: ['unit/control/porting/', 'contract/control/porting/', 'e2e/porting.test.ts'],
  knowledge: [
    ...['unit/control/knowledge/', 'unit/control/contacts/', 'unit/control/models/'],
    ...['contract/control/knowledge/', 'contract/control/contacts/'],
  ],
  dashboard: ['unit/dashboard/', 'e2e/dashboard/', 'e2e/dashboard-faults.test.ts'],
  clients: [
    ...['unit/clients/', 'unit/control/api-document.test.ts', 'unit/test-command/', 'contract/clients/'],
    'contract/control/examples.test.ts',
  ],
  launcher: [
    ...[
      'unit/launcher/',
      'unit/doctor/',
      'unit/dev/',
      'contract/command-line.test.ts',
      'contract/control/postgres-cluster.test.ts',
      'contract/control/doctor.test.ts',
    ],
    ...[
      'e2e/start.test.ts',
      'e2e/production.test.ts',
      'e2e/backup.test.ts',
      'e2e/kubernetes.test.ts',
      'e2e/rotation.test.ts',
      'e2e/image.test.ts',
      'e2e/packages.test.ts',
    ],
  ],
};

/** @param {string} path of a test file, relative to test/ */
export function areasOf(path) {
  return Object.keys(areas).filter((area) => areas[area]?.some((place) => isIn(path, place)));
}

/**
 * @param {string} path
 * @param {string} place
 */
function isIn(path, place) {
  return place.endsWith('/') ? path.startsWith(place) : path === place;
}

/**
 * @param {string} folder with the tests
 * @returns all test files in it, relative to it
 */
export function testFiles(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => relative(folder, join(folder, name)))
    .sort();
}

/**
 * The area that the command line of `npm test` asks for.
 * @param {readonly string[]} args
 * @returns {string | undefined} undefined: all tests
 * @throws {Error} whose text says what is accepted
 */
export function readGateArguments(args) {
  const usage = `usage: npm test -- [--area AREA]\nareas: ${Object.keys(areas).join(', ')}`;
  if (args.length === 0) return undefined;
  const [option, area, ...more] = args;
  if (option !== '--area' || more.length > 0)
    throw new Error(`Unknown arguments: ${args.join(' ')}\n${usage}`);
  if (area === undefined) throw new Error(`--area needs a name.\n${usage}`);
  if (!Object.hasOwn(areas, area)) throw new Error(`Unknown area "${area}".\n${usage}`);
  return area;
}
