import { describe, expect, it } from 'vitest';
import {
  columnNames,
  defaultColumns,
  readColumns,
  withColumn,
} from '../../../../../src/dashboard/pages/calls/columns.js';

describe('the columns of past calls', () => {
  it('are shown and hidden one by one, in the order of the list', () => {
    const more = withColumn(withColumn(['talked'], 'sip_call_id', true), 'from', true);
    expect(more).toEqual(['from', 'talked', 'sip_call_id']);
    expect(withColumn(more, 'talked', false)).toEqual(['from', 'sip_call_id']);
    expect(withColumn(more, 'from', true)).toEqual(more);
    expect(withColumn(['mos'], 'mos', false)).toEqual([]);
  });

  it('have their default in the order of the list', () => {
    expect(columnNames.filter((name) => defaultColumns.includes(name))).toEqual(defaultColumns);
  });

  it.each<[string, string, readonly string[]]>([
    ['in the order of the list', '["mos","from"]', ['from', 'mos']],
    ['once each', '["mos","mos"]', ['mos']],
    ['without those that this version does not know', '["codec","mos",5,null,"toString"]', ['mos']],
    ['none, if the user hid all', '[]', []],
  ])('are read from storage %s', (_, text, columns) => {
    expect(readColumns(text)).toEqual(columns);
  });

  it.each([null, '', '{', '"mos"', '{"mos":true}', '5', 'null', '["codec"]'])(
    'are the default if storage holds %j',
    (text) => expect(readColumns(text)).toBe(defaultColumns),
  );
});
