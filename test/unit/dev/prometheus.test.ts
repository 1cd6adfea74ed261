import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { allMetrics } from '../../../dev/reference/metric-reference.js';
import { readCompose } from '../../support/compose-file.js';

const { findBinary } = (await import(
  new URL('../../../dev/setup/system-packages.mjs', import.meta.url).href
)) as { findBinary: (name: string) => string | undefined };

const source = join(import.meta.dirname, '..', '..', '..', 'docker', 'prometheus');
const promtool = findBinary('promtool');
const reason = 'promtool is not installed (Debian package prometheus)';

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
interface ScrapeConfig {
  readonly job_name: string;
  readonly static_configs: readonly { readonly targets: string[] }[];
  readonly file_sd_configs: readonly { readonly files: string[] }[];
  readonly metric_relabel_configs?: readonly { readonly source_labels: string[]; readonly regex: string }[];
}
const readYaml = <Content>(name: string): Content =>
  parse(readFileSync(join(source, name), 'utf8')) as Content;
const rules = readYaml<{ groups: { rules: Rule[] }[] }>('alerts.yml').groups.flatMap((group) => group.rules);
const jobs = readYaml<{ scrape_configs: ScrapeConfig[] }>('prometheus.yml').scrape_configs;

/** Series by name, with the values of one sample per minute in promtool's notation: `first+step x samples`. */
type Series = Readonly<Record<string, string>>;
const constant = (value: number): string => `${value}x40`;
/** @param perQuarter growth in 15 s */
const rising = (perQuarter: number): string => `0+${4 * perQuarter}x40`;
const setups = (seconds: 1 | 10): Series => ({
  'demarc_call_setup_duration_seconds_bucket{direction="inbound",le="1"}': rising(seconds === 1 ? 10 : 0),
  'demarc_call_setup_duration_seconds_bucket{direction="inbound",le="10"}': rising(10),
  'demarc_call_setup_duration_seconds_bucket{direction="inbound",le="+Inf"}': rising(10),
});
const scores = (mos: 3 | 4): Series => ({
  'demarc_rtp_mos_score_bucket{le="3"}': rising(mos === 3 ? 10 : 0),
  'demarc_rtp_mos_score_bucket{le="4"}': rising(10),
  'demarc_rtp_mos_score_bucket{le="+Inf"}': rising(10),
});
const calls = (failed: number): Series => ({
  'demarc_calls_total{termination="failed"}': rising(failed),
  'demarc_calls_total{termination="completed"}': rising(10),
});
const servers = (unreachable: number): Series => ({
  'demarc_trunk_servers{status="unreachable"}': constant(unreachable),
  'demarc_trunk_servers{status="healthy"}': constant(10),
});

