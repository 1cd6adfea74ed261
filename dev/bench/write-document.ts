/**
 * `npm run docs:performance [FILE…]`: writes docs/performance.md, its pictures and docs/decisions/performance-goals.md from docs/performance.json. With files of
 * `npm run bench -- --json` it first puts those together there: what the first compares at its rates stays, the others add to it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/bootstrap.mjs';
import { performanceDocument } from './performance-document.js';
import { checkedInFile, type Report, readCheckedIn, readReport } from './report.js';

const inDocs = (...path: string[]): string => join(root, 'docs', ...path);

/** Held calls, connections and growth of the later report replace those of the first one. */
function together(first: Report, later: Report): Report {
  const last = <Name extends 'held' | 'connections' | 'growth'>(name: Name): Report[Name] =>
    later[name].length > 0 ? later[name] : first[name];
  const command = `${first.command}; ${later.command}`;
  return { ...first, command, held: last('held'), connections: last('connections'), growth: last('growth') };
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;

const files = process.argv.slice(2);
if (files.length > 0) {
  const report = files.map((file) => readReport(file)).reduce(together);
  writeFileSync(checkedInFile, `${JSON.stringify(report, rounded, 2)}\n`);
}
const { markdown, goals, pictures } = performanceDocument(readCheckedIn());
writeFileSync(inDocs('performance.md'), markdown);
writeFileSync(inDocs('decisions', 'performance-goals.md'), goals);
mkdirSync(inDocs('performance'), { recursive: true });
for (const [name, picture] of Object.entries(pictures)) writeFileSync(inDocs('performance', name), picture);
