import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface NpmPackages {
  npmInstallReason(root: string): string | undefined;
}
// The first steps of `npm start` are plain modules: they run before there is a compiler.
const { npmInstallReason } = (await import(
  new URL('../../../dev/setup/npm-packages.mjs', import.meta.url).href
)) as NpmPackages;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'demarc-npm-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
}

const lock = (version: string): object => ({
  packages: {
    '': { name: 'demarc' },
    'node_modules/pino': { version },
    'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
  },
});

function install(version: string): void {
  write('node_modules/.package-lock.json', { packages: { 'node_modules/pino': { version } } });
  write('node_modules/pino/package.json', {});
}

describe('npm packages', () => {
  it('need no install when every locked package is there in its version', () => {
    write('package-lock.json', lock('1.0.0'));
    install('1.0.0');
    expect(npmInstallReason(root)).toBeUndefined();
  });

  it('need one when an optional package of the product itself is missing', () => {
    const packages = {
      '': { name: 'demarc', optionalDependencies: { koffi: '3.3.4' } },
      'node_modules/koffi': { version: '3.3.4', optional: true },
    };
    write('package-lock.json', { packages });
    install('1.0.0');
    expect(npmInstallReason(root)).toContain('has changed');
    write('node_modules/.package-lock.json', { packages });
    write('node_modules/koffi/package.json', {});
    expect(npmInstallReason(root)).toBeUndefined();
  });

  it('need one in a fresh clone', () => {
    write('package-lock.json', lock('1.0.0'));
    expect(npmInstallReason(root)).toContain('node_modules is missing');
  });

  it('need one after the lock file has changed', () => {
    write('package-lock.json', lock('2.0.0'));
    install('1.0.0');
    expect(npmInstallReason(root)).toContain('has changed');
  });

  it('need one after a package was deleted', () => {
    write('package-lock.json', lock('1.0.0'));
    install('1.0.0');
    rmSync(join(root, 'node_modules/pino'), { recursive: true });
    expect(npmInstallReason(root)).toContain('node_modules/pino is missing');
  });
});