/** By alert, what fires it after 30 minutes and what does not. */
const cases: Readonly<Record<string, readonly [firing: Series, quiet: Series]>> = {
  EdgeDown: [{ 'up{job="edge"}': constant(0) }, { 'up{job="edge"}': constant(1) }],
  ControlDown: [{ 'up{job="control"}': constant(0) }, { 'up{job="control"}': constant(1) }],
  EngineDown: [{ demarc_engine_up: constant(0) }, { demarc_engine_up: constant(1) }],
  EngineProcessDown: [{ 'up{job="engine"}': constant(0) }, { 'up{job="engine"}': constant(1) }],
  EngineRefusesRequests: [
    { demarc_engine_transactions_refused_total: rising(1) },
    { demarc_engine_transactions_refused_total: constant(9) },
  ],
  ConnectionsRefused: [
    { 'demarc_engine_connections_refused_total{reason="source"}': rising(30) },
    { 'demarc_engine_connections_refused_total{reason="source"}': rising(10) },
  ],
  ProgramDefect: [{ demarc_engine_defects_total: rising(1) }, { demarc_engine_defects_total: constant(3) }],
  EdgeMachineSilent: [
    { 'demarc_other_edges{state="silent"}': constant(1) },
    { 'demarc_other_edges{state="answers"}': constant(1) },
  ],
  EdgeDrainsLong: [{ demarc_draining: constant(1) }, { demarc_draining: '0x10 1x10 0x20' }],
  MediaSessionsNotDeleted: [
    { demarc_owed_deletions: constant(101) },
    { demarc_owed_deletions: constant(100) },
  ],
  MediaStreamDown: [{ 'up{job="media-stream"}': constant(0) }, { 'up{job="media-stream"}': constant(1) }],
  NoMediaStreamReady: [
    // The last process has ended; the edges report it.
    { demarc_stream_processes: constant(0), demarc_stream_calls: '1x5 _x35' },
    // A fleet without agents by WebSocket.
    { demarc_stream_processes: constant(0) },
  ],
  MediaStreamTicksLate: [
    { demarc_stream_frame_lateness_seconds: constant(0.03) },
    { demarc_stream_frame_lateness_seconds: constant(0.01) },
  ],
  NoMedia: [
    { 'demarc_rtpengine_up{node="a"}': constant(0), 'demarc_rtpengine_up{node="b"}': constant(0) },
    { 'demarc_rtpengine_up{node="a"}': constant(0), 'demarc_rtpengine_up{node="b"}': constant(1) },
  ],
  RtpengineDown: [{ demarc_rtpengine_up: constant(0) }, { demarc_rtpengine_up: constant(1) }],
  RtpengineSlow: [
    { demarc_rtpengine_round_trip_seconds: constant(0.3) },
    { demarc_rtpengine_round_trip_seconds: constant(0.2) },
  ],
  RedisAway: [{ demarc_redis_up: constant(0) }, { demarc_redis_up: constant(1) }],
  RecordsLost: [{ demarc_records_lost_total: rising(1) }, { demarc_records_lost_total: constant(5) }],
  DeliveriesLate: [
    { demarc_delivery_oldest_seconds: constant(301) },
    { demarc_delivery_oldest_seconds: constant(299) },
  ],
  RecordsNotStored: [
    { 'demarc_stream_lag_seconds{stream="calls"}': constant(121) },
    { 'demarc_stream_lag_seconds{stream="calls"}': constant(119) },
  ],
  CallsFail: [calls(2), calls(1)],
  CallsRefusedForLimits: [
    { 'demarc_refusals_total{reason="refused_limit"}': rising(30) },
    { 'demarc_refusals_total{reason="refused_limit"}': rising(10) },
  ],
  CallSetupSlow: [setups(10), setups(1)],
  PoorAudio: [scores(3), scores(4)],
  TrunkServersUnreachable: [servers(4), servers(2)],
  RegistrationsMissing: [
    { 'demarc_registrations{state="not_registered"}': constant(1) },
    { 'demarc_registrations{state="registered"}': constant(1) },
  ],
  TlsHandshakesFail: [
    { 'demarc_engine_tls_handshakes_total{result="failed"}': rising(30) },
    { 'demarc_engine_tls_handshakes_total{result="completed"}': rising(30) },
  ],
  // The clock of promtool starts at 0.
  CertificateExpires: [
    { demarc_engine_certificate_expiry_seconds: constant(10 * 86_400) },
    { demarc_engine_certificate_expiry_seconds: constant(20 * 86_400) },
  ],
  PartNotReady: [{ demarc_control_part_ready: constant(0) }, { demarc_control_part_ready: constant(1) }],
  SheddingLoad: [{ demarc_calls_shed_total: rising(1) }, { demarc_calls_shed_total: constant(7) }],
  LogLinesDropped: [
    { demarc_log_lines_dropped_total: rising(1) },
    { demarc_log_lines_dropped_total: constant(7) },
  ],
  UnhandledRejections: [
    { demarc_unhandled_rejections_total: rising(1) },
    { demarc_unhandled_rejections_total: constant(7) },
  ],
  EventLoopSlow: [
    { nodejs_eventloop_lag_p99_seconds: constant(0.3) },
    { nodejs_eventloop_lag_p99_seconds: constant(0.1) },
  ],
  EventLoopBlocked: [
    { 'nodejs_eventloop_lag_max_seconds{role="control"}': constant(1.1) },
    { 'nodejs_eventloop_lag_max_seconds{role="control"}': constant(0.9) },
  ],
};

