import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { areas, areasOf, readGateArguments, testFiles } from '../../../dev/gate/areas.mjs';

const tests = fileURLToPath(new URL('../../', import.meta.url));

describe('the areas of the tests', () => {
  it('have every test file', () => {
    expect(testFiles(tests).filter((file) => areasOf(file).length === 0)).toEqual([]);
  });

  it('name nothing that does not exist', () => {
    const places = Object.values(areas).flat();
    expect(places.filter((place) => !existsSync(`${tests}${place}`))).toEqual([]);
  });

  it('have the files of a subject in several areas where several can break them', () => {
    expect(areasOf('contract/call/takeover.test.ts')).toEqual(['edge', 'survival']);
    expect(areasOf('nothing/new.test.ts')).toEqual([]);
  });
});

describe('the arguments of npm test', () => {
  it('select an area, or all tests', () => {
    expect(readGateArguments(['--area', 'engine'])).toBe('engine');
    expect(readGateArguments([])).toBeUndefined();
  });

  it.each([[['--area', 'phones']], [['--area']], [['--area', 'toString']], [['edge']], [['--strict']]])(
    'rejects %j with a list of the areas',
    (args) => {
      expect(() => readGateArguments(args)).toThrow(/areas: base, engine, edge, .*launcher/);
    },
  );
});
