/**
 * `npm run docs:performance [FILE…]`: writes docs/performance.md and its pictures from docs/performance.json. With files of
 * `npm run bench -- --json` it first puts those together there; of two that measured the same, the later one counts.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/bootstrap.mjs';
import { performanceDocument } from './performance-document.js';
import { checkedInFile, type Report, readCheckedIn, readReport } from './report.js';

const inDocs = (...path: string[]): string => join(root, 'docs', ...path);

function together(one: Report, later: Report): Report {
  const filled = Object.entries(later).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const command = `${one.command}; ${later.command}`;
  return { ...one, ...Object.fromEntries(filled), systems: one.systems, generator: one.generator, command };
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;

const files = process.argv.slice(2);
if (files.length > 0) {
  const report = files.map((file) => readReport(file)).reduce(together);
  writeFileSync(checkedInFile, `${JSON.stringify(report, rounded, 2)}\n`);
}
const { markdown, pictures } = performanceDocument(readCheckedIn());
writeFileSync(inDocs('performance.md'), markdown);
mkdirSync(inDocs('performance'), { recursive: true });
for (const [name, picture] of Object.entries(pictures)) writeFileSync(inDocs('performance', name), picture);
