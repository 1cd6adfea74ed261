/** Step of `npm run check`: folders have an order, and a folder imports only those that its entry lists (docs/development.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Folders in their order, lowest first, each with the folders that it may import. A folder without an entry may import nothing. A file of
 * the folder itself has its own entry or shares the entry ''.
 * @typedef {Readonly<Record<string, readonly string[]>>} Ranks
 */

/**
 * Folders and files of `src/control`, by rank: the basis of everything, who may do what, what areas share, the areas of the API, and
 * what puts them together.
 * @type {Readonly<Record<'ground' | 'access' | 'stock' | 'areas' | 'server', Ranks>>}
 */
export const controlRanks = {
  ground: {
    database: [],
    telemetry: [],
    jobs: [],
    secrets: [],
    streams: ['database'],
    models: [],
    objects: [],
    workers: [],
    http: ['database', 'secrets'],
  },
  access: {
    organizations: ['database', 'http'],
    audit: ['database'],
    people: ['database', 'secrets', 'http', 'organizations', 'audit'],
    session: ['database', 'http', 'organizations', 'people'],
    idempotency: ['database', 'http'],
  },
  stock: {
    fleet: [],
    promotions: ['database'],
    versions: ['database', 'http', 'promotions'],
    numbers: ['database', 'http', 'organizations'],
    parties: ['database', 'organizations'],
    events: [],
    deliveries: ['database', 'telemetry', 'secrets', 'http', 'organizations', 'events'],
    'area.ts': ['telemetry', 'secrets', 'models', 'workers', 'http', 'fleet', 'promotions', 'deliveries'],
  },
  areas: {
    'agent-credentials': ['database', 'secrets', 'http', 'organizations', 'numbers', 'area.ts'],
    knowledge: ['database', 'jobs', 'models', 'workers', 'http', 'area.ts'],
    pathways: [
      'database',
      'secrets',
      'http',
      'promotions',
      'versions',
      'numbers',
      'events',
      'area.ts',
      'knowledge',
      'deliveries',
    ],
    personas: [
      'database',
      'secrets',
      'http',
      'promotions',
      'versions',
      'numbers',
      'events',
      'area.ts',
      'knowledge',
      'pathways',
      'deliveries',
    ],
    agents: ['database', 'http', 'area.ts', 'knowledge'],
    health: ['database', 'streams', 'http', 'numbers', 'events', 'area.ts', 'deliveries'],
    calls: [
      'database',
      'objects',
      'telemetry',
      'jobs',
      'streams',
      'models',
      'http',
      'idempotency',
      'fleet',
      'numbers',
      'parties',
      'events',
      'deliveries',
      'area.ts',
      'pathways',
      'personas',
      'organizations',
      'people',
      'audit',
      'session',
    ],
    contacts: ['database', 'jobs', 'http', 'parties', 'area.ts', 'calls', 'numbers'],
    alerts: [
      'database',
      'http',
      'organizations',
      'fleet',
      'numbers',
      'events',
      'deliveries',
      'area.ts',
      'health',
      'calls',
    ],
    'agent-testing': [
      'database',
      'jobs',
      'secrets',
      'models',
      'workers',
      'http',
      'fleet',
      'promotions',
      'organizations',
      'events',
      'deliveries',
      'area.ts',
      'knowledge',
      'personas',
      'pathways',
      'numbers',
      'calls',
      'contacts',
      'alerts',
    ],
    usage: [
      'database',
      'http',
      'organizations',
      'fleet',
      'events',
      'deliveries',
      'area.ts',
      'calls',
      'alerts',
    ],
    trunks: ['database', 'secrets', 'http', 'organizations', 'numbers', 'deliveries', 'area.ts', 'health'],
    discovery: ['http', 'organizations', 'numbers', 'area.ts', 'calls', 'trunks'],
    keys: ['http', 'organizations', 'area.ts'],
    members: [
      'database',
      'jobs',
      'secrets',
      'http',
      'organizations',
      'audit',
      'people',
      'session',
      'deliveries',
      'area.ts',
    ],
    operators: [
      'database',
      'http',
      'organizations',
      'audit',
      'numbers',
      'deliveries',
      'area.ts',
      'keys',
      'members',
      'usage',
    ],
    sightings: ['database', 'http', 'numbers', 'area.ts', 'organizations', 'calls', 'health', 'trunks'],
    noc: [
      'database',
      'http',
      'organizations',
      'session',
      'audit',
      'fleet',
      'numbers',
      'deliveries',
      'area.ts',
      'health',
      'alerts',
      'calls',
      'sightings',
    ],
    porting: [
      'database',
      'objects',
      'jobs',
      'secrets',
      'workers',
      'http',
      'numbers',
      'events',
      'deliveries',
      'area.ts',
      'trunks',
      'organizations',
    ],
    'test-calls': ['database', 'http', 'numbers', 'area.ts', 'calls'],
    webhooks: ['database', 'http', 'organizations', 'events', 'deliveries', 'area.ts'],
  },
  server: {
    projection: ['database', 'numbers', 'agent-credentials', 'personas'],
    cells: ['database', 'organizations', 'numbers'],
    'areas.ts': [
      'secrets',
      'http',
      'promotions',
      'area.ts',
      'agent-credentials',
      'knowledge',
      'personas',
      'pathways',
      'agent-testing',
      'agents',
      'health',
      'alerts',
      'usage',
      'calls',
      'contacts',
      'trunks',
      'discovery',
      'keys',
      'members',
      'operators',
      'sightings',
      'noc',
      'porting',
      'test-calls',
      'webhooks',
    ],
    'metrics.ts': ['database', 'streams', 'parties', 'deliveries', 'numbers', 'alerts', 'health'],
    server: [
      'http',
      'organizations',
      'audit',
      'session',
      'idempotency',
      'numbers',
      'events',
      'metrics.ts',
      'calls',
    ],
    'api-document.ts': [
      'secrets',
      'database',
      'workers',
      'http',
      'fleet',
      'deliveries',
      'areas.ts',
      'server',
    ],
    'api-document-worker.ts': ['api-document.ts'],
    'control.ts': [
      'api-document-worker.ts',
      'database',
      'telemetry',
      'secrets',
      'models',
      'workers',
      'http',
      'fleet',
      'projection',
      'deliveries',
      'area.ts',
      'calls',
      'porting',
      'areas.ts',
      'metrics.ts',
      'server',
    ],
    'main.ts': ['database', 'projection', 'calls', 'control.ts'],
  },
};

