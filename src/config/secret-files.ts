import { readFileSync } from 'node:fs';
import { SettingsError } from './environment.js';

/** Settings that are secret, or a URL with a password. */
export const secretSettings = [
  'DATABASE_URL',
  'DEMARC_AGENT_PASSWORD',
  'DEMARC_DOCUMENT_S3_SECRET',
  'DEMARC_EMBEDDINGS_KEY',
  'DEMARC_ENGINE_SECRET',
  'DEMARC_HEP_FORWARD_KEY',
  'DEMARC_JUDGE_KEY',
  'DEMARC_LLM_KEY',
  'DEMARC_METRICS_TOKEN',
  'DEMARC_OTLP_HEADERS',
  'DEMARC_REDIS_SENTINEL_PASSWORD',
  'DEMARC_REDIS_URL',
  'DEMARC_SECRET_KEY',
  'DEMARC_SECRET_KEY_PREVIOUS',
  'DEMARC_SMS_TOKEN',
  'DEMARC_SMTP_URL',
  'DEMARC_STT_KEY',
  'DEMARC_TTS_KEY',
  'DEMARC_TWILIO_AUTH_TOKEN',
  'DRACHTIO_SECRET',
] as const;

const suffix = '_FILE';

/**
 * Gives each secret setting that `<name>_FILE` names a file for its value from there, without the line break at the end, and removes the former, so
 * that child processes do not read it again. The file wins over a value in the environment, which compose files may always set.
 * Throws `SettingsError` for files that cannot be read or are empty.
 */
export function readSecretFiles(environment: Record<string, string | undefined>): void {
  const problems: string[] = [];
  for (const name of secretSettings) {
    const variable = `${name}${suffix}`;
    const path = environment[variable]?.trim();
    delete environment[variable];
    if (path === undefined || path === '') continue;
    try {
      const value = readFileSync(path, 'utf8').trim();
      if (value === '') problems.push(`${variable}: ${path} is empty`);
      else environment[name] = value;
    } catch (failure) {
      problems.push(`${variable}: ${(failure as Error).message}`);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
}
