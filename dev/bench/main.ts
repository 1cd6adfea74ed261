/**
 * `npm run bench`: CPU per call, delays and memory of the whole of Demarc with everything enabled, by process: TLS from the
 * trunk, SRTP negotiated, admission, rtpengine offer, answer and delete, traces, records in Redis and PostgreSQL, metrics.
 * Other clones are measured in the same run, in alternation, and with `--peers` also drachtio-server with a bare application.
 * Loopback figures of one machine: compare them only with each other.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAuthority } from '../../test/support/certificates.js';
import { root } from '../setup/bootstrap.mjs';
import { measureDashboard } from './dashboard.js';
import { requireDescriptors } from './descriptors.js';
import { measureMedia } from './media.js';
import { readOptions, usage } from './options.js';
import { type Report, reportSchema } from './report.js';
import { Run } from './run.js';
import { measureSpeech } from './speech.js';
import { GeneratorUnusable } from './step.js';
import { measureTakeover } from './takeover.js';
import { measureStreams } from './websocket.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Directories of one machine mean nothing in a report. */
const withoutPaths = (argv: readonly string[]): string =>
  argv.map((word) => word.replaceAll(/[^\s=]*\/(?=[^/\s])/g, '')).join(' ');

async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help')) {
    print(usage);
    return;
  }
  const options = readOptions(argv, root);
  requireDescriptors(Math.max(options.held ?? 0, options.takeover ?? 0));
  const directory = mkdtempSync(join(tmpdir(), 'demarc-bench-'));
  const authority = await TestAuthority.create();
  try {
    const keys = await authority.issue('bench');
    const machine = { cores: cpus().length, model: cpus()[0]?.model.trim() ?? 'unknown' };
    print(
      `${machine.cores} cores (${machine.model}), ${options.seconds} s a step, calls held ${options.holdMilliseconds} ms`,
    );
    if (options.media !== undefined) {
      await measureMedia(options, print);
      return;
    }
    if (options.speech) {
      await measureSpeech(options.realTime, print);
      return;
    }
    if (options.websocket !== undefined) {
      const certificate = await authority.issue('bot', ['localhost']);
      await measureStreams(options, { directory, authority, certificate }, print);
      return;
    }
    const setting = {
      directory,
      keys,
      generatorCore: options.overload || options.storageApart ? 1 : undefined,
    };
    if (options.dashboard !== undefined) {
      await measureDashboard(options, setting, options.dashboard, print);
      return;
    }
    if (options.takeover !== undefined) {
      await measureTakeover(options, setting, options.takeover, print);
      return;
    }
    const run = new Run(options, setting, print);
    // Otherwise a system would outlive the benchmark.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void run.stop().finally(() => process.exit(1)));
    }
    await run.measure();
    if (options.json === undefined) return;
    const at = new Date().toISOString();
    const report: Report = { version: 1, at, machine, command: withoutPaths(argv), ...run.figures };
    writeFileSync(options.json, `${JSON.stringify(reportSchema.parse(report), undefined, 2)}\n`);
  } finally {
    if (options.keep) print(`kept: ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
    rmSync(authority.directory, { recursive: true, force: true });
  }
}

try {
  await main(process.argv.slice(2));
} catch (failure) {
  const text = failure instanceof Error ? failure.message : String(failure);
  const isUsage = failure instanceof TypeError || text.startsWith('--');
  process.stderr.write(
    failure instanceof GeneratorUnusable
      ? `${text}\nNo figures are reported.\n`
      : `${text}\n${isUsage ? `\n${usage}` : ''}`,
  );
  process.exitCode = 1;
}
