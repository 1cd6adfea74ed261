import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  colourSchemes,
  fileOf,
  maximumOctets,
  pictures,
  picturesFolder,
} from '../../../dev/pictures/pictures.js';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const names = Object.keys(pictures);
const files = names.flatMap((name) =>
  colourSchemes.map((scheme) => join(picturesFolder, fileOf(name, scheme))),
);
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The pictures of a document, by their paths from the root of the repository. */
const shownBy = (document: string): string[] =>
  [...read(document).matchAll(/(?:src|srcset)="([^"]+)"|!\[[^\]]*\]\(([^)#]+)/g)]
    .map(([, attribute, target]) => relative(root, resolve(root, dirname(document), attribute ?? target!)))
    .filter((path) => path.startsWith(`${picturesFolder}/`));

describe('the pictures of the documents', () => {
  it('are of pages that the dashboard has', () => {
    const routes = [...read('src/dashboard/app/app.tsx').matchAll(/<Route path="([^"]+)"/g)].map(
      ([, route]) => route,
    );
    expect(routes.length).toBeGreaterThan(50);
    const missing = Object.values(pictures).filter(({ route }) => !routes.includes(route));
    expect(missing).toEqual([]);
  });

  it('exist as files of 100 KB at most, and no others do', () => {
    const stored = readdirSync(join(root, picturesFolder)).map((name) => join(picturesFolder, name));
    expect(stored.sort()).toEqual([...files].sort());
    expect(maximumOctets).toBe(102_400);
    const tooLarge = files.filter((file) => statSync(join(root, file)).size > maximumOctets);
    expect(tooLarge).toEqual([]);
    const otherwise = files.filter(
      (file) => readFileSync(join(root, file)).toString('latin1', 8, 12) !== 'WEBP',
    );
    expect(otherwise).toEqual([]);
  });

  it('are shown by the documents of the table in both colour schemes, and by no other', () => {
    const shown = documents.flatMap((document) =>
      [...new Set(shownBy(document))].map((path) => `${document}: ${path}`),
    );
    const listed = Object.entries(pictures).flatMap(([name, picture]) =>
      picture.documents.flatMap((document) =>
        colourSchemes.map((scheme) => `${document}: ${join(picturesFolder, fileOf(name, scheme))}`),
      ),
    );
    expect(shown.sort()).toEqual(listed.sort());
  });

  it('have a text for those who do not see them', () => {
    const images = documents.flatMap((document) =>
      [...read(document).matchAll(/<img [^>]*>/g)].map(([image]) => image),
    );
    expect(images.length).toBeGreaterThan(0);
    expect(images.filter((image) => !/ alt="[^"]{20,}"/.test(image))).toEqual([]);
  });
});
