import { describe, expect, it } from 'vitest';
import { readControlSettings } from '../../../src/config/control-settings.js';
import type { Environment } from '../../../src/config/environment.js';

describe('the model settings', () => {
  const llm = { DEMARC_LLM_URL: 'http://llm/v1', DEMARC_LLM_MODEL: 'm' };
  const models = (environment: Environment) =>
    readControlSettings({ DATABASE_URL: 'postgres://db/demarc', ...environment }).models;

  it('have a separate judge only where its URL or its model is another one', () => {
    expect(models(llm).judge).toBeUndefined();
    expect(models({ ...llm, DEMARC_JUDGE_MODEL: 'm' }).judge).toBeUndefined();
    expect(models({ ...llm, DEMARC_JUDGE_MODEL: 'j' }).judge).toMatchObject({
      url: 'http://llm/v1',
      model: 'j',
    });
    const withJudge = {
      ...llm,
      DEMARC_LLM_KEY: 'k',
      DEMARC_JUDGE_URL: 'http://judge/v1',
      DEMARC_JUDGE_MODEL: 'm',
    };
    expect(models(withJudge).judge).toMatchObject({ url: 'http://judge/v1', model: 'm', key: undefined });
  });

  it('start the stand-in only where no model is configured', () => {
    const standIn = { DEMARC_LLM_STAND_IN: 'true' };
    expect(models(standIn)).toMatchObject({ chat: undefined, isStandIn: false });
    expect(models(standIn).standIn).toBeDefined();
    expect(models({ ...llm, ...standIn })).toMatchObject({ isStandIn: true, standIn: undefined });
    expect(models(llm)).toMatchObject({ isStandIn: false, standIn: undefined });
    expect(models({})).toMatchObject({ isStandIn: false, standIn: undefined, embeddings: undefined });
  });

  it('have the prices of the model and of the judge apart', () => {
    const prices = (kind: string, prompt: string) => ({
      [`DEMARC_${kind}_PROMPT_PRICE`]: prompt,
      [`DEMARC_${kind}_COMPLETION_PRICE`]: '2',
    });
    const read = models({ ...llm, DEMARC_JUDGE_MODEL: 'j', ...prices('LLM', '1'), ...prices('JUDGE', '3') });
    expect([read.chat?.prices?.prompt, read.judge?.prices?.prompt]).toEqual([1, 3]);
    expect(models(llm).chat?.prices).toBeUndefined();
  });
});
