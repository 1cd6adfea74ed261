import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readControlSettings } from '../../../src/config/control-settings.js';
import { readEdgeSettings } from '../../../src/config/edge-settings.js';
import { readMediaStreamSettings } from '../../../src/config/media-stream-settings.js';
import { secretSettings } from '../../../src/config/secret-files.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { readCompose } from '../../support/compose-file.js';
import {
  type Container,
  kubernetesFolder,
  readManifests,
  secretKeys,
} from '../../support/kubernetes-manifests.js';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const manifests = readManifests();
const settings = manifests.find(({ kind }) => kind === 'ConfigMap')!.data!;
const podOf = (name: string) =>
  manifests.find((entry) => entry.metadata.name === name && entry.spec?.template !== undefined)!.spec!
    .template!.spec;
const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
const containerOf = (name: string): Container => containers.find((entry) => entry.name === name)!;
const variableOf = (container: Container, name: string): string | undefined =>
  container.env?.find((entry) => entry.name === name)?.value;

describe('deploy/kubernetes', () => {
  it('lists every file of the base', () => {
    const { resources } = parse(
      readFileSync(join(kubernetesFolder, 'base', 'kustomization.yaml'), 'utf8'),
    ) as {
      resources: string[];
    };
    const files = readdirSync(join(kubernetesFolder, 'base'));
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
  });

  it('has a container for each process of docker-compose.yml', () => {
    const profiles = ['edge', 'media', 'control'];
    const services = readCompose(join(root, 'docker-compose.yml'), { LOCAL_ADDRESS: '192.0.2.1' }, profiles);
    expect(containers.map(({ name }) => name).sort()).toEqual([...services.keys()].sort());
    for (const kind of ['Service', 'PodDisruptionBudget']) {
      const named = manifests.filter((entry) => entry.kind === kind).map(({ metadata }) => metadata.name);
      expect(named.sort(), kind).toEqual(['control', 'edge', 'media-stream', 'rtpengine']);
    }
  });

  it('documents for the firewall every port that opens on a node', () => {
    const onNodes = manifests.filter(({ spec }) => spec?.template?.spec.hostNetwork === true);
    expect(onNodes.map(({ metadata }) => metadata.name)).toEqual(['edge', 'media-stream', 'rtpengine']);
    const ports = onNodes.flatMap(({ spec }) =>
      spec!.template!.spec.containers.flatMap((container) =>
        (container.ports ?? []).map(({ containerPort }) => String(containerPort)),
      ),
    );
    const [rule = ''] = /\* \*\*A NetworkPolicy does not apply[\s\S]+?(?=\n\* )/.exec(
      read('docs', 'kubernetes.md'),
    )!;
    expect(ports.filter((port) => !new RegExp(`\\b${port}\\b`).test(rule))).toEqual([]);
  });

  it('names only settings that exist', () => {
    const documented = new Set(
      [...read('docs', 'settings.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name!),
    );
    const scripts = read('docker', 'engine.sh') + read('docker', 'rtpengine.sh');
    /** Only for values of others, or for the C library. */
    const own = ['POD_NAME', 'HOST_IP', 'GLIBC_TUNABLES'];
    const named = [
      ...Object.keys(settings),
      ...containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
    ];
    expect(named.length).toBeGreaterThan(30);
    const unknown = named.filter((name) => {
      const setting = name.replace(/_FILE$/, '');
      if (setting !== name) return !secretSettings.some((secret) => secret === setting);
      return !documented.has(name) && !own.includes(name) && !new RegExp(`\\$\\{?${name}\\b`).test(scripts);
    });
    expect(unknown).toEqual([]);
  });

  it('has each secret in a file of the Secret, and none in the environment', () => {
    const entries = [
      ...Object.entries(settings),
      ...containers.flatMap(({ env = [] }) => env.map(({ name, value = '' }) => [name, value] as const)),
    ];
    expect(entries.filter(([name]) => secretSettings.some((secret) => secret === name))).toEqual([]);
    const files = entries.filter(([name]) => name.endsWith('_FILE')).map(([, path]) => path);
    expect([...new Set(files)].sort()).toEqual(secretKeys.map((key) => `/run/secrets/${key}`).sort());
    const { secretGenerator } = parse(
      readFileSync(join(kubernetesFolder, 'example', 'kustomization.yaml'), 'utf8'),
    ) as { secretGenerator: { name: string; files: string[] }[] };
    const generated = secretGenerator.find(({ name }) => name === 'demarc')!.files;
    expect(generated.map((path) => path.replace('secrets/', ''))).toEqual([...secretKeys]);
  });

  it('confines every container, and limits its memory', () => {
    for (const { name, securityContext, resources, livenessProbe } of containers) {
      expect(securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(resources, name).toMatchObject({
        requests: { cpu: expect.anything() },
        limits: { memory: expect.anything() },
      });
      expect(resources!.limits, name).not.toHaveProperty('cpu');
      expect(livenessProbe, name).toBeDefined();
    }
    for (const name of ['edge', 'media-stream', 'rtpengine', 'control']) {
      expect(podOf(name).securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(podOf(name).hostNetwork ?? false).toBe(name !== 'control');
    }
  });

  it('probes the ports that processes listen on', () => {
    const ports = {
      engine: '9099',
      'edge-1': '8081',
      'edge-2': '8082',
      'media-stream': '8083',
      control: '8080',
    };
    for (const [name, port] of Object.entries(ports)) {
      const container = containerOf(name);
      expect(
        variableOf(container, 'DEMARC_HTTP_PORT') ??
          variableOf(container, 'DEMARC_STREAM_HTTP')?.split(':')[1] ??
          /METRICS_PORT:-(\d+)/.exec(read('docker', 'engine.sh'))![1],
      ).toBe(port);
      expect(container.livenessProbe!.httpGet).toEqual({ path: '/livez', port: Number(port) });
      if (name !== 'engine')
        expect(container.readinessProbe!.httpGet).toEqual({ path: '/readyz', port: Number(port) });
    }
  });

  it('stops the engine after both edges, and kills none before its calls had time to finish', () => {
    const edges = ['edge-1', 'edge-2'].map(containerOf);
    const hook = containerOf('engine').lifecycle!.preStop.exec.command.at(-1)!;
    for (const edge of edges) {
      expect(hook).toContain(variableOf(edge, 'DEMARC_HTTP_PORT'));
      const drain = Number(variableOf(edge, 'DEMARC_DRAIN_SECONDS'));
      expect(podOf('edge').terminationGracePeriodSeconds! - drain).toBeGreaterThanOrEqual(20);
      // Unlike a hook, SIGTERM is what an edge drains on.
      expect(edge.lifecycle).toBeUndefined();
    }
  });

  it('gives calls at bots as long as calls of edges when a process stops', () => {
    const stream = containerOf('media-stream');
    const drain = Number(variableOf(stream, 'DEMARC_DRAIN_SECONDS'));
    expect(drain).toBe(Number(variableOf(containerOf('edge-1'), 'DEMARC_DRAIN_SECONDS')));
    expect(podOf('media-stream').terminationGracePeriodSeconds! - drain).toBeGreaterThanOrEqual(20);
    // It drains on SIGTERM, which a hook would delay.
    expect(stream.lifecycle).toBeUndefined();
  });

  it('gives edges, media-stream and control settings that they accept', () => {
    const environmentOf = (name: string): Record<string, string> => ({
      NODE_ENV: 'production',
      DEMARC_SECRET_KEY: generateSecretKey(),
      DEMARC_REDIS_URL: 'redis://:password@redis.example.com:6379',
      DEMARC_METRICS_TOKEN: 'metrics-token-of-this-test',
      DRACHTIO_SECRET: 'engine-secret',
      DATABASE_URL: 'postgres://demarc:password@postgres.example.com/demarc',
      ...Object.fromEntries(
        [
          ...Object.entries(settings),
          ...(containerOf(name).env ?? []).map(({ name, value = '' }) => [name, value]),
        ]
          .filter(([variable]) => !variable!.endsWith('_FILE'))
          .map(([variable, value]) => [
            variable,
            value!.replaceAll('$(HOST_IP)', '192.0.2.10').replaceAll('$(POD_NAME)', 'edge-0'),
          ]),
      ),
    });
    expect(readEdgeSettings(environmentOf('edge-1')).edgeId).toBe('edge-0-1');
    expect(readEdgeSettings(environmentOf('edge-2')).edgeId).toBe('edge-0-2');
    expect(readMediaStreamSettings(environmentOf('media-stream'))).toMatchObject({
      id: 'edge-0',
      listen: { host: '192.0.2.10', port: 5_090 },
    });
    expect(() => readControlSettings(environmentOf('control'))).not.toThrow();
  });

  it('holds the engine back until the last edge has ended', async () => {
    const edges = [
      createServer((_, response) => response.end()),
      createServer((_, response) => response.end()),
    ];
    const ports = await Promise.all(
      edges.map(async (edge) => {
        await once(edge.listen(0, '127.0.0.1'), 'listening');
        return String((edge.address() as AddressInfo).port);
      }),
    );
    const [, ...args] = containerOf('engine').lifecycle!.preStop.exec.command;
    const hook = args.at(-1)!.replace('8081', ports[0]!).replace('8082', ports[1]!);
    const child = spawn(process.execPath, [...args.slice(0, -1), hook], {
      env: { LOCAL_ADDRESS: '127.0.0.1' },
    });
    const ended = once(child, 'exit');
    for (const edge of edges) {
      // Asked again, it still waits.
      await once(edge, 'request');
      await once(edge, 'request');
      expect(child.exitCode).toBeNull();
      edge.closeAllConnections();
      edge.close();
    }
    expect((await ended)[0]).toBe(0);
  });
});