describe('docker/prometheus', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'demarc-prometheus-'));
    cpSync(source, folder, { recursive: true });
    const path = join(folder, 'prometheus.yml');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/etc/prometheus', folder));
    for (const example of readdirSync(join(folder, 'targets')))
      renameSync(
        join(folder, 'targets', example),
        join(folder, 'targets', example.replace(/\.example$/, '')),
      );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: string[]): string => execFileSync(promtool!, args, { cwd: folder, encoding: 'utf8' });

  it('has a configuration, rules and targets that Prometheus accepts', ({ skip }) => {
    skip(promtool === undefined, reason);
    expect(run('check', 'config', 'prometheus.yml')).toContain(`${rules.length} rules found`);
  });

  it('has a case for every alert', () => {
    expect(rules.map(({ alert }) => alert).sort()).toEqual(Object.keys(cases).sort());
  });

  it('alerts in each case, and not beside it', ({ skip }) => {
    skip(promtool === undefined, reason);
    const testOf = (alert: string, input: Series, isFiring: boolean): object => ({
      name: `${alert}${isFiring ? '' : ', quiet'}`,
      interval: '1m',
      input_series: Object.entries(input).map(([series, values]) => ({ series, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertstate="firing",alertname="${alert}"})`,
          eval_time: '30m',
          exp_samples: isFiring ? [{ labels: '{}', value: 1 }] : [],
        },
      ],
    });
    // Each with its own rule alone: promtool would evaluate all of them in every case, which takes a minute on a busy machine.
    const files = rules.map((rule) => {
      const { alert } = rule;
      const [firing, quiet] = cases[alert]!;
      writeFileSync(
        join(folder, `${alert}.rule.yml`),
        stringify({ groups: [{ name: alert, rules: [rule] }] }),
      );
      writeFileSync(
        join(folder, `${alert}.test.yml`),
        stringify({
          rule_files: [`${alert}.rule.yml`],
          evaluation_interval: '1m',
          tests: [testOf(alert, firing, true), testOf(alert, quiet, false)],
        }),
      );
      return `${alert}.test.yml`;
    });
    const results = run('test', 'rules', ...files);
    expect(results.match(/SUCCESS/g)).toHaveLength(rules.length);
  });

  it('names only metrics that a role exports', () => {
    const exported = new Set(allMetrics().flatMap(({ metrics }) => metrics.map(({ name }) => name)));
    const named = rules.flatMap(({ expr }) => expr.match(/\b(?:demarc|drachtio)_[a-z_]+/g) ?? []);
    expect(named.length).toBeGreaterThan(rules.length / 2);
    expect(named.map((name) => name.replace(/_bucket$/, '')).filter((name) => !exported.has(name))).toEqual(
      [],
    );
  });

  it('reads every process of docker-compose.yml, here and on other machines', () => {
    const services = readCompose(
      join(source, '..', '..', 'docker-compose.yml'),
      { LOCAL_ADDRESS: '192.0.2.1' },
      ['edge', 'control'],
    );
    const listed = [...services.values()].map(({ environment }) => {
      const { DEMARC_STREAM_HTTP, METRICS_LISTEN, METRICS_PORT, DEMARC_BIND, DEMARC_HTTP_PORT } = environment;
      return (
        DEMARC_STREAM_HTTP ??
        (METRICS_LISTEN === undefined
          ? `${DEMARC_BIND}:${DEMARC_HTTP_PORT}`
          : `${METRICS_LISTEN}:${METRICS_PORT}`)
      );
    });
    const scraped = jobs.flatMap(({ static_configs }) => static_configs.flatMap(({ targets }) => targets));
    expect(scraped.sort()).toEqual(listed.sort());
    for (const { job_name, file_sd_configs } of jobs)
      expect(file_sd_configs).toEqual([{ files: [`/etc/prometheus/targets/${job_name}*.yml`] }]);
  });

  it("reads the engine's metrics from the engine alone", () => {
    const dropped = jobs
      .find(({ job_name }) => job_name === 'edge')!
      .metric_relabel_configs!.find(({ source_labels }) => source_labels[0] === '__name__')!;
    const isDropped = new RegExp(`^(?:${dropped.regex})$`);
    const namesOf = (role: string): string[] =>
      allMetrics()
        .filter((entry) => entry.role === role)
        .flatMap(({ metrics }) => metrics.map(({ name }) => name));
    expect(namesOf('engine').filter((name) => !isDropped.test(name))).toEqual([]);
    expect([...namesOf('edge'), ...namesOf('all')].filter((name) => isDropped.test(name))).toEqual([]);
  });
});