/** @type {Readonly<Record<string, Ranks>>} folder → ranks of the folders in it */
export const ranks = {
  'src/control': Object.assign({}, ...Object.values(controlRanks)),
  'src/control/agent-testing': {
    statistics: [],
    schemas: ['statistics'],
    'tables.ts': ['schemas'],
    conversation: ['schemas'],
    assertions: ['statistics', 'schemas', 'conversation'],
    voice: ['statistics', 'schemas', 'conversation'],
    scenarios: ['schemas', 'tables.ts', 'conversation', 'assertions', 'voice'],
    budget: ['schemas', 'conversation', 'scenarios'],
    runs: ['schemas', 'tables.ts', 'conversation', 'assertions', 'voice', 'scenarios', 'budget'],
    gates: ['statistics', 'budget', 'runs'],
    simulation: ['statistics', 'schemas', 'scenarios', 'budget', 'runs'],
    alerting: [],
    schedules: ['schemas', 'conversation', 'scenarios', 'budget', 'runs', 'simulation', 'alerting'],
    monitors: ['statistics', 'schemas', 'scenarios', 'budget', 'runs', 'alerting'],
    load: ['statistics', 'schemas', 'voice', 'scenarios', 'budget', 'runs'],
    calibration: ['statistics', 'schemas', 'conversation', 'assertions', 'scenarios', 'runs'],
    analysis: ['schemas', 'conversation', 'assertions', 'scenarios', 'runs'],
    suites: ['statistics', 'schemas', 'conversation', 'assertions', 'scenarios', 'runs', 'analysis'],
    analytics: ['statistics', 'schemas', 'scenarios'],
    tornado: ['statistics', 'schemas', 'conversation', 'scenarios', 'runs', 'analysis'],
    'index.ts': [
      ...['conversation', 'voice', 'scenarios', 'budget', 'runs'],
      ...[
        'gates',
        'simulation',
        'schedules',
        'monitors',
        'load',
        'calibration',
        'analysis',
        'suites',
        'analytics',
        'tornado',
      ],
    ],
  },
  'src/dashboard': {
    style: [],
    api: [],
    parts: ['api', 'style'],
    forms: ['api', 'parts', 'style'],
    frame: ['api', 'parts', 'style'],
    pages: ['api', 'parts', 'forms', 'frame', 'style'],
    app: ['api', 'parts', 'frame', 'style', 'pages'],
    // The file of the folder itself, which starts the application.
    '': ['app', 'parts', 'style'],
  },
  'src/dashboard/pages': {
    call: [],
    setup: [],
    pathways: [],
    alerts: [],
    calls: ['call'],
    contacts: ['calls'],
    trunks: ['alerts', 'call', 'setup'],
    guides: ['setup'],
    batches: [],
    members: [],
    usage: [],
    organizations: ['members', 'setup', 'usage'],
    overview: ['alerts', 'call', 'calls', 'trunks'],
    incidents: ['alerts', 'call', 'overview'],
    'shared-call': ['call'],
    personas: ['pathways'],
    testing: ['pathways'],
  },
};

