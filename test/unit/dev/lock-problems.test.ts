import { expect, it } from 'vitest';
import { lockProblems } from '../../../dev/gate/lock-problems.mjs';

const manifest = { dependencies: { one: '^1.0.0' } };
const lockWith = (node: string): Parameters<typeof lockProblems>[0] => ({
  packages: { '': manifest, 'node_modules/one': { integrity: 'sha512-…', engines: { node } } },
});

it.each([
  ['>=22', ['20.19.0']],
  ['^20.19.0 || >=22.12.0', []],
  ['>=18 <24', ['24.11.0']],
  ['>= 20.20', ['20.19.0']],
])('a package for Node.js %s is refused for %j', (node, refused) => {
  expect(lockProblems(lockWith(node), manifest)).toEqual(
    refused.map(
      (version) => `package-lock.json: node_modules/one refuses Node.js ${version} (engines: ${node})`,
    ),
  );
});

it('a registry in the lock file is refused', () => {
  const packages = {
    '': {},
    'node_modules/one': { integrity: 'sha512-…', resolved: 'https://registry.example/one' },
  };
  expect(lockProblems({ packages }, {})).toEqual([expect.stringContaining('names a registry')]);
});

it('optional dependencies that differ from those of package.json are refused', () => {
  const packages = {
    '': { ...manifest, optionalDependencies: { two: '1.0.0' } },
    'node_modules/two': { integrity: 'sha512-…', optional: true },
  };
  expect(lockProblems({ packages }, { ...manifest, optionalDependencies: { two: '1.0.0' } })).toEqual([]);
  expect(lockProblems({ packages }, manifest)).toEqual([
    expect.stringContaining('optionalDependencies differ'),
  ]);
});
