import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: number };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: { readonly requests?: object; readonly limits?: Readonly<Record<string, string>> };
  readonly securityContext?: object;
}

/** What tests read of a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: {
      readonly spec: {
        readonly hostNetwork?: boolean;
        readonly terminationGracePeriodSeconds?: number;
        readonly securityContext?: object;
        readonly containers: readonly Container[];
      };
    };
  };
}

export const kubernetesFolder = join(import.meta.dirname, '..', '..', 'deploy', 'kubernetes');

/** The files of the Secret `demarc`. */
export const secretKeys = [
  'secret-key',
  'engine-secret',
  'metrics-token',
  'redis-url',
  'database-url',
] as const;

/** @param text of several documents; default: all files of the base */
export function readManifests(text?: string): Manifest[] {
  const base = join(kubernetesFolder, 'base');
  const read = (): string =>
    readdirSync(base)
      .filter((name) => name !== 'kustomization.yaml')
      .map((name) => readFileSync(join(base, name), 'utf8'))
      .join('\n---\n');
  // kubectl reads YAML 1.1, in which 0440 is octal.
  return parseAllDocuments(text ?? read(), { version: '1.1' }).flatMap((document) => {
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return document.contents === null ? [] : [document.toJS() as Manifest];
  });
}
