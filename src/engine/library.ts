import type { CountingClock } from '../base/system-clock.js';
import { type EngineListener, type EngineSettings, readEngineSettings } from '../config/engine-settings.js';
import type { HostPort } from '../config/environment.js';
import { isLoopback } from '../naming/address-scope.js';
import { type EngineNotices, Engine as EngineProcess } from './engine.js';
import type { EngineTransport } from './transport/flow.js';

/** Settings of an engine in the host's own process; all but the first two have the defaults of `demarc engine`. */
export interface EngineOptions extends Partial<Omit<EngineSettings, 'admin' | 'listeners' | 'tls'>> {
  readonly tls?: Partial<EngineSettings['tls']>;
  /** Where drachtio-srf applications connect; port 0: any free one (`adminPort`). */
  readonly admin: HostPort;
  /** At least one; port 0: any free one (`listeners`). */
  readonly listeners: readonly EngineListener[];
}

/** As drachtio-server; for `admin` on loopback only. */
const defaultSecret = 'cymru';

/** Complete settings. Throws `TypeError` for a set that an engine must not run with. */
export function completeSettings(options: EngineOptions): EngineSettings {
  const { admin, listeners, secret = '' } = options;
  if (listeners.length === 0) throw new TypeError('listeners: at least one is required');
  const isLocal = admin.host === 'localhost' || isLoopback(admin.host);
  if (secret === '' && !isLocal)
    throw new TypeError('secret: required unless admin is on loopback, because applications place calls');
  const { certificateFile, keyFile } = options.tls ?? {};
  if (listeners.some(({ protocol }) => protocol === 'tls') && (certificateFile ?? keyFile) === undefined)
    throw new TypeError('tls: certificateFile and keyFile are required for a TLS listener');
  const defaults = readEngineSettings([
    '--secret',
    secret === '' ? defaultSecret : secret,
    '--udp',
    '127.0.0.1:0',
  ]);
  return {
    ...defaults,
    // Not from the environment of the host.
    metricsToken: undefined,
    ...options,
    tls: { ...defaults.tls, ...options.tls },
    secret: defaults.secret,
  };
}

const quiet: EngineNotices = {
  wire() {},
  transport() {},
  defect(error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  },
};

/** The SIP engine in the process that imports it. `start()` opens its sockets, `stop()` ends it. */
export class Engine extends EngineProcess {
  /**
   * @param notices what the host wants to know of connections and applications. Default: nothing; a defect is a warning of the process
   * @param clock for tests in virtual time (`testkit`)
   * @param transport replaces the sockets of `listeners`
   */
  constructor(
    options: EngineOptions,
    notices: EngineNotices = quiet,
    clock?: CountingClock,
    transport?: EngineTransport,
  ) {
    super(completeSettings(options), notices, clock, transport);
  }
}
