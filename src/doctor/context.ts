import { dirname, join } from 'node:path';
import { type ControlSettings, readControlSettings } from '../config/control-settings.js';
import { type EdgeSettings, readEdgeSettings } from '../config/edge-settings.js';
import { type Environment, SettingsError } from '../config/environment.js';
import { type MediaStreamSettings, readMediaStreamSettings } from '../config/media-stream-settings.js';
import { readReadyFile } from '../launcher/ready-file.js';
import type { Finding } from './finding.js';

/** What the checks look at. */
export interface DoctorContext {
  /** Undefined: they are invalid, or this machine runs no edge. */
  readonly edge: EdgeSettings | undefined;
  /** Undefined: they are invalid, or this machine runs no control. */
  readonly control: ControlSettings | undefined;
  /** Undefined: they are invalid, or this machine runs no media-stream process. */
  readonly mediaStream: MediaStreamSettings | undefined;
  readonly settingsProblems: readonly string[];
  /** Unix milliseconds. */
  readonly now: () => number;
}

export interface Check {
  /** As users name it with `--only`. */
  readonly name: string;
  readonly title: string;
  run(context: DoctorContext): Promise<readonly Finding[]>;
}

function read<Settings>(
  problems: string[],
  role: string,
  reader: (environment: Environment) => Settings,
  environment: Environment,
): Settings | undefined {
  try {
    return reader(environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems.map((line) => `${role}: ${line}`));
    return undefined;
  }
}

/** What `demarc up` chose, where it runs; variables that are set count more. */
function launched(environment: Environment): Environment {
  const ready = readReadyFile(environment.DEMARC_STATE_DIR ?? '.demarc');
  if (ready === undefined) return {};
  const { sip, redis, postgres, rtpengine, demo, http } = ready;
  const tls = dirname(sip.caFile);
  const { hostname, port } = new URL(http.url);
  return {
    DEMARC_REDIS_URL: redis.url,
    DEMARC_RTPENGINE: rtpengine.ng,
    DEMARC_AGENT_URI: demo.agent,
    DEMARC_TLS_CERT: join(tls, 'server.crt'),
    DEMARC_TLS_KEY: join(tls, 'server.key'),
    DEMARC_SIP_TLS_PORT: String(sip.port),
    DATABASE_URL: postgres?.url,
    DEMARC_BIND: hostname,
    DEMARC_HTTP_PORT: port,
  };
}

/** `both`: edge and control. */
export const roles = ['edge', 'media-stream', 'control', 'both'] as const;
export type Role = (typeof roles)[number];

/** A variable that only that role has. */
const isSet = (environment: Environment, ...names: readonly string[]): boolean =>
  names.some((name) => (environment[name] ?? '') !== '');

/** @param role undefined: follows from the variables that are set */
export function doctorContext(given: Environment, role?: Role): DoctorContext {
  const environment = { ...launched(given), ...given };
  const settingsProblems: string[] = [];
  const hasControl =
    role === undefined ? isSet(environment, 'DATABASE_URL') : role === 'control' || role === 'both';
  const hasStream =
    role === undefined
      ? isSet(environment, 'DEMARC_STREAM_LISTEN', 'DEMARC_STREAM_HTTP')
      : role === 'media-stream';
  const hasEdge =
    role === undefined
      ? !(hasControl || hasStream) || isSet(environment, 'DEMARC_TLS_CERT', 'DRACHTIO_HOST')
      : role === 'edge' || role === 'both';
  return {
    edge: hasEdge ? read(settingsProblems, 'demarc edge', readEdgeSettings, environment) : undefined,
    control: hasControl
      ? read(settingsProblems, 'demarc control', readControlSettings, environment)
      : undefined,
    mediaStream: hasStream
      ? read(settingsProblems, 'demarc media-stream', readMediaStreamSettings, environment)
      : undefined,
    settingsProblems,
    now: Date.now,
  };
}
