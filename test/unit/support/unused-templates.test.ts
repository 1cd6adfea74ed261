import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { noteUse, removeUnusedTemplates } from '../../support/unused-templates.js';

const folder = mkdtempSync(join(tmpdir(), 'demarc-unused-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param hours since a run used it */
function template(name: string, hours: number): string {
  const path = join(folder, name);
  mkdirSync(join(path, 'cluster'), { recursive: true });
  writeFileSync(join(path, 'cluster', 'PG_VERSION'), '15');
  const usedAt = new Date(Date.now() - hours * 3_600_000);
  utimesSync(path, usedAt, usedAt);
  return path;
}

it('removes templates that no run has used for a day, and nothing else', async () => {
  const recent = template('template-a', 23);
  const unused = template('template-b', 25);
  const unfinished = template('template-c.x1y2z3', 25);
  const used = template('template-d', 25);
  const unrelated = template('unrelated', 25);
  await noteUse(used);
  await removeUnusedTemplates(join(folder, 'template'));
  expect([recent, unused, unfinished, used, unrelated].map((path) => existsSync(path))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});
