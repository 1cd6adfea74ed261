import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { interpolate, readCompose } from '../../support/compose-file.js';

const file = join(import.meta.dirname, '..', '..', '..', 'docker-compose.yml');
const variables = { LOCAL_ADDRESS: '192.0.2.1' };

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
