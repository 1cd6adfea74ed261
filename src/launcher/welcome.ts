import { existsSync } from 'node:fs';
import type { DemoKey } from './demo.js';
import { hostForUrl } from './part.js';
import type { ReadyFile } from './ready-file.js';
import type { StateDirectory } from './state-directory.js';

/** A clone has `npm run call`; the package has none of npm's scripts. */
const callCommand = existsSync(new URL('../../dev/call/call.mjs', import.meta.url))
  ? 'npm run call     '
  : 'npx demarc call  ';

/** Prints what a newcomer needs: where to call, the dashboard, the API key. */
export function welcome(
  ready: ReadyFile,
  directory: StateDirectory,
  { key, isNew }: DemoKey,
  metricsTokenFile: string | undefined,
): void {
  const place = `${hostForUrl(ready.sip.host)}:${ready.sip.port}`;
  process.stdout.write(`
Demarc is up.

  Call it         sip:${ready.demo.number}@${place};transport=tls   (SRTP required)
  Trust this CA   ${ready.sip.caFile}
  Dashboard       ${ready.http.url}/   (log in with the API key; Members invites people)
  API             ${ready.http.url}/docs
  API key         ${isNew ? `${key}   (shown once)` : `http.apiKey in ${directory.readyFile}`}
  Health          ${ready.http.url}/readyz
  Metrics         ${ready.http.url}/metrics${metricsTokenFile === undefined ? '' : `   (token in ${metricsTokenFile})`}
  Logs            ${directory.logs}

  Try it now      ${callCommand} (in a second terminal)
  Stop            Ctrl-C

`);
}
