/** Phrases that make texts hard to read and must not return (docs/glossary.md has the terms); a unit test runs this check. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Each phrase with its replacement. Only phrases without a legitimate use in a product text. */
const phrases = /** @type {const} */ ([
  [/\b(is|are|was|were|stays?) away\b/i, 'down, unreachable'],
  [/\b(goes|go|went|going) on\b(?! (hold|a|an|the|top|from|in|disk|to)\b)/i, 'continues, active, live'],
  [/\b(some|no|any|every)body\b/i, 'name the actor'],
  [/\bwhoever\b/i, 'name the actor'],
  [/\bof (ours|its own|their own|my own|one['’]s own)\b/i, 'own, Demarc'],
  [/\bmistakes? of ours\b/i, 'internal error'],
  [/\b(is|are|was|were|be|been) told\b/i, 'name the actor: sends, notifies, returns'],
  [/\btold (anew|once|of)\b/i, 'name the actor: sends, notifies, returns'],
  [/\btak(e|es|en|ing) (it|them|the \w+ )?away\b/i, 'remove, clear'],
  [/\bin vain\b/i, 'without effect'],
  [/\bby (itself|themselves)\b/i, 'automatically, alone'],
  [/\blooked? (at|for) now\b/i, 'read, searched'],
]);

/**
 * Lines that may keep a phrase, as file and text.
 * @type {readonly (readonly [file: string, text: string])[]}
 */
const allowed = [['src/launcher/postgres-cluster.ts', 'nobody']];

/**
 * Problems as `file:line: …`, in documentation and in the user-visible strings of sources.
 * @param {string} root
 * @returns {string[]}
 */
export function plainEnglishProblems(root) {
  return textFiles(root).flatMap((path) => {
    const name = relative(root, path);
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const text = name.endsWith('.md') ? line : spoken(line);
        const found = phrases.find(([phrase]) => phrase.test(text));
        if (found === undefined || allowed.some(([file, part]) => file === name && line.includes(part)))
          return [];
        return [`${name}:${index + 1}: "${found[0].exec(text)?.[0]}": write plain English (${found[1]})`];
      });
  });
}

/**
 * The strings and JSX text of a line of code; empty for a comment.
 * @param {string} line
 */
function spoken(line) {
  const code = line.trim();
  if (/^(\/\/|\/?\*|--)/.test(code)) return '';
  const strings = code.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  const isJsxText = /^[A-Z][a-z’' ,;:.\w-]*$/.test(code) && code.includes(' ');
  return [...strings, ...(isJsxText ? [code] : [])].join('\n');
}

/** @param {string} root */
function textFiles(root) {
  const documents = ['README.md', 'docs', 'clients', 'src/engine/README.md'];
  const sources = [
    'src/errors.ts',
    'src/cli.ts',
    'src/contract',
    'src/control',
    'src/dashboard',
    'src/edge',
    'src/launcher',
  ];
  return [
    ...documents.flatMap((place) => filesBelow(join(root, place), /\.md$/)),
    ...sources.flatMap((place) => filesBelow(join(root, place), /\.tsx?$/)),
  ];
}

/**
 * @param {string} path
 * @param {RegExp} wanted
 */
function filesBelow(path, wanted) {
  if (wanted.test(path)) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => wanted.test(name) && !name.includes('node_modules'))
    .map((name) => join(path, name));
}
