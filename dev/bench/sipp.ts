import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newerPrograms } from '../../test/support/newer-programs.js';

/** A command line without its arguments: SIPp 3.8 of Debian's unstable suite runs by that suite's dynamic linker. */
export type Program = readonly [file: string, ...args: string[]];

/**
 * SIPp with TLS; the stable release's has none.
 * @throws where Debian's unstable suite could not be installed
 */
export function sippProgram(): Program {
  if ('reason' in newerPrograms) throw new Error(`SIPp with TLS is missing: ${newerPrograms.reason}`);
  const { root } = newerPrograms;
  const inRoot = (path: string): string => join(root, path);
  return [
    inRoot('lib64/ld-linux-x86-64.so.2'),
    '--library-path',
    inRoot('usr/lib/x86_64-linux-gnu'),
    inRoot('usr/bin/sipp'),
  ];
}

export interface KeyPair {
  readonly certFile: string;
  readonly keyFile: string;
}

const scenario = (name: 'agent' | 'caller'): string => fileURLToPath(new URL(`${name}.xml`, import.meta.url));

/** Options of either side. With a key pair the side uses TLS, otherwise TCP; always one connection for all calls. */
function commonArguments(
  name: 'agent' | 'caller',
  port: number,
  controlPort: number,
  keys: KeyPair | undefined,
): string[] {
  return [
    ['-sf', scenario(name), '-i', '127.0.0.1', '-mi', '127.0.0.1', '-p', String(port), '-bind_local'],
    ['-ci', '127.0.0.1', '-cp', String(controlPort), '-nostdin', '-buff_size', '1048576'],
    keys === undefined ? ['-t', 't1'] : ['-t', 'l1', '-tls_cert', keys.certFile, '-tls_key', keys.keyFile],
  ].flat();
}

/** SIPp as the agent runtime, until it is stopped. */
export const agentArguments = (port: number, controlPort: number, keys?: KeyPair): string[] =>
  commonArguments('agent', port, controlPort, keys);

export interface CallerOptions {
  readonly target: { readonly host: string; readonly port: number };
  /** Numbers to dial, as `-inf` reads them. */
  readonly numbersFile: string;
  readonly localPort: number;
  readonly controlPort: number;
  readonly callsPerSecond: number;
  readonly calls: number;
  readonly holdMilliseconds: number;
  readonly statisticsFile: string;
  readonly keys: KeyPair;
}

/** SIPp as the callers: a fixed number of calls at a fixed rate over one TLS connection. A call not answered in 20 s fails. */
export function callerArguments(options: CallerOptions): string[] {
  const { target, numbersFile, localPort, controlPort, callsPerSecond, calls, holdMilliseconds } = options;
  const longest = Math.ceil(calls / callsPerSecond + holdMilliseconds / 1_000) + 40;
  return [
    commonArguments('caller', localPort, controlPort, options.keys),
    ['-inf', numbersFile, '-r', String(callsPerSecond), '-m', String(calls), '-l', String(calls + 10)],
    ['-d', String(holdMilliseconds), '-timeout', String(longest), '-recv_timeout', '20000'],
    ['-trace_stat', '-stf', options.statisticsFile, '-fd', '1', '-trace_rtt', '-rtt_freq', '1'],
    [`${target.host}:${target.port}`],
  ].flat();
}
