import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
    ['edge', ['engine', 'edge-1', 'edge-2', 'media-stream']],
    ['drachtio', ['drachtio', 'edge-drachtio']],
    ['control', ['control']],
    ['monitoring', ['prometheus', 'grafana']],
  ])('has the services of the profile %s, and none without a profile', (profile, names) => {
    expect([...readCompose(file, variables, [profile]).keys()]).toEqual(names);
    expect([...readCompose(file, variables, []).keys()]).toEqual([]);
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
});
