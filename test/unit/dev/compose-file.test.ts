import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { interpolate, readCompose } from '../../support/compose-file.js';

const root = join(import.meta.dirname, '..', '..', '..');
const file = join(root, 'docker-compose.yml');
const variables = { LOCAL_ADDRESS: '192.0.2.1' };

describe('images that are not built here', () => {
  // No digest is checked in: the tests reach no registry of images, and an image that was never run must not be named.
  it('are pinned by docker/pin-images.sh, which knows each base and each image', () => {
    const listed = execFileSync(join(root, 'docker', 'pin-images.sh'), ['--list'], { encoding: 'utf8' });
    const pinned = new Map(
      listed
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
    for (const dockerfile of readdirSync(join(root, 'docker')).filter((name) =>
      name.endsWith('.Dockerfile'),
    )) {
      const bases = readFileSync(join(root, 'docker', dockerfile), 'utf8').matchAll(/^FROM (\S+)/gm);
      for (const [, base = ''] of bases) {
        const variable = /^\$\{(\w+)\}$/.exec(base)?.[1];
        expect(base.includes('@sha256:') || pinned.has(variable ?? ''), `${dockerfile}: ${base}`).toBe(true);
      }
    }
    const services = readCompose(file, variables, ['data', 'drachtio', 'monitoring']);
    const images = [...services.values()].flatMap(({ build, image }) => (build === undefined ? [image] : []));
    expect(images.length).toBeGreaterThan(3);
    for (const image of images) expect([...pinned.values()]).toContain(image);
  });
});

describe('images that are built here', () => {
  it.each(['edge', 'rtpengine'])('say in their labels what docker/%s.Dockerfile builds', (name) => {
    const text = readFileSync(join(root, 'docker', `${name}.Dockerfile`), 'utf8');
    const [, last = ''] = /[\s\S]*^FROM ([\s\S]*)$/m.exec(text)!;
    const labels = Object.fromEntries(
      [...last.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map(([, label, value]) => [
        label,
        value,
      ]),
    );
    expect(labels).toMatchObject({
      title: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\w/),
      licenses: expect.stringMatching(/^(Apache-2\.0|GPL-3\.0-or-later)$/),
    });
    if (name !== 'edge') return;
    // In the stage that becomes the image: an argument of an earlier stage is empty here.
    for (const argument of ['VERSION', 'REVISION'])
      expect(last).toMatch(new RegExp(`^ARG ${argument}=$`, 'm'));
    expect(labels).toMatchObject({ version: '$'.concat('{VERSION}'), revision: '$'.concat('{REVISION}') });
    const given = { ...variables, DEMARC_VERSION: '0.2.0', DEMARC_REVISION: 'abc' };
    for (const [service, { build }] of readCompose(file, given, ['edge', 'control']))
      expect(build!.args, service).toMatchObject({ VERSION: '0.2.0', REVISION: 'abc' });
  });
});

describe('docker-compose.yml', () => {
  it.each([
    ['%{A}-%{B:-b}', 'a-b'],
    ['%{B:-%{C:-%{A}}}:%{D:-5}', 'a:5'],
    ['$%{A} %{B:-redis://:%{A:-}@%{C:-127.0.0.1}}', '%{A} redis://:a@127.0.0.1'],
  ])('interpolates %s (with a dollar for a percent sign) as Docker Compose does', (text, expected) => {
    const written = (pattern: string): string => pattern.replaceAll('%{', '$'.concat('{'));
    expect(interpolate(written(text), { A: 'a' })).toBe(written(expected));
    expect(() => interpolate(written('%{B:?set it}'), {})).toThrow('B: set it');
  });

  it.each([
    ['data', ['redis', 'postgres']],
    ['media', ['rtpengine']],
    ['kernel', ['rtpengine-kernel']],
    ['edge', ['engine', 'edge-1', 'edge-2', 'media-stream']],
    ['drachtio', ['drachtio', 'edge-drachtio']],
    ['control', ['control']],
    ['monitoring', ['prometheus', 'grafana']],
  ])('has the services of the profile %s, and none without a profile', (profile, names) => {
    expect([...readCompose(file, variables, [profile]).keys()]).toEqual(names);
    expect([...readCompose(file, variables, []).keys()]).toEqual([]);
  });

  it('prefers Redis, which every call waits for', () => {
    const profiles = ['data', 'media', 'edge', 'control', 'monitoring'];
    const shares = [...readCompose(file, variables, profiles)].map(
      ([name, { cpu_shares }]) => [name, cpu_shares] as const,
    );
    expect(shares.filter(([, share]) => share !== 1_024)).toEqual([['redis', 2_048]]);
  });

  it("confines Demarc's processes, and gives them every setting and a health check", () => {
    const services = readCompose(file, variables, ['edge', 'media', 'control', 'drachtio']);
    for (const [name, service] of services) {
      if (service.build === undefined) continue;
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        healthcheck: { test: expect.any(Array) },
      });
      const takesSettings = service.build.dockerfile === 'docker/edge.Dockerfile';
      expect(service.env_file, name).toEqual(takesSettings ? [{ path: 'demarc.env', required: false }] : []);
    }
  });

  // No machine of the tests has the kernel module.
  it('gives rtpengine in the kernel its table and NET_ADMIN, and nothing else beyond the one in user space', () => {
    const kernel = readCompose(file, variables, ['kernel']).get('rtpengine-kernel')!;
    const userSpace = readCompose(file, variables, ['media']).get('rtpengine')!;
    expect(kernel).toEqual({
      ...userSpace,
      profiles: ['kernel'],
      user: 'root',
      cap_add: ['NET_ADMIN'],
      environment: { ...userSpace.environment, RTPENGINE_TABLE: '0' },
    });
    expect(kernel).toMatchObject({ network_mode: 'host', cap_drop: ['ALL'], read_only: true });
  });

  it.each([
    ['user space', {}, '--table=-1'],
    ['the kernel', { RTPENGINE_TABLE: '0' }, '--table=0'],
  ])('starts rtpengine for media in %s', (_, environment, option) => {
    const folder = mkdtempSync(join(tmpdir(), 'demarc-rtpengine-'));
    try {
      writeFileSync(join(folder, 'rtpengine'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
      const printed = execFileSync(join(root, 'docker', 'rtpengine.sh'), {
        env: { PATH: `${folder}:${process.env.PATH}`, LOCAL_ADDRESS: '192.0.2.1', ...environment },
        encoding: 'utf8',
      });
      expect(printed.split('\n')).toContain(option);
      expect(printed.split('\n')).toContain('--interface=192.0.2.1!192.0.2.1');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
