import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../control/database/database.js';
import { createKey, recognizeKey, setOperator } from '../control/organizations/keys.js';
import { createOrganization, findOrganization } from '../control/organizations/organizations.js';
import { DemarcError } from '../errors.js';
import { askApi } from './api-request.js';
import { PartFailed } from './managed-process.js';

const organizationName = 'demo';
/** Beside other programs that keep the processors busy, the first answers of control and PostgreSQL take more than ten seconds. */
const answerMilliseconds = 60_000;

export interface DemoKey {
  readonly key: string;
  /** True: created by this start. */
  readonly isNew: boolean;
}

/**
 * The demo organization and an API key for it, with operator rights so that new users see everything. The key is stored with the
 * other secrets of the state directory: the database holds only its hash.
 */
export async function ensureDemoKey(databaseUrl: string, folder: string): Promise<DemoKey> {
  const database = openDatabase(
    { url: databaseUrl, maximumConnections: 1, timeoutMilliseconds: answerMilliseconds },
    () => {},
  );
  try {
    const path = join(folder, 'api.key');
    const kept = readKept(path);
    const owner = kept === undefined ? undefined : await recognizeKey(database, kept);
    if (kept !== undefined && owner !== undefined && !(owner instanceof DemarcError)) {
      if (!owner.isOperator) await setOperator(database, owner.keyId, true);
      return { key: kept, isNew: false };
    }
    const organization =
      (await findOrganization(database, organizationName)) ??
      (await createOrganization(database, { name: organizationName, sipEnabled: true }));
    const { key } = await createKey(database, organization.id, 'npm start', { isOperator: true });
    writeFileSync(path, `${key}\n`, { mode: 0o600 });
    return { key, isNew: true };
  } finally {
    await database.destroy();
  }
}

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Attaches the demo number through the public API. An existing configuration is kept, because users try their
 * changes on it. It names no agent, so it uses the edge's default agent wherever that listens.
 * @throws PartFailed with the error of the API, or where it does not answer
 */
export async function ensureDemoNumber(
  { url, caFile }: { readonly url: string; readonly caFile: string },
  key: string,
  digits: string,
  milliseconds = answerMilliseconds,
): Promise<void> {
  const ask = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; text: string }> => {
    const { status, text } = await askApi(url + path, caFile, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      milliseconds,
    }).catch((failure: Error) => {
      const why =
        failure.name === 'AbortError' ? `no answer within ${milliseconds / 1_000} s` : failure.message;
      throw new PartFailed(`configuring the demo number failed: ${method} ${path}: ${why}`);
    });
    if ((status >= 200 && status < 300) || status === 404) return { status, text };
    throw new PartFailed(`configuring the demo number failed: ${method} ${path} returned ${text}`);
  };
  const number = `+${digits}`;
  const found = await ask('GET', `/v1/sip?phone_number=${encodeURIComponent(number)}`);
  if (found.status === 200) {
    const { configurations } = (JSON.parse(found.text) as { data: { configurations: unknown[] } }).data;
    if (configurations.length > 0) return;
  }
  const attached = await ask('POST', '/v1/sip/attach', {
    phone_numbers: [number],
    directions: [{ type: 'inbound' }],
    service: 'sip',
  });
  const { failed } = (JSON.parse(attached.text) as { data: { failed: { error: string; message: string }[] } })
    .data;
  if (failed.some(({ error }) => error === 'NUMBER_TAKEN')) return;
  if (failed.length > 0) throw new PartFailed(`attaching the demo number failed: ${failed[0]!.message}`);
  await ask('PATCH', '/v1/sip/config', {
    phone_number: number,
    direction: 'inbound',
    // The demo agent supports G.711 only; callers with Opus or G.722 should reach it nevertheless.
    codec_config: { codecs: ['PCMU', 'PCMA', 'Opus', 'G.722'], transcode: true },
  });
}
