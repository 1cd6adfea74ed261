import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../src/control/database/database.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { RuleModel } from '../../../src/rule-model/rule-model.js';
import { Receiver } from '../../contract/control/deliveries/receiver.js';
import { freePort } from '../../support/free-ports.js';
import { type Stop, shareWithFiles } from '../../support/shared-by-files.js';
import { patientSettings, RunningSystem } from '../running-system.js';
import { testedConversation } from './tested-conversation.js';

/** What the files of this folder share; each has an organization to itself. */
export interface SharedSystem {
  readonly stateDirectory: string;
  readonly settings: NodeJS.ProcessEnv;
  /** SIP URI of a customer's PBX, which answers: a demo agent. */
  readonly pbx: string;
  /** API keys of the organizations, by the name of the test file. */
  readonly keys: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly sharedSystem: string;
  }
}

const users = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));

/**
 * Starts all that `npm start` runs, once for all files of this folder: a start takes ten seconds of two cores, and each second after it a
 * tenth of one. In watch mode files come back.
 */
export default function shareSystem(project: TestProject): () => Promise<void> {
  const provide = (file: string): void => project.provide('sharedSystem', file);
  return shareWithFiles(provide, start, project.vitest.config.watch ? [] : users);
}

async function start(stops: Stop[]): Promise<SharedSystem> {
  // Slow enough to see a text being learned.
  const model = await RuleModel.start({ rules: testedConversation, embedding_latency_ms: 700 });
  stops.push(() => model.stop());
  const smsProvider = await Receiver.start();
  stops.push(() => smsProvider.stop());
  const system = await startSystem(model.url, smsProvider.url(''), stops);
  const pbx = await startPbx(system, stops);
  const { DATABASE_URL: url } = parseEnv(readFileSync(join(system.stateDirectory, 'env'), 'utf8'));
  const database = openDatabase({ url: url!, maximumConnections: 1, timeoutMilliseconds: 10_000 }, () => {});
  const keyOf = async (name: string): Promise<string> => {
    const { id } = await createOrganization(database, { name, sipEnabled: true });
    return (await createKey(database, id, name)).key;
  };
  try {
    const keys: Record<string, string> = {};
    for (const name of users) keys[name] = await keyOf(name);
    const { stateDirectory, settings } = system;
    return { stateDirectory, settings, pbx, keys };
  } finally {
    await database.destroy();
  }
}

async function startSystem(modelUrl: string, smsUrl: string, stops: Stop[]): Promise<RunningSystem> {
  const system = await RunningSystem.start({
    ...patientSettings,
    DEMARC_EMBEDDINGS_URL: modelUrl,
    DEMARC_EMBEDDINGS_MODEL: 'hashes',
    DEMARC_EMBEDDINGS_BATCH: '8',
    DEMARC_LLM_URL: modelUrl,
    DEMARC_LLM_MODEL: 'rules',
    DEMARC_LLM_STAND_IN: 'true',
    DEMARC_SMS_URL: smsUrl,
    DEMARC_SMS_ACCOUNT: 'AC123',
    DEMARC_SMS_TOKEN: 'token',
    DEMARC_SMS_FROM: 'MG456',
  });
  stops.push(() => system.stop());
  return system;
}

async function startPbx(system: RunningSystem, stops: Stop[]): Promise<string> {
  const port = await freePort();
  const process = system.agent('--listen', `127.0.0.1:${port}`, '--ring-ms', '300');
  stops.push(() => process.stop());
  await process.line(/Agent is ready/, 20_000);
  return `sip:127.0.0.1:${port};transport=tcp`;
}
