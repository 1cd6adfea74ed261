import { expect, it } from 'vitest';
import { variationsOf } from '../../../../../src/control/agent-testing/runs/variations.js';
import { matrixSchema } from '../../../../../src/control/agent-testing/schemas/matrix.js';
import {
  combinationsOf,
  draftOf,
  emptyMatrix,
  type MatrixDraft,
  type MatrixRow,
  newRow,
  readMatrix,
  variedFields,
} from '../../../../../src/dashboard/pages/testing/matrix-draft.js';

const row = (path: string, values: string, otherPath = ''): MatrixRow => ({
  key: `${path} ${otherPath}`,
  path,
  otherPath,
  values,
});
const draft = (...rows: readonly MatrixRow[]): MatrixDraft => ({ ...emptyMatrix, rows });

it('fills what the API takes, with as many combinations as the form says', () => {
  const filled = draft(
    row('voice.language', 'en-US\n\n en-GB '),
    row('voice.speed', '0.8\n1.4'),
    row('voice.conditions.noise', 'none\nbabble\nstreet -30'),
    row('voice.conditions.loss_share', '0\n2.5'),
    row('', '"Berlin"\n17\nGraz', 'request_data.city'),
  );
  const { matrix } = readMatrix(filled) as { matrix: unknown };
  expect(matrix).toEqual({
    seed: 1,
    fields: {
      'voice.language': ['en-US', 'en-GB'],
      'voice.speed': [0.8, 1.4],
      'voice.conditions.noise': [null, { kind: 'babble' }, { kind: 'street', level_dbov: -30 }],
      'voice.conditions.loss_share': [0, 0.025],
      'request_data.city': ['Berlin', 17, 'Graz'],
    },
  });
  const parsed = matrixSchema.parse(matrix);
  expect(variationsOf(parsed)).toHaveLength(combinationsOf(filled));
  const drawn = { ...filled, sample: 7, seed: 4 };
  expect(combinationsOf(drawn)).toBe(7);
  expect(readMatrix(drawn)).toMatchObject({ matrix: { sample: 7, seed: 4 } });
});

it('is left out without rows', () => {
  expect(readMatrix(emptyMatrix)).toEqual({ matrix: undefined });
  expect(combinationsOf(emptyMatrix)).toBe(1);
});

it.each([
  [draft(row('voice.speed', ' \n')), /Speed.*needs a value/],
  [draft(row('voice.speed', '1\nfast')), /“fast”/],
  [draft(row('voice.conditions.noise', 'street loud')), /“street loud”/],
  [draft(row('', 'x')), /request_data\.city/],
  [draft(row('max_turns', '4'), row('', '5', 'max_turns')), /max_turns is varied twice/],
])('says what is wrong: %j', (wrong, problem) => {
  expect(readMatrix(wrong)).toEqual({ problem: expect.stringMatching(problem) });
});

it('offers fields of the API, each once', () => {
  let rows: readonly MatrixRow[] = [];
  for (const _ of variedFields) rows = [...rows, newRow(rows)];
  expect(rows.map(({ path }) => path)).toEqual(variedFields.map(({ path }) => path));
  for (const { path } of variedFields.slice(0, -1))
    expect(matrixSchema.safeParse({ fields: { [path]: [1] } }).success).toBe(true);
});

it('is edited again as it was stored, also with values that only JSON can name', () => {
  const stored = {
    seed: 4,
    sample: 7,
    fields: {
      'voice.language': ['en-US', 'en-GB'],
      'voice.speed': [0.8, 1.4],
      'voice.conditions.noise': [null, { kind: 'babble' }, { kind: 'street', level_dbov: -30 }],
      'voice.conditions.loss_share': [0, 0.025, 0.07],
      'voice.conditions.jitter_ms': [null, 60],
      first_speaker: ['agent', null],
      tester_persona_prompt: ['In a hurry.\nLoud.', ' padded'],
      'request_data.city': ['Berlin', '17', 17, { name: 'Graz' }],
    },
  };
  const draft = draftOf(stored);
  expect(readMatrix(draft)).toEqual({ matrix: stored });
  expect(draft.rows.map(({ path }) => path)).toEqual([
    ...['voice.language', 'voice.speed', 'voice.conditions.noise', 'voice.conditions.loss_share'],
    ...['', '', '', ''],
  ]);
  expect(draftOf(null)).toEqual(emptyMatrix);
});
