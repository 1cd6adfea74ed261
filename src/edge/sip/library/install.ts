import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { agentMethods, sendFrame } from './agent-methods.js';
import { comparedWithLibrary } from './comparison.js';
import { type Internals, loadInternals } from './internals.js';
import { replaceExchangeMethods, replaceMessageMethods } from './message-methods.js';
import { rememberNames } from './message-text.js';
import { messageReading } from './messages.js';

/** Files of drachtio-srf whose functions are replaced here, or are called by those. */
const files = [
  'lib/drachtio-agent.js',
  'lib/request.js',
  'lib/response.js',
  'lib/wire-protocol.js',
  'lib/sip-parser/message.js',
  'lib/sip-parser/parser.js',
] as const;

/**
 * SHA-256 of these files in the versions whose behaviour the replacements have. After an upgrade: compare the files with the
 * previous version, adapt the replacements, run the tests in `test/unit/edge/sip/library`, and add the hash.
 */
export const knownHashes: ReadonlySet<string> = new Set([
  // 5.0.29
  'cd01a944952be36455903adaf47307990a7a4d1119d6f7b43163d550e53e213d',
]);

export type Installation = { readonly ok: true } | { readonly ok: false; readonly reason: string };

let installation: Installation | undefined;

/**
 * Replaces drachtio-srf's parser and the functions around it by faster ones of the same behaviour, once per
 * process. Not for versions other than those it was compared with: these run with their own code, and the reason is returned.
 */
export function installFastLibrary(): Installation {
  installation ??= tryToInstall();
  return installation;
}

function tryToInstall(): Installation {
  if (process.env.DRACHTIO_PRESERVE_HEADER_NAMES) {
    return { ok: false, reason: 'DRACHTIO_PRESERVE_HEADER_NAMES is set' };
  }
  if (/drachtio|^\*/.test(process.env.DEBUG ?? '')) {
    return { ok: false, reason: 'DEBUG asks for the texts of drachtio-srf' };
  }
  try {
    const hash = libraryHash();
    if (!knownHashes.has(hash))
      return { ok: false, reason: `unknown files of drachtio-srf, SHA-256 ${hash}` };
    install(loadInternals());
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: (error as Error).message };
  }
}

/** SHA-256 of the library's files, in hexadecimal digits. Throws when one of them has moved. */
export function libraryHash(): string {
  const { resolve } = createRequire(import.meta.url);
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(resolve(`drachtio-srf/${file}`)));
  return hash.digest('hex');
}

function install(internals: Internals): void {
  const spell = rememberNames(internals.parser.getHeaderName);
  const fast = messageReading(internals, spell);
  // All messages of all tests show whether both parsers agree.
  const reading = process.env.NODE_ENV === 'test' ? comparedWithLibrary(fast, internals) : fast;
  replaceMessageMethods(internals, reading, spell);
  replaceExchangeMethods(internals);
  const { prototype: agent } = internals.Agent;
  Object.assign(agent, agentMethods(internals, { ...pick(agent) }, reading, spell));
  internals.Wire.prototype.send = sendFrame;
}

const pick = ({ _onMsg, sendMessage, sendResponse, _makeRequest }: Internals['Agent']['prototype']) => ({
  _onMsg,
  sendMessage,
  sendResponse,
  _makeRequest,
});
