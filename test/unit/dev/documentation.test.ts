import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numberDocumentSchema } from '../../../src/contract/number.js';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

/** The variables that a settings file declares, by its own lines. */
const declared = (file: string): string[] =>
  [...read('src', ...file.split('/')).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!);

describe('documentation', () => {
  const settings = read('docs', 'settings.md');
  const documented = new Set([...settings.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => name!));

  it.each([
    'config/edge-settings.ts',
    'config/control-settings.ts',
    'config/notice-settings.ts',
    'config/media-stream-settings.ts',
    'launcher/settings.ts',
  ])('names every variable of %s', (file) => {
    const names = declared(file);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('names no variable that does not exist', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read('src', name))
      .join('\n');
    expect([...documented].filter((name) => !sources.includes(name))).toEqual([]);
  });

  it.each(['edge-settings.ts', 'control-settings.ts', 'notice-settings.ts'])(
    'has the defaults of %s',
    (file) => {
      const source = read('src', 'config', file);
      for (const [, name, value] of source.matchAll(/^ {2}(DEMARC_[A-Z0-9_]+): .*\.default\(([\d_]+)\)/gm)) {
        expect(settings, name).toContain(`| \`${name}\` | \`${value!.replaceAll('_', '')}\` |`);
      }
    },
  );

  it('links to pages that exist', () => {
    const pages = [
      ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
      ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => join('docs', name)),
    ];
    for (const page of pages) {
      for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        expect(existsSync(join(root, dirname(page), target!)), `${page}: ${target}`).toBe(true);
      }
    }
  });

  it('describes the version of the package in the changelog, breaking changes first', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
    const newest = sections.find((section) => !section.startsWith('Unreleased')) ?? '';
    expect(newest.split(' ')[0]).toBe(version);
    const headings = [...newest.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.slice(0, 2)).toEqual(['Upgrade notes', 'Changed, breaking']);
    expect(read('SECURITY.md')).toContain(`(${version.split('.').slice(0, 2).join('.')})`);
  });

  it('names a quickest test for every folder, and only tests that exist', () => {
    const section = read('docs', 'development.md').split('## The quickest test')[1]!.split('\n## ')[0]!;
    const rows = [...section.matchAll(/^\| (`.*?) \| (.*?) \| (.*?) \|$/gm)];
    const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const folders = rows.flatMap(([, changed]) => quoted(changed!)).map((name) => name.replace(/\/…$/, ''));
    expect(folders.filter((name) => !existsSync(join(root, name)))).toEqual([]);
    const foldersOf = (parent: string): string[] =>
      readdirSync(join(root, parent), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [`${parent}/${entry.name}`] : [],
      );
    const all = [...foldersOf('src').filter((name) => name !== 'src/edge'), ...foldersOf('src/edge')];
    expect(all.filter((name) => !folders.includes(name))).toEqual([]);

    // `contract test/contract/call`, `hardening/dialogs`: a path, or one below the folder of the project.
    const parents = ['', 'test/contract', 'test/contract/hardening', 'test/e2e'];
    const isTest = (name: string): boolean =>
      parents.some((parent) =>
        ['', '.test.ts'].some((suffix) => existsSync(join(root, parent, name + suffix))),
      );
    const tests = rows
      .flatMap(([, , first, then]) => quoted(`${first} ${then}`))
      .filter((text) => !text.startsWith('npm run '))
      .map((text) => text.split(' ').at(-1)!.replace(/17-…$/, ''));
    expect(tests.length).toBeGreaterThan(20);
    expect(tests.filter((name) => !isTest(name))).toEqual([]);
  });

  it('has every answer that the benchmark of knowledge searches looks for', () => {
    const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
    const leftOut = ['licences.md', 'knowledge.md'];
    const pages = readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md') && !leftOut.includes(name))
      .map((name) => oneLine(read('docs', name)));
    const asked = JSON.parse(read('dev', 'bench', 'knowledge-questions.json')) as { answer: string }[];
    const missing = asked.filter(({ answer }) => !pages.some((page) => page.includes(oneLine(answer))));
    expect(missing).toEqual([]);
  });

  it('has an example of a number that is accepted', () => {
    expect(numberDocumentSchema.safeParse(JSON.parse(read('config', 'number.json'))).error).toBeUndefined();
  });

  it('names in production.env all that docker-compose.yml requires, and what each profile needs', () => {
    const compose = read('docker-compose.yml');
    const example = new Set(
      [...read('config', 'production.env').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name),
    );
    const required = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name!);
    const places = [
      ...compose.matchAll(/\$\{([A-Z_]+_(?:LISTEN|HOST|DIRECTORY|PASSWORD|SECRET|KEY|NAME)):/g),
    ];
    const unnamed = ['GRAFANA_PASSWORD', 'HTTP_LISTEN', 'DEMARC_AGENT_PASSWORD'];
    const wanted = [...required, ...places.map(([, name]) => name!)].filter(
      (name) => !unnamed.includes(name),
    );
    expect(wanted.length).toBeGreaterThan(5);
    expect(wanted.filter((name) => !example.has(name))).toEqual([]);
  });
});