/**
 * @param {string} root of the repository
 * @returns {string[]} one line for each import that is not allowed
 */
export function checkFolderRanks(root) {
  return Object.entries(ranks).flatMap(([folder, order]) =>
    rankProblems(folder, readSources(join(root, folder)), order),
  );
}

/**
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} sources path below the folder, with slashes → text
 * @param {Ranks} order
 * @returns {string[]}
 */
export function rankProblems(folder, sources, order) {
  const names = Object.keys(order);
  const problems = names.flatMap((name, rank) =>
    (order[name] ?? [])
      .filter((lower) => names.indexOf(lower) === -1 || names.indexOf(lower) >= rank)
      .map((lower) => `${folder}: the entry of ${name} lists ${lower}, which is not below it`),
  );
  for (const [path, text] of sources) {
    const from = placeOf(path, order);
    for (const target of importsOf(path, text)) {
      const to = placeOf(target.replace(/\.js$/, '.ts'), order);
      if (to === from || order[from]?.includes(to)) continue;
      problems.push(`${folder}/${path}: ${from || 'the folder itself'} must not import ${target} (${list})`);
    }
  }
  return problems;
}

const list = 'dev/gate/folder-ranks.mjs';

/** @param {string} path @param {Ranks} order @returns {string} empty: a file of the folder itself that has no entry */
export function placeOf(path, order) {
  if (path.includes('/')) return path.slice(0, path.indexOf('/'));
  return path in order ? path : '';
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]} what it imports, or loads in a thread, from its own tree, named as in the import, relative to the tree's folder
 */
export function importsOf(path, text) {
  return [...text.matchAll(/(?:\bfrom|\bimport|\bURL)\s*\(?\s*['"](\.[^'"]+)['"]/g)]
    .map(([, name]) => posix.normalize(posix.join(posix.dirname(path), name ?? '')))
    .filter((target) => !target.startsWith('../'));
}

/** @param {string} folder @returns {Map<string, string>} path below the folder → text */
export function readSources(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => name.split(/[\\/]/).join('/'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
